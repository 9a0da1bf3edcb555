/** Comments and questions at a job, a request or a segment (contract, section 15). */
import type { Static } from 'typebox'
import { limits } from '../../limits.ts'
import { choice, GivenId, Id, pageQuery, Time, title } from '../parts.ts'
import Type from '../type.ts'

export const CommentKind = choice(['NOTE', 'QUESTION'], { title: 'CommentKind' })
export const CommentTo = choice(['TEAM', 'CONNECTOR'], { title: 'CommentTo' })
export const CommentState = choice(['OPEN', 'ANSWERED'], { title: 'CommentState' })

const given = {
  kind: CommentKind,
  to: CommentTo,
  requestId: Type.Optional({ ...GivenId, description: 'The request that it is about.' }),
  segmentId: Type.Optional({
    ...GivenId,
    description: 'The segment of the request that it is about.',
  }),
}
export const NewComment = Type.Object(
  { ...given, text: title(limits.commentBytes) },
  { title: 'NewComment' },
)
export type NewComment = Static<typeof NewComment>

export const CommentAnswer = Type.Object(
  { answer: Type.Object({ text: title(limits.commentBytes) }, { title: 'GivenAnswer' }) },
  { title: 'CommentAnswer' },
)
export type CommentAnswer = Static<typeof CommentAnswer>

export const Comment = Type.Object(
  {
    commentId: Id,
    ...given,
    text: Type.String(),
    by: Type.String({ description: 'The name of the person, or the client, who wrote it.' }),
    createdTime: Time,
    state: CommentState,
    answer: Type.Optional(
      Type.Object(
        {
          text: Type.String(),
          by: Type.String({ description: 'The name of the person, or the client, who answered.' }),
          time: { ...Time, description: 'When it was answered.' },
        },
        { title: 'Answer' },
      ),
    ),
  },
  { title: 'Comment' },
)
export type Comment = Static<typeof Comment>

export const CommentsQuery = pageQuery({
  commentId: Type.Optional(
    Type.Array(GivenId, { maxItems: limits.pageItems, description: 'Only these; repeatable.' }),
  ),
  requestId: Type.Optional({ ...GivenId, description: 'Only those about this request.' }),
  kind: Type.Optional(CommentKind),
  state: Type.Optional(CommentState),
})
export type CommentsQuery = Static<typeof CommentsQuery>
