/**
 * The verdicts of a person on the requests of a job: held for ten seconds, whichever tab is open,
 * and said in words. Keys: Ctrl Z takes the last one back.
 */
import { createContext, type ReactNode, useContext } from 'react'
import { useKeys } from '../../keys.ts'
import css from '../../parts/review/review.module.css'
import { UndoBar } from '../../parts/review/undo-bar.tsx'
import { useVerdicts, type Verdict, type Verdicts } from '../../parts/review/use-verdicts.ts'
import { useSearchState } from '../../search.ts'
import { useWriters } from '../../times.ts'
import type en from '../../words/en/review.json'
import { useWords } from '../../words/words.ts'

export type JobVerdicts = Verdicts & {
  /** The verdict on this request that waits, if one does. */
  readonly on: (requestId: string) => Verdict | undefined
  readonly takeBack: () => void
}

const Given = createContext<JobVerdicts | undefined>(undefined)

export function VerdictsOf({
  jobId,
  children,
}: {
  readonly jobId: string
  readonly children: ReactNode
}) {
  const t = useWords<keyof typeof en>('review')
  const [search, change] = useSearchState()
  const verdicts = useVerdicts(jobId)
  const takeBack = () => {
    const taken = verdicts.undo()
    // Back to what was judged by mistake.
    if (taken?.requestIds.length === 1 && search.at?.startsWith('request.'))
      change({ at: `request.${taken.requestIds[0]}` })
  }
  useKeys(verdicts.waiting.length > 0 ? [{ keys: 'Ctrl Z', says: t('undo'), act: takeBack }] : [])
  const on = (requestId: string) =>
    verdicts.waiting.find(({ requestIds }) => requestIds.includes(requestId))?.verdict
  return <Given.Provider value={{ ...verdicts, on, takeBack }}>{children}</Given.Provider>
}

export function useJobVerdicts(): JobVerdicts {
  const found = useContext(Given)
  if (!found) throw new Error('A verdict needs the page of a job.')
  return found
}

/** What waits or was done last, for eyes and screen readers. */
export function VerdictBar() {
  const t = useWords<keyof typeof en>('review')
  const writers = useWriters()
  const { waiting, sent, failure, takeBack, send } = useJobVerdicts()
  const last = waiting.at(-1)
  const all = waiting.filter(({ verdict }) => verdict === last?.verdict)
  const count = (some: readonly { readonly requestIds: readonly string[] }[]) =>
    some.reduce((sum, { requestIds }) => sum + requestIds.length, 0)
  const says = last
    ? t(`waiting.${last.verdict}`, { count: count(all), number: writers.number(count(all)) })
    : sent
      ? t(`sent.${sent.verdict}`, { count: count([sent]), number: writers.number(count([sent])) })
      : ''
  return (
    <>
      <p role="status" className={last ? 'unseen' : css.said}>
        {says}
      </p>
      {last && <UndoBar given={last} says={says} onUndo={takeBack} onSend={() => void send()} />}
      {failure && (
        <p role="alert" className={css.failure}>
          <bdi>{failure.message}</bdi>
        </p>
      )}
    </>
  )
}
