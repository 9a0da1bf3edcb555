/** Review of a random sample (contract, section 18). */
import type { Static } from 'typebox'
import { choice, Id } from '../parts.ts'
import Type from '../type.ts'

export const ReviewPlanQuery = Type.Object({
  majorPerCent: Type.Optional(
    Type.Number({
      minimum: 0.1,
      maximum: 50,
      description:
        'The promise: at most so many per cent of the segments have a major error. Default: 2.',
    }),
  ),
  confidence: Type.Optional(
    Type.Number({
      minimum: 50,
      maximum: 99.9,
      description: 'How sure the proof is, in per cent. Default: 95.',
    }),
  ),
})
export type ReviewPlanQuery = Static<typeof ReviewPlanQuery>

export const reviewPlanStates = ['MORE', 'PROVED', 'FAILED'] as const

export const ReviewPlan = Type.Object(
  {
    segments: Type.Integer({
      description: 'How many segments are in review or approved: the promise is about them.',
    }),
    sample: Type.Array(
      Type.Object(
        { requestId: Id, segmentId: Type.String({ description: 'The segment.' }) },
        { title: 'SampledSegment' },
      ),
      {
        description:
          'The segments to review, in this order. It grows with each major error, and has changed after a new delivery.',
      },
    ),
    reviewed: Type.Integer({
      description: 'How many verdicts count: those from the beginning of the sample without a gap.',
    }),
    found: Type.Integer({ description: 'How many of them are a major or critical error.' }),
    state: choice(reviewPlanStates, {
      title: 'ReviewPlanState',
      description:
        'MORE: go on reviewing. PROVED: the promise is kept, as sure as you asked. FAILED: more segments have a major error than the promise allows.',
    }),
    says: Type.String({ description: 'The same as a sentence, for the customer.' }),
  },
  { title: 'ReviewPlan' },
)
export type ReviewPlan = Static<typeof ReviewPlan>
