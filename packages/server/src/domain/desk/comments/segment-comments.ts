/** Which comments stand at segments: their own, and answers about the same source. */
import type { TextParts } from '@dragoman/contract'
import type { Hub } from '../../../hub.ts'
import { type Commented, commentsAt } from '../../jobs/comments/list-comments.ts'
import type { CommentSide } from '../../jobs/comments/write-comment.ts'

/** Equal for equal sources of a job. */
export const sourceDigest = ({ vault }: Hub, jobId: string, source: TextParts): string =>
  vault.digest('note', `${jobId} ${JSON.stringify(source)}`)

type Place = Parameters<typeof commentsAt>[1]

/** Adds to some segments of a request the ids of the comments that stand there. */
export async function addComments(
  hub: Hub,
  at: Place,
  side: CommentSide,
  segments: readonly { segmentId: string; source: TextParts; comments?: string[] }[],
): Promise<void> {
  const asked = segments.map(
    ({ segmentId, source }): Commented => ({
      segmentId,
      digest: sourceDigest(hub, at.jobId, source),
    }),
  )
  const found = await commentsAt(hub.db.read, at, side, asked)
  for (const segment of segments) {
    const ids = found.get(segment.segmentId)
    if (ids) segment.comments = ids
  }
}
