/**
 * Edits the metadata schema of a provider, with a sample beside it that the hub checks while you
 * type, before anything is saved.
 */
import { useEffect, useState } from 'react'
import { Glyph } from '../../look/glyphs.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { faultsOf, TextField } from '../../parts/fields.tsx'
import { useAct } from '../../queries.ts'
import type en from '../../words/en/providers.json'
import { useWords } from '../../words/words.ts'
import type { Provider } from './provider.tsx'
import css from './providers.module.css'

/** Input is checked after this pause in typing. */
const pauseMs = 400
const example = {
  type: 'object',
  required: ['department'],
  properties: { department: { type: 'string', minLength: 1 } },
}

type Read = { readonly value?: Record<string, unknown>; readonly fault?: string }

export function SchemaEditor({
  provider,
  onClose,
}: {
  readonly provider: Provider
  readonly onClose: () => void
}) {
  const t = useWords<keyof typeof en>('providers')
  const [text, setText] = useState(() =>
    JSON.stringify(provider.extendedMetadataSchema ?? example, null, 2),
  )
  const [sample, setSample] = useState('{\n  "department": "Marketing"\n}')
  const check = useAct('checkMetadata')
  const save = useAct('changeProvider', ['findProvider', 'listProviders'])
  const schema = read(text, t('notJson'))
  const given = read(sample, t('notJson'))
  const { mutate } = check
  useEffect(() => {
    const [one, other] = [read(text, ''), read(sample, '')]
    if (!one.value || !other.value) return undefined
    const body = { extendedMetadataSchema: one.value, extendedMetadata: other.value }
    const timer = setTimeout(() => mutate({ body }), pauseMs)
    return () => clearTimeout(timer)
  }, [text, sample, mutate])
  const refused = faultsOf(check.error ?? save.error)
  const schemaFault =
    schema.fault ?? [...refused].map(([path, message]) => `${path}: ${message}`)[0]
  const faults = check.data?.faults ?? []
  const act = () =>
    schema.value &&
    save.mutate(
      { params: { providerId: provider.id }, body: { extendedMetadataSchema: schema.value } },
      { onSuccess: onClose },
    )
  return (
    <Dialog
      title={t('schemaTitle', { name: provider.name })}
      wide
      act={t('save')}
      onAct={act}
      busy={save.isPending}
      refusal={schemaFault}
      failure={refused.size > 0 ? null : save.error}
      onClose={onClose}
    >
      <p className="mut">{t('schemaBody')}</p>
      <div className={css.sides}>
        <TextField
          label={t('schema')}
          mono
          rows={16}
          value={text}
          onChange={setText}
          fault={schemaFault}
          autoFocus
        />
        <div>
          <TextField
            label={t('sample')}
            mono
            rows={10}
            value={sample}
            onChange={setSample}
            fault={given.fault}
          />
          <div role="status" className={css.checked}>
            {!given.fault && !schemaFault && check.data && faults.length === 0 && (
              <p className={css.good}>
                <Glyph name="approved" /> {t('sampleFits')}
              </p>
            )}
            {!given.fault &&
              faults.map(({ path, message }) => (
                <p key={path + message} className={css.bad}>
                  <Glyph name="error" />
                  <span lang="en">
                    <code>{path}</code> <bdi>{message}</bdi>
                  </span>
                </p>
              ))}
          </div>
        </div>
      </div>
    </Dialog>
  )
}

function read(text: string, fault: string): Read {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? { value: value as Record<string, unknown> }
      : { fault }
  } catch {
    return { fault }
  }
}
