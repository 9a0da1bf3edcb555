/** Handlers of comments: the same verbs for both sides of a job. */
import {
  answerComment,
  createComment,
  listJobComments,
} from '../../domain/desk/comments/comment-segments.ts'
import type { Handlers } from './bind.ts'

export const commentHandlers = {
  listComments: (hub, call, { params, query }) => listJobComments(hub, call, params, query),
  createComment: (hub, call, { params, body }) => createComment(hub, call, params, body),
  answerComment: (hub, call, { params, body }) => answerComment(hub, call, params, body),
  listTaskComments: (hub, call, { params, query }) => listJobComments(hub, call, params, query),
  createTaskComment: (hub, call, { params, body }) => createComment(hub, call, params, body),
  answerTaskComment: (hub, call, { params, body }) => answerComment(hub, call, params, body),
} satisfies Partial<Handlers>
