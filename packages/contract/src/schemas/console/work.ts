/**
 * Lists of work for the people at the desk: what is theirs, what nobody has claimed, what waits for
 * review.
 */
import type { Static } from 'typebox'
import { requestStatuses } from '../../lifecycle.ts'
import { Assignee } from '../desk/segment.ts'
import {
  Count,
  choice,
  EchoedCode,
  GivenId,
  Id,
  JobId,
  LanguageCode,
  pageQuery,
  Time,
} from '../parts.ts'
import { Money } from '../settings.ts'
import Type from '../type.ts'

export const workViews = ['MINE', 'OPEN', 'REVIEW'] as const
export type WorkView = (typeof workViews)[number]

export const WorkQuery = pageQuery({
  view: choice(workViews, {
    title: 'WorkView',
    description: 'Claimed by you and not delivered, claimed by nobody, or in review.',
  }),
  providerId: Type.Optional({ ...GivenId, description: 'Only work of this provider.' }),
  language: Type.Optional({ ...LanguageCode, description: 'Only work into this target language.' }),
})
export type WorkQuery = Static<typeof WorkQuery>

export const WorkItem = Type.Object(
  {
    providerId: Id,
    providerName: Type.String(),
    jobId: JobId,
    jobName: Type.String(),
    requestId: {
      ...Id,
      description: 'The id of the request, which is that of the asset task too.',
    },
    requestName: Type.String(),
    sourceNativeLanguageCode: EchoedCode,
    targetNativeLanguageCode: EchoedCode,
    statusCode: choice(requestStatuses),
    hasError: Type.Boolean(),
    dueDate: Type.Optional(Time),
    assignee: Type.Optional(Assignee),
    words: Type.Optional({
      ...Count,
      description: 'From the quote of the job; absent if it has none.',
    }),
    matches: Type.Optional(
      Type.Array(Type.Object({ band: Type.String(), words: Count }), {
        description: 'The same words by how well the translation memory knows them.',
      }),
    ),
    price: Type.Optional(
      Type.Object(
        { amount: Money, currency: Type.String() },
        { description: 'From the quote of the job; for those who may see prices.' },
      ),
    ),
    segments: Type.Optional(
      Type.Object(
        { count: Count, open: Count },
        {
          description:
            'As the quote counted them. Open are those without a target that is TRANSLATED.',
        },
      ),
    ),
    rejectNote: Type.Optional(Type.String({ description: 'Why the last delivery was rejected.' })),
  },
  { title: 'WorkItem' },
)
export type WorkItem = Static<typeof WorkItem>

export const SegmentMatchesQuery = pageQuery({})
export type SegmentMatchesQuery = Static<typeof SegmentMatchesQuery>

export const SegmentMatch = Type.Object(
  {
    segmentId: Id,
    position: Type.Integer({
      minimum: 1,
      description: 'The place of the segment in the content, from 1.',
    }),
    percent: Type.Integer({
      minimum: 0,
      maximum: 100,
      description: 'Of the best match in the memory, measured as for a quote; 0 if there is none.',
    }),
  },
  { title: 'SegmentMatch' },
)
export type SegmentMatch = Static<typeof SegmentMatch>

export const WorkPeopleQuery = Type.Object({
  providerId: { ...GivenId, description: 'Whose work is shared out.' },
})

export const WorkPeople = Type.Object(
  {
    people: Type.Array(
      Type.Object({
        personId: Id,
        name: Type.String(),
        languages: Type.Optional(
          Type.Array(Type.String(), {
            description: 'The target languages of the person; absent: all.',
          }),
        ),
        tasks: {
          ...Count,
          description: 'What the person has claimed and not delivered, as far as you see it.',
        },
        words: {
          ...Count,
          description: 'The words of these tasks, as far as their jobs have a quote.',
        },
      }),
    ),
  },
  { title: 'WorkPeople' },
)
export type WorkPeople = Static<typeof WorkPeople>
