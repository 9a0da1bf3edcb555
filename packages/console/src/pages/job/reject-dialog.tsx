/** Rejects translations, with a note for the translator. */
import { useState } from 'react'
import type { CallName } from '../../hub.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { useAct } from '../../queries.ts'
import { useWords } from '../../words/words.ts'
import css from './job.module.css'
import type { Key } from './sentence.tsx'

/** The calls to read again after a review. */
export const changes: readonly CallName[] = ['listRequests', 'findRequest', 'findJob', 'listTimeline', 'findJobLanes']

export function RejectDialog({
  jobId,
  requestIds,
  onClose,
}: {
  readonly jobId: string
  readonly requestIds: readonly string[]
  readonly onClose: (isDone: boolean) => void
}) {
  const t = useWords<Key>('job')
  const [note, setNote] = useState('')
  const reject = useAct('rejectRequests', changes)
  return (
    <Dialog
      title={t('rejectTitle', { count: requestIds.length })}
      act={t('reject', { count: requestIds.length })}
      kind="danger"
      busy={reject.isPending}
      failure={reject.error}
      onAct={() =>
        reject.mutate(
          { params: { jobId }, body: { requestIds: [...requestIds], ...(note && { note }) } },
          { onSuccess: () => onClose(true) },
        )
      }
      onClose={() => onClose(false)}
    >
      <label className={css.field}>
        <span>{t('note')}</span>
        <textarea className={css.note} dir="auto" value={note} onChange={(event) => setNote(event.target.value)} />
      </label>
    </Dialog>
  )
}
