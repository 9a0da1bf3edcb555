/** Contract, section 15: comments and questions of a job, for both sides. */
import { Comment, CommentAnswer, CommentsQuery, NewComment } from '../../schemas/desk/comment.ts'
import { path } from '../../schemas/parts.ts'
import { rows } from '../row.ts'

const connector = { tag: 'Desk', scope: 'content', work: true, answers: Comment } as const
const provider = { ...connector, scope: 'provider' } as const
const readers = ['viewer', 'developer', 'reviewer', 'manager', 'admin'] as const
const writers = ['reviewer', 'manager', 'admin'] as const
const team = ['translator', 'reviewer', 'provider-manager', 'admin'] as const
const found = ['JOB_NOT_FOUND', 'JOB_ARCHIVED'] as const
const made = [
  ...found,
  'REQUEST_NOT_FOUND',
  'SEGMENT_NOT_FOUND',
  'NO_SEGMENTS',
  'FMS_UNAVAILABLE',
  'QUOTA_EXCEEDED',
] as const
const answered = [...found, 'COMMENT_NOT_FOUND', 'COMMENT_ANSWERED', 'NOT_A_QUESTION'] as const
const at = '/providers/{providerId}/jobs/{jobId}/comments'

export const commentEndpoints = rows({
  listComments: {
    ...connector,
    roles: readers,
    params: path('jobId'),
    call: 'GET /jobs/{jobId}/comments',
    says: 'List the comments and questions of a job that its connector sees, oldest first',
    query: CommentsQuery,
    collection: 'comments',
    fails: found,
  },
  createComment: {
    ...connector,
    roles: writers,
    params: path('jobId'),
    call: 'POST /jobs/{jobId}/comments',
    says: 'Comment a job, a request or a segment, or ask the team',
    body: NewComment,
    status: 201,
    fails: made,
  },
  answerComment: {
    ...connector,
    roles: writers,
    params: path('jobId', 'commentId'),
    call: 'PATCH /jobs/{jobId}/comments/{commentId}',
    says: 'Answer a question to the connector',
    body: CommentAnswer,
    fails: answered,
  },
  listTaskComments: {
    ...provider,
    roles: team,
    params: path('providerId', 'jobId'),
    call: `GET ${at}`,
    says: 'List the comments and questions of a job for its provider, oldest first',
    query: CommentsQuery,
    collection: 'comments',
    fails: [...found, 'PROVIDER_NOT_FOUND'],
  },
  createTaskComment: {
    ...provider,
    roles: team,
    params: path('providerId', 'jobId'),
    call: `POST ${at}`,
    says: 'Comment a job, a request or a segment, or ask the team or the connector',
    body: NewComment,
    status: 201,
    fails: [...made, 'PROVIDER_NOT_FOUND'],
  },
  answerTaskComment: {
    ...provider,
    roles: team,
    params: path('providerId', 'jobId', 'commentId'),
    call: `PATCH ${at}/{commentId}`,
    says: 'Answer a question to the team',
    body: CommentAnswer,
    fails: [...answered, 'PROVIDER_NOT_FOUND'],
  },
})
