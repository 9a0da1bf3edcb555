/**
 * The workbench: one asset task, to translate by segments or as a file, or one request to review.
 */
import { useEffect, useMemo } from 'react'
import { useParams } from 'wouter'
import { loadEditor } from '../../parts/chip-editor/chip-editor.tsx'
import { Failed, Loading } from '../../parts/said.tsx'
import { useCall } from '../../queries.ts'
import { useSearchState } from '../../search.ts'
import { useLive } from '../../stream.ts'
import { Bench } from './bench.tsx'
import { FileCard } from './file-card.tsx'
import { ReviewBench } from './review/review-bench.tsx'
import type { At } from './task.ts'

export default function WorkbenchPage() {
  const { providerId = '', jobId = '', assetTaskId = '' } = useParams<At>()
  const at = useMemo(() => ({ providerId, jobId, assetTaskId }), [providerId, jobId, assetTaskId])
  const [{ as }] = useSearchState()
  return as === 'review' ? (
    <Review key={assetTaskId} at={at} />
  ) : (
    <Translation key={assetTaskId} at={at} />
  )
}

function Translation({ at }: { readonly at: At }) {
  const found = useCall('findAssetTask', { params: at }, { keepOld: false })
  const job = useCall('findProviderJob', { params: at }, { keepOld: false })
  useLive('findAssetTask', 'findProviderJob')
  // While the texts are read.
  useEffect(() => void loadEditor(), [])
  if (found.error) return <Failed failure={found.error} retry={() => void found.refetch()} />
  if (!found.data) return <Loading rows={10} />
  const { jobName, dueDate, description } = job.data ?? {}
  const task = { at, task: found.data, jobName, dueDate, description }
  return found.data.segments === false ? <FileCard task={task} /> : <Bench task={task} />
}

/** A reviewer has the request, as its connector does. */
function Review({ at }: { readonly at: At }) {
  const params = { jobId: at.jobId, requestId: at.assetTaskId }
  const found = useCall('findRequest', { params }, { keepOld: false })
  const job = useCall('findJob', { params }, { keepOld: false })
  useLive('findRequest', 'findJob')
  if (found.error) return <Failed failure={found.error} retry={() => void found.refetch()} />
  if (!found.data) return <Loading rows={10} />
  return (
    <ReviewBench
      task={{
        ...{ at, task: found.data, jobName: job.data?.jobName, dueDate: job.data?.dueDate },
        description: job.data?.description,
      }}
    />
  )
}
