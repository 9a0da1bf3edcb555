/** What needs a person's attention (contract, section 12). */
import type { Static } from 'typebox'
import { findingRuleNames } from '../../finding-rules.ts'
import { choice, GivenSiteId, mapOf, pageQuery } from '../parts.ts'
import Type from '../type.ts'

export const RuleName = choice(findingRuleNames, { title: 'FindingRule' })
export const SeverityName = choice(['error', 'warning'], { title: 'Severity' })
const FindingId = Type.String({ description: 'Stays the same for the same rule and thing.' })

export const findingPath = Type.Object({
  findingId: Type.String({ pattern: '^[A-Za-z0-9_.-]{1,300}$' }),
})

export const FindingsQuery = pageQuery({
  rule: Type.Optional(Type.Array(RuleName)),
  severity: Type.Optional(SeverityName),
  siteId: Type.Optional(GivenSiteId),
})

export const Finding = Type.Object(
  {
    findingId: FindingId,
    rule: RuleName,
    severity: SeverityName,
    siteId: Type.Optional(Type.String({ description: 'Absent if it concerns the whole hub.' })),
    thing: Type.String({
      description: 'The kind of thing it is about: task, listener, job, node, …',
    }),
    thingId: Type.String(),
    since: Type.String({
      format: 'date-time',
      description: 'When it began, as far as the hub knows; otherwise when it looked.',
    }),
    sentence: Type.String(),
    facts: mapOf(Type.Union([Type.String(), Type.Number()]), {
      description:
        'The facts in the sentence, by name, for programs that write their own sentences. Times are in UTC.',
    }),
    names: Type.Optional(
      mapOf(Type.String(), {
        description:
          'The names of the things whose ids are in `facts`, under the same keys. The name of a listener is its URL.',
      }),
    ),
    advice: Type.String({ description: 'What a person can do.' }),
    remedy: Type.Optional(
      Type.Object(
        { name: Type.String(), says: Type.String() },
        { description: 'What POST /findings/{findingId}/remedy does.' },
      ),
    ),
    more: Type.Optional(
      Type.Integer({
        minimum: 1,
        description:
          'The number of further findings of the rule that this item represents; they are not listed.',
      }),
    ),
  },
  { title: 'Finding' },
)
export type Finding = Static<typeof Finding>

export const Remedied = Type.Object(
  {
    findingId: FindingId,
    remedy: Type.String(),
    done: Type.String({ description: 'What the hub did.' }),
  },
  { title: 'Remedied' },
)
export type Remedied = Static<typeof Remedied>
