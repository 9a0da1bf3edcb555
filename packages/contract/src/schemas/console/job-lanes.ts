/**
 * The states of a job's requests over time, by target language, and what they wait for now, for the
 * console.
 */
import type { Static } from 'typebox'
import { requestStatuses } from '../../lifecycle.ts'
import { Count, choice, EchoedCode, Time } from '../parts.ts'
import { LastTry } from '../request.ts'
import Type from '../type.ts'

export const JobLane = Type.Object(
  {
    language: EchoedCode,
    requests: Count,
    segments: Type.Array(
      Type.Object({
        time: { ...Time, description: 'Since when.' },
        statusCode: choice(requestStatuses),
      }),
      {
        description:
          'The state of most requests; rejected as soon as one of them is. Oldest first.',
      },
    ),
  },
  { title: 'JobLane' },
)
export type JobLane = Static<typeof JobLane>
export const JobLanes = Type.Object(
  {
    lanes: Type.Array(JobLane),
    states: Type.Array(
      Type.Object({
        statusCode: choice(requestStatuses),
        requests: Count,
        since: { ...Time, description: 'When the first of them came into this state.' },
        latest: { ...Time, description: 'When the last of them came into this state.' },
      }),
      { description: 'The states that requests are in now, and since when.' },
    ),
    lastTry: Type.Optional(LastTry),
  },
  { title: 'JobLanes' },
)
export type JobLanes = Static<typeof JobLanes>
