/** Lists the comments of a job, as one side of it sees them. */
import { type Comment, type CommentsQuery, formatTime } from '@dragoman/contract'
import type { Hub } from '../../../hub.ts'
import type { Db } from '../../../store/database.ts'
import type { Page } from '../../../store/page.ts'
import type { Call } from '../../access/caller.ts'
import { openNote } from '../../files/seals/notes.ts'
import { pageSizeOf, readCursor, toPage } from '../lists/position-pages.ts'
import { languagesOf } from '../work.ts'
import { type NamedComment, type Place, selectAtSegments, selectComments } from './comment-rows.ts'
import type { CommentSide } from './write-comment.ts'

/** The caller may read the job. */
export async function pageOf(
  hub: Hub,
  { caller }: Call,
  { jobId, side }: { readonly jobId: string; readonly side: CommentSide },
  asked: CommentsQuery,
): Promise<Page<Comment>> {
  const { siteId } = caller
  const of = { siteId, list: `comments:${side}:${jobId}` }
  const start = readCursor(hub, of, asked)
  const {
    commentId: ids,
    requestId,
    kind,
    state,
  }: Wanted = start.filter === undefined ? asked : JSON.parse(start.filter)
  const rows = await selectComments(
    hub.db.read,
    { siteId, jobId },
    {
      forConnector: side === 'connector',
      languages: languagesOf(caller),
      ...{ ids, requestId, kind },
      isAnswered: state && state === 'ANSWERED',
      ...(start.after !== undefined && { after: start.after }),
      limit: pageSizeOf(asked) + 1,
    },
  )
  return toPage(hub, of, asked, {
    rows,
    describe: (row) => describeComment(hub, row),
    filter: JSON.stringify({ commentId: ids, requestId, kind, state }),
  })
}

type Wanted = Pick<CommentsQuery, 'commentId' | 'requestId' | 'kind' | 'state'>

/** One that was just written. */
export async function findComment(
  hub: Hub,
  tx: Db,
  at: Place,
  commentId: string,
): Promise<Comment> {
  const [row] = await selectComments(tx, at, { forConnector: false, ids: [commentId], limit: 1 })
  if (!row) throw new Error(`Comment ${commentId} is gone.`)
  return describeComment(hub, row)
}

function describeComment(hub: Hub, row: NamedComment): Comment {
  const answer = openNote(hub, row.answer)
  return {
    commentId: row.comment_id,
    kind: row.kind,
    to: row.addressee,
    ...(row.request_id !== null && { requestId: row.request_id }),
    ...(row.segment_id !== null && { segmentId: row.segment_id }),
    text: openNote(hub, row.text) ?? '',
    by: row.writer ?? row.written_by,
    createdTime: formatTime(row.created_at),
    state: row.answered_at === null ? 'OPEN' : 'ANSWERED',
    ...(row.answered_at !== null && {
      answer: {
        text: answer ?? '',
        by: row.answerer ?? row.answered_by ?? '',
        time: formatTime(row.answered_at),
      },
    }),
  }
}

/** A segment, with the digest of its source. */
export type Commented = { readonly segmentId: string; readonly digest: string }

/** The ids of the comments that stand at segments of a request, by the ids of the segments. */
export async function commentsAt(
  db: Db,
  at: Place & { readonly requestId: string },
  side: CommentSide,
  segments: readonly Commented[],
): Promise<ReadonlyMap<string, string[]>> {
  const found = await selectAtSegments(db, at, {
    requestId: at.requestId,
    segmentIds: segments.map(({ segmentId }) => segmentId),
    digests: [...new Set(segments.map(({ digest }) => digest))],
    forConnector: side === 'connector',
  })
  const ids = new Map<string, string[]>()
  if (found.length === 0) return ids
  for (const { segmentId, digest } of segments) {
    const own = found.filter(
      (one) =>
        (one.request_id === at.requestId && one.segment_id === segmentId) ||
        (one.answered_at !== null && one.source_digest === digest),
    )
    if (own.length > 0)
      ids.set(
        segmentId,
        own.map(({ comment_id }) => comment_id),
      )
  }
  return ids
}
