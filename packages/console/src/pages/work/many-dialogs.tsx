/** The dialogs that approve or claim several rows. */
import type { ComponentProps } from 'react'
import { call } from '../../hub.ts'
import { ManyDialog, Names, type Step } from '../../parts/list/many-dialog.tsx'
import type en from '../../words/en/work.json'
import { useWords } from '../../words/words.ts'
import { grouped } from './groups.ts'
import { changes, taskOf, type Work } from './works.ts'

export type ManyProps = {
  readonly works: readonly Work[]
  readonly onClose: (isDone: boolean) => void
}

export function WorkDialog(
  props: Omit<ComponentProps<typeof ManyDialog>, 'changes' | 'says' | 'staysOpen'>,
) {
  const t = useWords<keyof typeof en>('work')
  return <ManyDialog {...props} changes={changes} says={(done, all) => t('done', { done, all })} />
}

export const stepOf = (works: readonly Work[], run: Step['run']): Step => ({
  id: works[0]?.requestId ?? '',
  names: works.map(({ requestName }) => requestName),
  run,
})

const namesOf = (works: readonly Work[]) => (
  <Names
    rows={works.map(({ requestId, requestName, jobName }) => ({
      id: requestId,
      name: requestName,
      of: jobName,
    }))}
  />
)

export function ApproveDialog({ works, onClose }: ManyProps) {
  const t = useWords<keyof typeof en>('work')
  const steps = grouped(works, ({ jobId }) => jobId).map(([jobId, own]) =>
    stepOf(own, () =>
      call('approveRequests', {
        params: { jobId },
        body: { requestIds: own.map(({ requestId }) => requestId) },
      }),
    ),
  )
  const act = t('approve', { count: works.length })
  return (
    <WorkDialog title={act} act={act} steps={steps} onClose={onClose}>
      <p>{t('approveAsk')}</p>
      {namesOf(works)}
    </WorkDialog>
  )
}

export function ClaimDialog({ works, onClose }: ManyProps) {
  const t = useWords<keyof typeof en>('work')
  const steps = works.map((work) =>
    stepOf([work], () => call('claimAssetTask', { params: taskOf(work) })),
  )
  const title = t('claimMany', { count: works.length })
  return (
    <WorkDialog title={title} act={t('claim')} steps={steps} onClose={onClose}>
      {namesOf(works)}
    </WorkDialog>
  )
}
