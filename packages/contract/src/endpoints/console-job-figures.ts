/** Calls that only the console's list of jobs makes. */
import { limits } from '../limits.ts'
import { GivenId } from '../schemas/parts.ts'
import { JobFigures } from '../schemas/quote.ts'
import Type from '../schemas/type.ts'
import { rows } from './row.ts'

const FiguresQuery = Type.Object({
  jobId: Type.Array(GivenId, {
    minItems: 1,
    maxItems: limits.pageItems,
    description: 'Repeatable.',
  }),
})

export const jobFigureEndpoints = rows({
  listJobFigures: {
    tag: 'Console',
    scope: 'content',
    call: 'GET /jobs/figures',
    says: 'Words and money of those jobs that keep the quote of their submission; others are left out',
    query: FiguresQuery,
    answers: JobFigures,
    collection: 'figures',
    paged: false,
    fails: [],
  },
})
