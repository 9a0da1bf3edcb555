/** Languages, provider and the details of the job. */
import { limits, type Provider } from '@dragoman/contract/wire'
import { type InputHTMLAttributes, useId, useMemo } from 'react'
import { Link } from 'wouter'
import { useCall } from '../../queries.ts'
import type en from '../../words/en/new-job.json'
import { useWords } from '../../words/words.ts'
import { zone } from '../../zone.ts'
import type { Form } from './form.ts'
import type { Use } from './language-order.ts'
import { Languages } from './languages.tsx'
import { MetadataForm } from './metadata.tsx'
import css from './new-job.module.css'

type FieldsProps = {
  readonly form: Form
  readonly set: (some: Partial<Form>) => void
  readonly providers: readonly Provider[]
  /** The list has been read. */
  readonly hasProviders: boolean
  /** The name of the draft until one is typed. */
  readonly placeholder: string
}

export function FormFields({ form, set, providers, hasProviders, placeholder }: FieldsProps) {
  const t = useWords<keyof typeof en>('new-job')
  const id = useId()
  const use = useLanguageUse()
  const provider = providers.find((one) => one.id === form.providerId)
  const schema = provider?.extendedMetadataSchema
  return (
    <div className={css.fields}>
      <Languages
        label={t('source')}
        chosen={form.source ? [form.source] : []}
        most={1}
        use={use.source}
        onChange={([source = '']) =>
          set({ source, targets: form.targets.filter((one) => one !== source) })
        }
      />
      <Languages
        label={t('targets')}
        chosen={form.targets}
        most={limits.targetLanguages}
        use={use.target}
        without={form.source ? [form.source] : []}
        onChange={(targets) => set({ targets })}
      />
      <div className={css.field}>
        <label htmlFor={id}>{t('provider')}</label>
        <select
          id={id}
          className={css.input}
          value={form.providerId}
          onChange={({ target }) => set({ providerId: target.value, metadata: {} })}
        >
          <option value="">{t('chooseProvider')}</option>
          {providers.map(({ id: providerId, name, status }) => (
            <option key={providerId} value={providerId} disabled={status !== 'ENABLED'}>
              {status === 'ENABLED' ? name : t('disabledProvider', { name })}
            </option>
          ))}
        </select>
        {hasProviders && providers.every(({ status }) => status !== 'ENABLED') && (
          <p className="mut">
            {t.rich('noProvider', {
              a: (inside) => <Link href="/providers?form=new">{inside}</Link>,
            })}
          </p>
        )}
      </div>
      <TextField
        label={t('due')}
        hint={t('dueHint', { zone: zone() })}
        type="datetime-local"
        value={form.due}
        onChange={({ target }) => set({ due: target.value })}
      />
      <TextField
        label={t('name')}
        value={form.jobName}
        placeholder={placeholder || t('nameHint')}
        onChange={({ target }) => set({ jobName: target.value })}
      />
      <TextField
        label={t('po')}
        value={form.poReference}
        onChange={({ target }) => set({ poReference: target.value })}
      />
      <div className={`${css.field} ${css.wide}`}>
        <label htmlFor={`${id}-description`}>{t('description')}</label>
        <textarea
          id={`${id}-description`}
          rows={2}
          className={css.input}
          value={form.description}
          onChange={({ target }) => set({ description: target.value })}
        />
      </div>
      <Codes form={form} set={set} />
      {provider && schema && (
        <fieldset className={`${css.group} ${css.wide}`}>
          <legend>
            {t.rich('metadataOf', { name: provider.name, b: (inside) => <bdi>{inside}</bdi> })}
          </legend>
          <MetadataForm
            key={provider.id}
            schema={schema}
            value={form.metadata}
            onChange={(metadata) => set({ metadata })}
          />
        </fieldset>
      )}
    </div>
  )
}

/**
 * What the site uses and prices, as a source and as a target. Without it, languages are offered by
 * name.
 */
function useLanguageUse(): { readonly source: Use; readonly target: Use } {
  const pairs = useCall('listUsedPairs').data?.pairs
  const lines = useCall('findCurrentPriceList').data?.lines
  return useMemo(() => {
    const of = (side: 'sourceLanguage' | 'targetLanguage'): Use => {
      const used = new Map<string, number>()
      for (const pair of pairs ?? []) {
        const code = pair[side].toLowerCase()
        used.set(code, (used.get(code) ?? 0) + pair.jobs)
      }
      return { used, priced: new Set(lines?.map((line) => line[side].toLowerCase())) }
    }
    return { source: of('sourceLanguage'), target: of('targetLanguage') }
  }, [pairs, lines])
}

/** One field per visible level that has codes. */
function Codes({ form, set }: Pick<FieldsProps, 'form' | 'set'>) {
  const id = useId()
  const { data } = useCall('listAnalysisCodes')
  const levels = (data?.levels ?? []).filter(
    ({ visible, codes }) => visible && codes.some((code) => code.visible),
  )
  return levels.map(({ level, label, codes }) => (
    <div key={level} className={css.field}>
      <label htmlFor={`${id}-${level}`}>
        <bdi>{label}</bdi>
      </label>
      <select
        id={`${id}-${level}`}
        className={css.input}
        value={form.codes[level] ?? ''}
        onChange={({ target }) => set({ codes: { ...form.codes, [level]: target.value } })}
      >
        <option value="">–</option>
        {codes
          .filter(({ visible }) => visible)
          .map(({ id: codeId, code, label: says }) => (
            <option key={codeId} value={code}>
              {says && says !== code ? `${code} · ${says}` : code}
            </option>
          ))}
      </select>
    </div>
  ))
}

function TextField({
  label,
  hint,
  ...rest
}: InputHTMLAttributes<HTMLInputElement> & { readonly label: string; readonly hint?: string }) {
  const id = useId()
  return (
    <div className={css.field}>
      <label htmlFor={id}>{label}</label>
      <input {...rest} id={id} className={css.input} aria-describedby={hint && `${id}-about`} />
      {hint && (
        <p id={`${id}-about`} className="meta dim">
          {hint}
        </p>
      )}
    </div>
  )
}
