/** One action on several rows: a call after the other, with the result of each that was refused. */
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { call, HubFailure } from '../../hub.ts'
import { Glyph } from '../../look/glyphs.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import type en from '../../words/en/work.json'
import { useWords } from '../../words/words.ts'
import css from './work.module.css'
import { changes, grouped, taskOf, type Work } from './works.ts'

export type ManyProps = {
  readonly works: readonly Work[]
  readonly onClose: (isDone: boolean) => void
}
/** A call and the rows that it changes. */
export type Step = { readonly works: readonly Work[]; readonly run: () => Promise<unknown> }
type Outcome = { readonly works: readonly Work[]; readonly failure: HubFailure | undefined }

type ManyDialogProps = {
  readonly title: string
  readonly act: string
  readonly steps: readonly Step[]
  readonly refusal?: string | undefined
  readonly onClose: (isDone: boolean) => void
  readonly children: ReactNode
}

export function ManyDialog({ title, act, steps, refusal, onClose, children }: ManyDialogProps) {
  const t = useWords<keyof typeof en>('work')
  const client = useQueryClient()
  const [outcomes, setOutcomes] = useState<readonly Outcome[]>()
  const [isRunning, setRunning] = useState(false)
  const isOver = outcomes !== undefined && !isRunning
  const refused = (outcomes ?? []).filter(({ failure }) => failure)
  const count = (all: readonly { readonly works: readonly Work[] }[]) =>
    all.reduce((sum, one) => sum + one.works.length, 0)
  const run = async () => {
    setRunning(true)
    const found: Outcome[] = []
    for (const { works, run: send } of steps) {
      const failure = await send().then(
        () => undefined,
        (error: unknown) =>
          error instanceof HubFailure ? error : new HubFailure(0, { message: String(error) }),
      )
      found.push({ works, failure })
      setOutcomes([...found])
    }
    for (const name of changes) void client.invalidateQueries({ queryKey: [name] })
    setRunning(false)
    if (found.every(({ failure }) => !failure)) onClose(true)
  }
  return (
    <Dialog
      title={title}
      busy={isRunning}
      refusal={refusal}
      onClose={() => onClose(outcomes !== undefined)}
      {...(!isOver && { act, onAct: () => void run() })}
    >
      {outcomes ? (
        <p role="status">
          {t('done', { done: count(outcomes) - count(refused), all: count(steps) })}
        </p>
      ) : (
        children
      )}
      <ul className={css.names}>
        {refused.map(({ works, failure }) => (
          <li key={works[0]?.requestId}>
            <bdi>{works.map(({ requestName }) => requestName).join(', ')}</bdi>
            <span className={css.bad}>
              <Glyph name="error" size={14} />
              <bdi>{failure?.message}</bdi>
            </span>
          </li>
        ))}
      </ul>
    </Dialog>
  )
}

export function ApproveDialog({ works, onClose }: ManyProps) {
  const t = useWords<keyof typeof en>('work')
  const steps = grouped(works, ({ jobId }) => jobId).map(([jobId, own]) => ({
    works: own,
    run: () =>
      call('approveRequests', {
        params: { jobId },
        body: { requestIds: own.map(({ requestId }) => requestId) },
      }),
  }))
  const act = t('approve', { count: works.length })
  return (
    <ManyDialog title={act} act={act} steps={steps} onClose={onClose}>
      <p>{t('approveAsk')}</p>
      <Names works={works} />
    </ManyDialog>
  )
}

export function ClaimDialog({ works, onClose }: ManyProps) {
  const t = useWords<keyof typeof en>('work')
  const steps = works.map((work) => ({
    works: [work],
    run: () => call('claimAssetTask', { params: taskOf(work) }),
  }))
  return (
    <ManyDialog
      title={t('claimMany', { count: works.length })}
      act={t('claim')}
      steps={steps}
      onClose={onClose}
    >
      <Names works={works} />
    </ManyDialog>
  )
}

const Names = ({ works }: { readonly works: readonly Work[] }) => (
  <ul className={css.names}>
    {works.slice(0, 20).map(({ requestId, requestName, jobName }) => (
      <li key={requestId}>
        <bdi>{requestName}</bdi>
        <span className="dim">
          <bdi>{jobName}</bdi>
        </span>
      </li>
    ))}
  </ul>
)
