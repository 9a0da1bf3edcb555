/** How many calls of the log match a filter, for the page Calls. */
import type { Static } from 'typebox'
import { limits } from '../../limits.ts'
import { CallsQuery } from '../operating/operating-log.ts'
import { Count, choice } from '../parts.ts'
import Type from '../type.ts'

const { navNext: _navNext, next: _next, pageSize: _pageSize, ...filters } = CallsQuery.properties
export const CallCountsQuery = Type.Object(filters)
export type CallCountsQuery = Static<typeof CallCountsQuery>

export const CallCounts = Type.Object(
  {
    calls: { ...Count, description: 'Calls that match.' },
    failed: { ...Count, description: 'Those answered with 400 or more.' },
    codes: Type.Array(
      Type.Object({
        code: Type.Optional(Type.String({ description: 'The code of the error object.' })),
        statusCode: Type.Optional(
          Type.Integer({ description: 'The HTTP status, where there is no code.' }),
        ),
        calls: Count,
      }),
      { description: 'Failed calls by code, most first.' },
    ),
    atLeast: Type.Array(choice(['calls', 'failed']), {
      description: `The numbers that may be larger: only the newest ${limits.callsCounted} entries are counted; failed ones for each status.`,
    }),
  },
  { title: 'CallCounts' },
)
export type CallCounts = Static<typeof CallCounts>
