/** What can be done with the marked rows: a bar at the foot of the list, and its dialog. */
import { type ReactNode, useState } from 'react'
import { useKeys } from '../../keys.ts'
import type { GlyphName } from '../../look/glyphs.tsx'
import { Button } from '../controls.tsx'
import css from './list.module.css'
import type { Marked } from './marked.ts'

export type BulkAct<Name extends string> = {
  readonly name: Name
  readonly says: string
  readonly key?: string | undefined
  readonly glyph?: GlyphName
  readonly kind?: 'main' | 'plain'
  readonly refusal?: string | undefined
}
type BulkProps<Row, Name extends string> = {
  readonly marked: Marked<Row>
  readonly acts: readonly BulkAct<Name>[]
  /** How many are marked, in words; and what removes all marks. */
  readonly says: string
  readonly unmark: string
  readonly onDone: () => void
  readonly dialog: (
    act: Name,
    rows: readonly Row[],
    onClose: (isDone: boolean) => void,
  ) => ReactNode
}

export function BulkBar<Row, Name extends string>(props: BulkProps<Row, Name>) {
  const { marked, acts, says, unmark, onDone, dialog } = props
  const [act, setAct] = useState<Name>()
  const isMarked = marked.size > 0
  useKeys(
    acts.flatMap(({ name, key, says: title, refusal }) =>
      isMarked && key && refusal === undefined
        ? [{ keys: key, says: title, act: () => setAct(name) }]
        : [],
    ),
  )
  return (
    <>
      <div role="status" className="unseen">
        {isMarked && says}
      </div>
      {isMarked && (
        <section className={`${css.foot} ${css.bulk}`} aria-label={says}>
          <b>{says}</b>
          {acts.map(({ name, says: title, key: _, ...button }) => (
            <Button key={name} small {...button} onClick={() => setAct(name)}>
              {title}
            </Button>
          ))}
          <Button small kind="quiet" glyph="close" onClick={onDone}>
            {unmark}
          </Button>
        </section>
      )}
      {act &&
        dialog(act, [...marked.values()], (isDone) => {
          setAct(undefined)
          if (isDone) onDone()
        })}
    </>
  )
}
