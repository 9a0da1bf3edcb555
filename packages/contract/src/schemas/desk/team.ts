/** Who works on what, as the people who share the work out see it (contract, section 15). */
import type { Static } from 'typebox'
import { limits } from '../../limits.ts'
import {
  Count,
  choice,
  EchoedCode,
  GivenId,
  GivenTime,
  Id,
  JobId,
  LanguageCode,
  pageQuery,
  Time,
} from '../parts.ts'
import Type from '../type.ts'
import { Assignee } from './segment.ts'

const Position = Type.Integer({ minimum: 1, maximum: limits.deskSegments })

const range = {
  from: { ...Position, description: 'The position of its first segment.' },
  to: { ...Position, description: 'The position of its last segment.' },
}
export const GivenShares = Type.Object(
  {
    shares: Type.Array(Type.Object({ personId: GivenId, ...range }, { title: 'GivenShare' }), {
      maxItems: limits.sharesPerTask,
      description:
        'The positions that each person translates, without overlap. [] ends the sharing.',
    }),
  },
  { title: 'GivenShares' },
)
export type GivenShares = Static<typeof GivenShares>

export const Share = Type.Object(
  {
    personId: Id,
    name: Type.Optional(Type.String({ description: 'Absent if the person is gone.' })),
    ...range,
    words: { ...Count, description: 'The words of these segments.' },
  },
  { title: 'Share' },
)
export type Share = Static<typeof Share>

export const HandOver = Type.Object(
  {
    personId: { ...GivenId, description: 'The person who gets the asset tasks.' },
    assetTaskIds: Type.Array(GivenId, { minItems: 1, maxItems: limits.claimsPerCall }),
  },
  { title: 'HandOver' },
)
export type HandOver = Static<typeof HandOver>

export const workStates = ['OPEN', 'RUNNING', 'REJECTED', 'DELIVERED'] as const
export type WorkState = (typeof workStates)[number]
const GivenWorkState = choice(workStates, {
  title: 'WorkState',
  description:
    'OPEN: nobody has it. RUNNING: somebody has it. REJECTED: its delivery was rejected. DELIVERED: it is in review or approved.',
})

export const TeamWorkQuery = pageQuery({
  state: Type.Optional(Type.Array(GivenWorkState)),
  personId: Type.Optional({
    ...GivenId,
    description: 'Only what this person has or has a share of.',
  }),
  language: Type.Optional(LanguageCode),
  since: Type.Optional({
    ...GivenTime,
    description:
      'Only work whose delivery, or else its claim, or else its hand-over, was at this time or later.',
  }),
  until: Type.Optional({ ...GivenTime, description: 'Only what was before this time.' }),
})
export type TeamWorkQuery = Static<typeof TeamWorkQuery>

const Progress = Type.Object(
  {
    total: Count,
    done: { ...Count, description: 'Of segments that are TRANSLATED or delivered.' },
  },
  { title: 'WorkProgress', description: 'Absent for a format without segments.' },
)

export const TeamWork = Type.Object(
  {
    jobId: JobId,
    jobName: Type.String(),
    assetTaskId: Id,
    requestName: Type.String(),
    sourceNativeLanguageCode: EchoedCode,
    targetNativeLanguageCode: EchoedCode,
    state: GivenWorkState,
    hasError: Type.Boolean(),
    assignee: Type.Optional(Assignee),
    shares: Type.Optional(
      Type.Array(Share, { description: 'Who has which part, if the text is shared out.' }),
    ),
    segments: Type.Optional(Progress),
    words: Type.Optional(Progress),
    dueDate: Type.Optional(Time),
    isLate: Type.Boolean({
      description: 'The due date passed before it was delivered, or has passed and it is not.',
    }),
    claimedTime: Type.Optional(Time),
    deliveredTime: Type.Optional({ ...Time, description: 'When its last translation came.' }),
    changedTime: Type.Optional({ ...Time, description: 'When a target was last written.' }),
  },
  { title: 'TeamWork' },
)
export type TeamWork = Static<typeof TeamWork>
