/**
 * A new version: the hub checks every field while you type, a job can be priced with it, and saving
 * asks for a date.
 */
import type { NewPriceList, PriceLine, PriceList } from '@dragoman/contract/wire'
import { useState } from 'react'
import { useKeys } from '../../keys.ts'
import { Button, Chip, Chips } from '../../parts/controls.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { ChoiceField, type Faults, FieldRow, TextField } from '../../parts/fields.tsx'
import { Panel } from '../../parts/page.tsx'
import { useAct, useCall } from '../../queries.ts'
import type en from '../../words/en/prices.json'
import { useWords } from '../../words/words.ts'
import { BandEditor } from './band-editor.tsx'
import { PriceDifference, sentence } from './price-difference.tsx'
import {
  type Draft,
  draftOf,
  faultAt,
  forgetDraft,
  isAt,
  listOf,
  useDraft,
  withPrice,
} from './price-draft.ts'
import { type Cell, PriceMatrix } from './price-matrix.tsx'
import {
  any,
  differences,
  holesIn,
  languagesOf,
  type UsedLanguagePair,
  usualService,
} from './price-model.ts'
import { PairPanel, useCell } from './price-view.tsx'
import css from './prices.module.css'
import { TryJob } from './try-job.tsx'

type Key = keyof typeof en
type Props = {
  /** The version it is based on; none for the first list of a site. */
  readonly base: PriceList | undefined
  readonly start: NewPriceList
  readonly today: string
  readonly pairs: readonly UsedLanguagePair[]
  readonly onLeave: () => void
  readonly onSaved: (priceListId: string) => void
}

export function PriceEditor({ base, start, today, pairs, onLeave, onSaved }: Props) {
  const t = useWords<Key>('prices')
  const from = base?.priceListId ?? 'new'
  const { draft, setDraft, faults, failure } = useDraft(from, () => draftOf(start, today))
  const [isSaving, setSaving] = useState(false)
  const put = (change: Partial<Draft>) => setDraft({ ...draft, ...change })
  const save = () => setSaving(true)
  useKeys([{ keys: 'Ctrl S', says: t('save'), everywhere: true, act: save }])
  const [first] = faults.values()
  return (
    <div className={css.stack}>
      <div className={`${css.bar} ${css.sticky}`}>
        <p className={faults.size > 0 ? css.bad : 'mut'} role="status">
          {faults.size > 0 ? t('faults', { count: faults.size }) : t('noFaults')}
        </p>
        <Button
          onClick={() => {
            forgetDraft(from)
            onLeave()
          }}
        >
          {t('discard')}
        </Button>
        <Button kind="main" refusal={first} onClick={save}>
          {t('save')}
        </Button>
      </div>
      {failure && (
        <p role="alert" className={css.bad}>
          <bdi>{failure.message}</bdi>
        </p>
      )}
      <FaultList faults={faults} />
      <Terms draft={draft} put={put} faults={faults} />
      <Lines draft={draft} setDraft={setDraft} faults={faults} pairs={pairs} />
      <div className={css.two}>
        <BandEditor bands={draft.bands} faults={faults} onChange={(bands) => put({ bands })} />
        <TryJob list={listOf(draft)} refusal={first} />
      </div>
      {isSaving && (
        <SaveDialog
          base={base}
          draft={draft}
          onClose={() => setSaving(false)}
          onSaved={(priceListId) => {
            forgetDraft(from)
            onSaved(priceListId)
          }}
        />
      )}
    </div>
  )
}

/** All faults, because one may be outside the visible part of the page. */
function FaultList({ faults }: { readonly faults: Faults }) {
  const t = useWords<Key>('prices')
  if (faults.size === 0) return null
  return (
    <Panel tone="bad" title={t('mend')}>
      <ul className={css.faults} lang="en">
        {[...faults].slice(0, 8).map(([path, message]) => (
          <li key={path}>
            <code>{path}</code> <bdi>{message}</bdi>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

type PutProps = {
  readonly draft: Draft
  readonly put: (change: Partial<Draft>) => void
  readonly faults: Faults
}

function Terms({ draft, put, faults }: PutProps) {
  const t = useWords<Key>('prices')
  const text = (
    name: 'name' | 'currency' | 'minimumFee' | 'managementFeePercent',
    label: string,
    isMoney = false,
  ) => (
    <TextField
      label={label}
      value={draft[name] ?? ''}
      onChange={(value) => put({ [name]: name === 'currency' ? value.toUpperCase() : value })}
      fault={faults.get(name)}
      {...(isMoney && { digits: true, mono: true })}
    />
  )
  return (
    <FieldRow>
      {text('name', t('name'))}
      {text('currency', t('currency'))}
      <TextField
        label={t('validFrom')}
        kind="date"
        value={draft.validFrom}
        onChange={(validFrom) => put({ validFrom })}
        fault={faults.get('validFrom')}
      />
      <TextField
        label={t('validTo')}
        kind="date"
        value={draft.validTo ?? ''}
        onChange={(validTo) => put({ validTo })}
        fault={faults.get('validTo')}
      />
      {text('minimumFee', t('minimumFee'), true)}
      {text('managementFeePercent', t('managementFee'), true)}
    </FieldRow>
  )
}

function Lines({
  draft,
  setDraft,
  faults,
  pairs,
}: {
  readonly draft: Draft
  readonly setDraft: (draft: Draft) => void
  readonly faults: Faults
  readonly pairs: readonly UsedLanguagePair[]
}) {
  const t = useWords<Key>('prices')
  const { services, service, selected, choose, select } = useCell(draft.lines)
  const [language, setLanguage] = useState('')
  const known = [
    ...new Set(
      pairs.flatMap(({ sourceLanguage, targetLanguage }) => [sourceLanguage, targetLanguage]),
    ),
    any,
  ]
  const add = (side: 'sources' | 'targets') => {
    const code = language.trim()
    if (code) setDraft({ ...draft, [side]: [...new Set([...draft[side], code])] })
    setLanguage('')
  }
  return (
    <div className={css.stack}>
      <div className={css.bar}>
        <Chips label={t('service')}>
          {[...new Set([...services, usualService])].map((one) => (
            <Chip key={one} pressed={one === service} onPress={() => choose(one)}>
              <bdi>{one}</bdi>
            </Chip>
          ))}
        </Chips>
        <span className={css.gap} />
        <TextField
          label={t('language')}
          mono
          value={language}
          onChange={setLanguage}
          suggestions={known}
        />
        <Button onClick={() => add('sources')}>{t('addSource')}</Button>
        <Button onClick={() => add('targets')}>{t('addTarget')}</Button>
      </div>
      <div className={css.beside}>
        <PriceMatrix
          lines={draft.lines}
          service={service}
          sources={languagesOf(draft.lines, service, 'sourceLanguage', draft.sources)}
          targets={languagesOf(draft.lines, service, 'targetLanguage', [
            ...draft.targets,
            ...holesIn(draft.lines, pairs, service).map(({ targetLanguage }) => targetLanguage),
          ])}
          pairs={pairs}
          selected={selected}
          onSelect={select}
          onPrice={(cell, price) => setDraft(withPrice(draft, service, cell, price))}
          faultOf={(cell) => faultAt(draft, service, faults, cell)}
        />
        <PairPanel list={listOf(draft)} service={service} cell={selected}>
          {selected && (
            <LineFields
              draft={draft}
              setDraft={setDraft}
              service={service}
              cell={selected}
              faults={faults}
            />
          )}
        </PairPanel>
      </div>
    </div>
  )
}

const units = ['Word', 'Character', 'Page', 'Hour'] as const

/** What a line has besides its price. */
function LineFields({
  draft,
  setDraft,
  service,
  cell,
  faults,
}: {
  readonly draft: Draft
  readonly setDraft: (draft: Draft) => void
  readonly service: string
  readonly cell: Cell
  readonly faults: Faults
}) {
  const t = useWords<Key>('prices')
  const codes = useCall('listAnalysisCodes')
  const at = draft.lines.findIndex(isAt(service, cell))
  const line = draft.lines[at]
  if (!line) return null
  const put = (change: Partial<PriceLine>) =>
    setDraft({
      ...draft,
      lines: draft.lines.map((one, index) => (index === at ? { ...one, ...change } : one)),
    })
  const all = codes.data?.levels.flatMap((level) => level.codes) ?? []
  return (
    <div className={css.stack}>
      {faults.get(`lines[${at}]`) && (
        <p className={css.bad} lang="en">
          <bdi>{faults.get(`lines[${at}]`)}</bdi>
        </p>
      )}
      <FieldRow>
        <ChoiceField
          label={t('unit')}
          value={line.unit}
          onChange={(unit) => put({ unit: unit as PriceLine['unit'] })}
          choices={units.map((unit) => ({ value: unit, title: t(`unit.${unit}`) }))}
        />
        <TextField
          label={t('minimumFee')}
          mono
          digits
          value={line.minimumFee ?? ''}
          onChange={(minimumFee) => put({ minimumFee })}
          fault={faults.get(`lines[${at}].minimumFee`)}
        />
      </FieldRow>
      <ChoiceField
        label={t('code')}
        value={line.analysisCodeId ?? ''}
        onChange={(analysisCodeId) => put({ analysisCodeId })}
        choices={[
          { value: '', title: t('noCode') },
          ...all.map(({ id, code, label }) => ({
            value: id,
            title: label ? `${code} · ${label}` : code,
          })),
        ]}
        fault={faults.get(`lines[${at}].analysisCodeId`)}
      />
    </div>
  )
}

function SaveDialog({
  base,
  draft,
  onClose,
  onSaved,
}: {
  readonly base: PriceList | undefined
  readonly draft: Draft
  readonly onClose: () => void
  readonly onSaved: (priceListId: string) => void
}) {
  const t = useWords<Key>('prices')
  const act = useAct('createPriceList', ['listPriceLists', 'findCurrentPriceList'])
  const list = listOf(draft)
  return (
    <Dialog
      title={t('saveTitle')}
      wide
      act={t('save')}
      busy={act.isPending}
      failure={act.error}
      onAct={() =>
        act.mutate({ body: list }, { onSuccess: ({ priceListId }) => onSaved(priceListId) })
      }
      onClose={onClose}
    >
      <p>{t('saveBody', { day: draft.validFrom })}</p>
      {base ? (
        <PriceDifference was={base} is={list} />
      ) : (
        <p>{sentence(t, differences([], list.lines))}</p>
      )}
    </Dialog>
  )
}
