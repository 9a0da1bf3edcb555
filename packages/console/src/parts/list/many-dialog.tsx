/** One action on several rows: a call after the other, with the result of each that was refused. */
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { type CallName, HubFailure } from '../../hub.ts'
import { Glyph } from '../../look/glyphs.tsx'
import { Dialog } from '../dialog.tsx'
import css from './list.module.css'

/** A call and the names of the rows that it changes. */
export type Step = {
  readonly id: string
  readonly names: readonly string[]
  readonly run: () => Promise<unknown>
}
type Outcome = Step & { readonly failure: HubFailure | undefined }

type ManyProps = {
  readonly title: string
  readonly act: string
  readonly steps: readonly Step[]
  /** What to read again afterwards. */
  readonly changes: readonly CallName[]
  /** How many of how many were done, in words. */
  readonly says: (done: number, all: number) => string
  readonly refusal?: string | undefined
  /** The question, which the result replaces. */
  readonly ask?: ReactNode
  /** Below the question and below the result. */
  readonly note?: ReactNode
  /** Shows the result even if nothing was refused. */
  readonly staysOpen?: true
  readonly onClose: (isDone: boolean) => void
  /** What it is about, until it is done. */
  readonly children: ReactNode
}

const maxNames = 20

export function ManyDialog(props: ManyProps) {
  const { title, act, steps, changes, says, refusal, ask, note, staysOpen, onClose } = props
  const client = useQueryClient()
  const [outcomes, setOutcomes] = useState<readonly Outcome[]>()
  const [isRunning, setRunning] = useState(false)
  const isOver = outcomes !== undefined && !isRunning
  const refused = (outcomes ?? []).filter(({ failure }) => failure)
  const run = async () => {
    setRunning(true)
    const found: Outcome[] = []
    for (const step of steps) {
      const failure = await step.run().then(
        () => undefined,
        (error: unknown) =>
          error instanceof HubFailure ? error : new HubFailure(0, { message: String(error) }),
      )
      found.push({ ...step, failure })
      setOutcomes([...found])
    }
    for (const name of changes) void client.invalidateQueries({ queryKey: [name] })
    setRunning(false)
    if (!staysOpen && found.every(({ failure }) => !failure)) onClose(true)
  }
  return (
    <Dialog
      title={title}
      busy={isRunning}
      refusal={refusal}
      onClose={() => onClose(outcomes !== undefined)}
      {...(!isOver && { act, onAct: () => void run() })}
    >
      {(outcomes || ask) && (
        <p role="status">
          {outcomes ? says(countOf(outcomes) - countOf(refused), countOf(steps)) : ask}
        </p>
      )}
      {note}
      {outcomes ? (
        <ul className={css.names}>
          {refused.slice(0, maxNames).map(({ id, names, failure }) => (
            <li key={id}>
              <bdi>{names.join(', ')}</bdi>
              <span className={css.bad}>
                <Glyph name="error" size={14} />
                <bdi>{failure?.message}</bdi>
              </span>
            </li>
          ))}
        </ul>
      ) : (
        props.children
      )}
    </Dialog>
  )
}

const countOf = (steps: readonly Step[]): number =>
  steps.reduce((sum, { names }) => sum + names.length, 0)

type NamesProps = {
  readonly rows: readonly { readonly id: string; readonly name: string; readonly of?: string }[]
}

/** The rows that an action is about. */
export const Names = ({ rows }: NamesProps) => (
  <ul className={css.names}>
    {rows.slice(0, maxNames).map(({ id, name, of }) => (
      <li key={id}>
        <bdi>{name}</bdi>
        {of !== undefined && (
          <span className="dim">
            <bdi>{of}</bdi>
          </span>
        )}
      </li>
    ))}
  </ul>
)
