/** The rules in order. They are moved with buttons, with Alt and an arrow key, or by dragging. */
import { useState } from 'react'
import { Pill } from '../../look/states.tsx'
import { Button, GlyphButton } from '../../parts/controls.tsx'
import { Name } from '../../parts/name.tsx'
import { useProviders } from '../../parts/provider-names.ts'
import { useWriters } from '../../times.ts'
import type en from '../../words/en/routing.json'
import { useWords } from '../../words/words.ts'
import { Conditions } from './conditions.tsx'
import css from './routing.module.css'
import type { RuleRow } from './use-draft.ts'

type Key = keyof typeof en
type RulesProps = {
  readonly rows: readonly RuleRow[]
  readonly refusal: string | undefined
  /** The rule that took the job of the last try. */
  readonly taken: string | undefined
  readonly onMove: (from: number, to: number) => void
  readonly onEdit: (at: number) => void
  readonly onRemove: (at: number) => void
}

export function Rules({ rows, refusal, taken, onMove, onEdit, onRemove }: RulesProps) {
  const t = useWords<Key>('routing')
  const [dragged, setDragged] = useState<number>()
  const [said, setSaid] = useState('')
  const mayMove = refusal === undefined
  const move = (from: number, to: number) => {
    const row = rows[from]
    if (!mayMove || !row || to < 0 || to >= rows.length || from === to) return
    onMove(from, to)
    setSaid(t('moved', { name: row.rule.name, place: to + 1 }))
  }
  return (
    <>
      <p role="status" className="unseen">
        {said}
      </p>
      <ol className={css.rules} aria-label={t('title')}>
        {rows.map(({ key, rule }, at) => (
          <li
            key={key}
            className={css.rule}
            data-taken={(taken !== undefined && taken === rule.name) || undefined}
            data-dragged={dragged === at || undefined}
            draggable={mayMove}
            onDragStart={({ dataTransfer }) => {
              dataTransfer.effectAllowed = 'move'
              setDragged(at)
            }}
            onDragOver={(event) => dragged !== undefined && event.preventDefault()}
            onDrop={(event) => {
              event.preventDefault()
              if (dragged !== undefined) move(dragged, at)
            }}
            onDragEnd={() => setDragged(undefined)}
            onKeyDown={(event) => {
              const step = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0
              if (!event.altKey || step === 0) return
              event.preventDefault()
              move(at, at + step)
            }}
          >
            <Rule
              row={{ key, rule }}
              at={at}
              last={rows.length - 1}
              refusal={refusal}
              onMove={(to) => move(at, to)}
              onEdit={() => onEdit(at)}
              onRemove={() => onRemove(at)}
            />
          </li>
        ))}
      </ol>
    </>
  )
}

type RuleProps = {
  readonly row: RuleRow
  readonly at: number
  readonly last: number
  readonly refusal: string | undefined
  readonly onMove: (to: number) => void
  readonly onEdit: () => void
  readonly onRemove: () => void
}

function Rule({ row: { rule }, at, last, refusal, onMove, onEdit, onRemove }: RuleProps) {
  const t = useWords<Key>('routing')
  const writers = useWriters()
  const { name } = rule
  return (
    <>
      <span className={css.number}>{writers.number(at + 1)}</span>
      <span className={css.name}>
        <Name of={name} />
      </span>
      <Conditions when={rule.when} />
      <Goal providerId={rule.providerId} />
      <span className={css.acts}>
        <GlyphButton
          glyph="up"
          label={t('up', { name })}
          refusal={refusal ?? (at === 0 ? t('isFirst') : undefined)}
          onClick={() => onMove(at - 1)}
        />
        <GlyphButton
          glyph="down"
          label={t('down', { name })}
          refusal={refusal ?? (at === last ? t('isLast') : undefined)}
          onClick={() => onMove(at + 1)}
        />
        <Button
          small
          kind="quiet"
          aria-label={t('changeRule', { name })}
          refusal={refusal}
          onClick={onEdit}
        >
          {t('change')}
        </Button>
        <GlyphButton
          glyph="bin"
          label={t('removeRule', { name })}
          refusal={refusal}
          onClick={onRemove}
        />
      </span>
    </>
  )
}

/** Where the rule sends jobs, and why it cannot. */
function Goal({ providerId }: { readonly providerId: string }) {
  const t = useWords<Key>('routing')
  const { all, nameOf } = useProviders()
  const provider = all.find(({ id }) => id === providerId)
  return (
    <span className={css.goal}>
      <span className="unseen">{t('provider')}: </span>
      <Name of={nameOf(providerId)} />
      {all.length > 0 && !provider && (
        <Pill look="rejected" glyph="error">
          {t('missing')}
        </Pill>
      )}
      {provider?.status === 'DISABLED' && (
        <Pill look="cancelled" glyph="cancelled">
          {t('disabled')}
        </Pill>
      )}
    </span>
  )
}
