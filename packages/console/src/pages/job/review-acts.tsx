/**
 * Approve and reject in the panel of a request, by keys: y and n. The next request in review
 * follows.
 */
import type { Job, JobRequest } from '@dragoman/contract/wire'
import { useEffect, useState } from 'react'
import { useKeys } from '../../keys.ts'
import { Button, ButtonLink } from '../../parts/controls.tsx'
import { useRoleName } from '../../parts/role-names.ts'
import { useSearchState } from '../../search.ts'
import { useMay } from '../../session.tsx'
import { useWords } from '../../words/words.ts'
import { reviewRefusal } from './acts.ts'
import css from './job.module.css'
import { RejectDialog } from './reject-dialog.tsx'
import { inReview, useRequestPages } from './request-pages.ts'
import type { Key } from './sentence.tsx'
import { useJobVerdicts, VerdictBar } from './verdicts.tsx'

type ReviewActsProps = {
  readonly job: Job
  readonly requestId: string
  /** Undefined until it is read: nobody judges what they have not seen. */
  readonly request: JobRequest | undefined
}

export function ReviewActs({ job, requestId, request }: ReviewActsProps) {
  const t = useWords<Key>('job')
  const roleName = useRoleName()
  const [isRejecting, setRejecting] = useState(false)
  const verdicts = useJobVerdicts()
  const goOn = useNext(job, requestId)
  const may = useMay('reviewer', 'manager')
  const { jobId, providerId } = job
  const isInReview = request?.statusCode === inReview
  const canJudge = isInReview && verdicts.on(requestId) === undefined
  const refusal = may ? reviewRefusal(job) : t('mayNot', { role: roleName('reviewer') })
  const give = (verdict: 'approve' | 'reject', note = '') => {
    verdicts.give({ verdict, requestIds: [requestId], ...(note && { note }) })
    setRejecting(false)
    goOn()
  }
  useKeys(
    canJudge && refusal === undefined
      ? [
          { keys: 'y', says: t('approve', { count: 0 }), act: () => give('approve') },
          { keys: 'n', says: t('reject', { count: 0 }), act: () => setRejecting(true) },
        ]
      : [],
  )
  return (
    <>
      <VerdictBar />
      {canJudge && (
        <div className={css.bar}>
          <Button small kind="main" glyph="tick" refusal={refusal} onClick={() => give('approve')}>
            {t('approve', { count: 0 })} <kbd>y</kbd>
          </Button>
          <Button small glyph="rejected" refusal={refusal} onClick={() => setRejecting(true)}>
            {t('reject', { count: 0 })} <kbd>n</kbd>
          </Button>
          {providerId && (
            <ButtonLink
              small
              kind="quiet"
              href={`/work/${providerId}/${jobId}/${requestId}?as=review`}
            >
              {t('judgeSegments')}
            </ButtonLink>
          )}
        </div>
      )}
      {isRejecting && (
        <RejectDialog
          count={1}
          onReject={(note) => give('reject', note)}
          onClose={() => setRejecting(false)}
        />
      )}
    </>
  )
}

/** Opens the next request of the list that is in review; the first one after the last. */
function useNext(job: Job, requestId: string): () => void {
  const [, change] = useSearchState()
  const verdicts = useJobVerdicts()
  const { items, hasMore, isFetching, loadMore } = useRequestPages(job)
  const at = items.findIndex((one) => one.requestId === requestId)
  const isOpen = (one: JobRequest) =>
    one.requestId !== requestId &&
    one.statusCode === inReview &&
    verdicts.on(one.requestId) === undefined
  const next = items.slice(at + 1).find(isOpen)
  useEffect(() => {
    if (!next && hasMore && !isFetching) loadMore()
  }, [next, hasMore, isFetching, loadMore])
  const found = next ?? items.find(isOpen)
  return () => {
    if (found) change({ at: `request.${found.requestId}` })
  }
}
