/** Rules that choose the provider of a job (contract, section 14). */
import type { Static } from 'typebox'
import { limits } from '../limits.ts'
import { TermLanguage } from './desk/term.ts'
import { Count, GivenId, JobId, Metadata, name, title } from './parts.ts'
import Type from './type.ts'

const Version = Type.Integer({
  minimum: 0,
  maximum: Number.MAX_SAFE_INTEGER,
  description: 'The version of the rules: 0 before any were saved, one higher with every change.',
})
const Percent = Type.Number({
  minimum: 0,
  maximum: 100,
  description: 'The smallest share, in per cent.',
})
const Label = name(limits.labelBytes)

const RouteLanguages = Type.Union(
  [TermLanguage, Type.Array(TermLanguage, { minItems: 1, maxItems: limits.routeChoices })],
  {
    title: 'RouteLanguages',
    description: 'A language code or a list of them; one without a region stands for all regions.',
  },
)
const RouteLabels = Type.Union(
  [Label, Type.Array(Label, { minItems: 1, maxItems: limits.routeChoices })],
  {
    title: 'RouteLabels',
    description:
      'A label or a list of them, one of which the job must have. A named label is written as name or name=value.',
  },
)

export const RouteCondition = Type.Object(
  {
    source: Type.Optional(RouteLanguages),
    target: Type.Optional(RouteLanguages),
    labels: Type.Optional(RouteLabels),
    words: Type.Optional(
      Type.Object(
        {
          min: Type.Optional({ ...Count, description: 'The smallest number of words.' }),
          max: Type.Optional({ ...Count, description: 'The largest number of words.' }),
        },
        {
          title: 'RouteWords',
          additionalProperties: false,
          description: 'Source words of the job: each content once, not once per language.',
        },
      ),
    ),
    band: Type.Optional(
      Type.Object(
        { name: name(100), min: Percent },
        {
          title: 'RouteBand',
          additionalProperties: false,
          description:
            'The share of words that must at least be in a band of GET /jobs/{jobId}/words, in per cent, in every language.',
        },
      ),
    ),
    extendedMetadata: Type.Optional(Metadata),
  },
  {
    title: 'RouteCondition',
    // A misspelt condition would make the rule fit every job.
    additionalProperties: false,
    description:
      'A rule matches if all of its conditions match. Without conditions it always matches.',
  },
)
export type RouteCondition = Static<typeof RouteCondition>

export const RoutingRule = Type.Object(
  {
    name: title(limits.shortTextBytes),
    when: Type.Optional(RouteCondition),
    providerId: GivenId,
  },
  { title: 'RoutingRule' },
)
export type RoutingRule = Static<typeof RoutingRule>

export const Routing = Type.Object(
  {
    version: Version,
    rules: Type.Array(RoutingRule, {
      maxItems: limits.routingRules,
      description: 'In order: the first rule that matches takes the job.',
    }),
  },
  { title: 'Routing' },
)
export type Routing = Static<typeof Routing>

export const RoutingQuestion = Type.Object(
  {
    jobId: Type.Optional(JobId),
    source: Type.Optional(TermLanguage),
    targets: Type.Optional(
      Type.Array(TermLanguage, { minItems: 1, maxItems: limits.targetLanguages }),
    ),
    labels: Type.Optional(Type.Array(Label, { maxItems: limits.labels })),
    words: Type.Optional(Count),
  },
  {
    title: 'RoutingQuestion',
    description: 'A job, or what a job would have: its languages, labels and words.',
  },
)
export type RoutingQuestion = Static<typeof RoutingQuestion>

export const RoutedBy = Type.Object(
  { rule: Type.String(), version: Version },
  {
    title: 'RoutedBy',
    description: 'The rule that chose the provider, and the version of the rules.',
  },
)
export type RoutedBy = Static<typeof RoutedBy>

export const RoutingAnswer = Type.Object(
  {
    providerId: Type.Optional(
      Type.String({ description: 'The provider of the rule that matches. Absent if none does.' }),
    ),
    rule: Type.Optional(Type.String()),
    version: Version,
    rejected: Type.Array(
      Type.Object(
        {
          rule: Type.String(),
          because: Type.String({ description: 'Why it does not take the job.' }),
        },
        { title: 'RejectedRule' },
      ),
      {
        description: 'Every other rule, with the reason why it does not take the job.',
      },
    ),
  },
  { title: 'RoutingAnswer' },
)
export type RoutingAnswer = Static<typeof RoutingAnswer>
