/**
 * The console's search results, and its counts of jobs and of what needs attention (contract,
 * section 12).
 */
import type { Static } from 'typebox'
import { jobStatuses } from '../../lifecycle.ts'
import { limits } from '../../limits.ts'
import { RuleName, SeverityName } from '../operating/finding.ts'
import { choice, storable } from '../parts.ts'
import Type from '../type.ts'

export const thingKinds = [
  'job',
  'request',
  'file',
  'asset',
  'tmupdate',
  'update',
  'delivery',
  'listener',
  'provider',
  'call',
  'task',
  'client',
  'person',
] as const
export type ThingKind = (typeof thingKinds)[number]

export const FindQuery = Type.Object({
  q: Type.String({
    minLength: 1,
    maxLength: limits.findCharacters,
    pattern: storable,
    description: 'A whole id, or words of a name, a reference or a label.',
  }),
})

export const FoundThing = Type.Object(
  {
    kind: choice(thingKinds, { title: 'ThingKind' }),
    id: Type.String(),
    title: Type.String({ description: 'Its name, or what tells it apart.' }),
    jobId: Type.Optional(Type.String({ description: 'The job that it belongs to.' })),
    statusCode: Type.Optional(Type.String({ description: 'The status of a job or a request.' })),
    by: choice(['id', 'name', 'reference', 'label', 'address'], {
      description: 'What of it matched.',
    }),
    matched: Type.Optional(
      Type.String({ description: 'The reference or the label that matched.' }),
    ),
  },
  { title: 'FoundThing' },
)
export type FoundThing = Static<typeof FoundThing>

const Counted = Type.Integer({ minimum: 0, maximum: limits.countedRows })
const AtLeast = Type.Array(Type.String(), {
  description: `The names of the numbers that may be larger: counting stops at ${limits.countedRows}.`,
})

export const JobCountsQuery = Type.Object({
  filter: Type.Optional(Type.String({ description: 'As for GET /jobs.' })),
})

export const JobCounts = Type.Object(
  {
    states: Type.Object(
      Object.fromEntries(jobStatuses.map((status) => [status, Counted])) as {
        [S in (typeof jobStatuses)[number]]: typeof Counted
      },
    ),
    late: { ...Counted, description: 'Open and past the due date.' },
    dueSoon: { ...Counted, description: 'Open and due within three days.' },
    withErrors: Counted,
    inReview: { ...Counted, description: 'In translation, with a request that waits for review.' },
    atLeast: AtLeast,
  },
  { title: 'JobCounts' },
)
export type JobCounts = Static<typeof JobCounts>

const Some = Type.Optional(Counted)
export const OpenCounts = Type.Object(
  {
    openJobs: { ...Some, description: 'Neither completed nor cancelled nor archived.' },
    failingDeliveries: { ...Some, description: 'Parked, or waiting after a failed attempt.' },
    findings: Some,
    findingRules: Type.Optional(
      Type.Array(
        Type.Object(
          { rule: RuleName, severity: SeverityName, count: Type.Integer({ minimum: 1 }) },
          { title: 'RuleCount' },
        ),
        {
          description: 'The rules that have findings, errors first; together they have `findings`.',
        },
      ),
    ),
    work: {
      ...Some,
      description: 'Claimed by you and not delivered and, for a reviewer, what waits for review.',
    },
    atLeast: AtLeast,
  },
  {
    title: 'OpenCounts',
    description: 'A number is absent if the caller may not list what it counts.',
  },
)
export type OpenCounts = Static<typeof OpenCounts>
