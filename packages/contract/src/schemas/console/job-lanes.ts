/** The states of a job's requests over time, by target language, for the console. */
import type { Static } from 'typebox'
import { requestStatuses } from '../../lifecycle.ts'
import { Count, choice, EchoedCode, Time } from '../parts.ts'
import Type from '../type.ts'

export const JobLane = Type.Object(
  {
    language: EchoedCode,
    requests: Count,
    segments: Type.Array(
      Type.Object({ time: { ...Time, description: 'Since when.' }, statusCode: choice(requestStatuses) }),
      { description: 'The state of most requests; rejected as soon as one of them is. Oldest first.' },
    ),
  },
  { title: 'JobLane' },
)
export type JobLane = Static<typeof JobLane>
export const JobLanes = Type.Object({ lanes: Type.Array(JobLane) }, { title: 'JobLanes' })
export type JobLanes = Static<typeof JobLanes>
