/**
 * Segments of an asset task: what a translator, a reviewer or a tool works on (contract, section
 * 13).
 */
import type { Static } from 'typebox'
import { limits } from '../../limits.ts'
import { Count, choice, GivenId, Id, pageQuery, Time, text, title } from '../parts.ts'
import Type from '../type.ts'
import { CheckFinding, GivenCheckName } from './check.ts'
import { MaxLength, TextParts, TextTag } from './texts.ts'

export const segmentStates = ['NEW', 'DRAFT', 'TRANSLATED', 'APPROVED', 'REJECTED'] as const
export const SegmentState = choice(segmentStates, { title: 'SegmentState' })
export type SegmentState = Static<typeof SegmentState>

export const verdicts = ['OK', 'WRONG'] as const
export const reviewTypes = [
  'TERMINOLOGY',
  'ACCURACY',
  'LANGUAGE',
  'STYLE',
  'LOCALE',
  'DESIGN',
  'OTHER',
] as const
export const reviewSeverities = ['NEUTRAL', 'MINOR', 'MAJOR', 'CRITICAL'] as const

/** Why a machine translation may be wrong. */
export const riskReasons = [
  'SAME_AS_SOURCE',
  'NUMBERS',
  'LENGTH',
  'LANGUAGE',
  'UNKNOWN_WORDS',
  'TERMS',
  'ASKED_AGAIN',
  'IN_PIECES',
] as const
/** What a risk rests on. */
export const riskBases = ['SHIPPED', 'LEARNED', 'SIGNS'] as const
export type RiskBasis = (typeof riskBases)[number]
export const GivenRiskBasis = choice(riskBases, {
  title: 'RiskBasis',
  description:
    'What the risk rests on. SHIPPED: the model that comes with the hub. LEARNED: that model and the verdicts of this site. SIGNS: signs of trouble only.',
})
export type RiskReason = (typeof riskReasons)[number]

const review = {
  verdict: choice(verdicts, { title: 'Verdict' }),
  note: Type.Optional(text(limits.noteBytes)),
  type: Type.Optional(choice(reviewTypes, { title: 'ReviewType' })),
  severity: Type.Optional(choice(reviewSeverities, { title: 'ReviewSeverity' })),
}
export const SegmentReview = Type.Object(
  {
    ...review,
    version: Type.Optional(
      Type.Integer({
        minimum: 0,
        description:
          'The version of the segment that you have seen. With another one the verdict is refused: it belongs to the delivery that it was given for.',
      }),
    ),
  },
  { title: 'SegmentReview' },
)
export type SegmentReview = Static<typeof SegmentReview>

/** A finding that stays, and why. */
const keptCheck = {
  check: GivenCheckName,
  reason: title(limits.shortTextBytes),
}
export const KeptCheck = Type.Object(keptCheck, { title: 'KeptCheck' })
export type KeptCheck = Static<typeof KeptCheck>

export const SegmentDelivery = Type.Object(
  {
    kept: Type.Optional(
      Type.Array(Type.Object({ segmentId: GivenId, ...keptCheck }, { title: 'KeptFinding' }), {
        maxItems: limits.segmentsPerCall,
        description:
          'Findings of blocking checks to keep, each with a reason, which the reviewer sees.',
      }),
    ),
  },
  { title: 'SegmentDelivery' },
)
export type SegmentDelivery = Static<typeof SegmentDelivery>

const segment = {
  segmentId: GivenId,
  position: Type.Integer({ minimum: 1, description: 'Its position in the content, from 1.' }),
  key: Type.Optional(
    Type.String({ description: 'Its name in the file or content, where it has one.' }),
  ),
  source: TextParts,
  tags: Type.Array(TextTag, {
    description: 'What the tag numbers of source and target stand for.',
  }),
  target: Type.Optional(TextParts),
  state: SegmentState,
  version: Type.Integer({
    minimum: 0,
    description: 'Counts the changes; 0 if nobody has changed it.',
  }),
  origin: Type.Optional(
    choice(['FILE', 'DELIVERY', 'PERSON', 'CLIENT', 'MACHINE', 'MEMORY'], {
      title: 'SegmentOrigin',
      description:
        'Where the target comes from: the source file, an earlier delivery, a person, a client, a translation engine, or the memory in place of an engine.',
    }),
  ),
  filled: Type.Optional(
    Type.Object(
      {
        from: choice(['MEMORY', 'REPEATS', 'ENGINE'], { title: 'FilledFrom' }),
        percent: Type.Optional(
          Type.Integer({ minimum: 0, maximum: 100, description: 'Of a match of the memory.' }),
        ),
        adapted: Type.Optional(
          Type.Boolean({
            description: 'Numbers, placeholders or tags of the match were replaced.',
          }),
        ),
      },
      {
        title: 'FilledTarget',
        description: 'The hub filled the target in, and nobody has written it since.',
      },
    ),
  ),
  engine: Type.Optional(
    Type.Object(
      {
        providerId: Id,
        name: Type.String({ description: 'The name of the engine, such as Apertium.' }),
      },
      {
        title: 'SegmentEngine',
        description: 'With the origin MACHINE: the provider and its engine.',
      },
    ),
  ),
  risk: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 100,
      description:
        'For a machine translation, from 0 to 100: how likely a reviewer is to find a major error; with the riskBasis SIGNS, signs of trouble only.',
    }),
  ),
  riskBasis: Type.Optional(GivenRiskBasis),
  riskVerdicts: Type.Optional(
    Type.Integer({ description: 'How many verdicts of this site the risk has learned from.' }),
  ),
  riskReasons: Type.Optional(
    Type.Array(choice(riskReasons, { title: 'RiskReason' }), {
      description: 'Signs of trouble; the risk is never below their sum.',
    }),
  ),
  openReason: Type.Optional(
    Type.String({
      description: 'Why the engines of a chain left the segment to people, as a sentence.',
    }),
  ),
  percent: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 100,
      description:
        'For a finished target that equals the best fuzzy match in the memory: how similar the sources are, in per cent.',
    }),
  ),
  notes: Type.Optional(
    Type.Array(Type.String(), { description: 'Notes to translators from the file.' }),
  ),
  maxLength: Type.Optional(MaxLength),
  checks: Type.Array(CheckFinding, { description: 'What the checks find in the target.' }),
  kept: Type.Optional(
    Type.Array(KeptCheck, { description: 'Findings that the translator keeps, and why.' }),
  ),
  changedBy: Type.Optional(
    Type.String({ description: 'The person or client that changed the target last.' }),
  ),
  changedByName: Type.Optional(
    Type.String({
      description:
        'In a list: the name of that person. Absent for a client, and if the person is gone.',
    }),
  ),
  changedTime: Type.Optional(Time),
  review: Type.Optional(Type.Object(review, { title: 'SegmentVerdict' })),
  comments: Type.Optional(
    Type.Array(Id, {
      description:
        'Comments and questions at the segment, by their ids, and answered questions about the same source.',
    }),
  ),
  before: Type.Optional(
    Type.Object(
      { source: TextParts, target: Type.Optional(TextParts) },
      {
        title: 'TextBefore',
        description:
          'For a changed segment of a request that supersedes another one: its source and target there.',
      },
    ),
  ),
}

export const Segment = Type.Object(
  {
    ...segment,
    corrected: Type.Optional(
      Type.Object(
        {
          target: TextParts,
          by: Type.String({ description: 'The name of the reviewer, or the client.' }),
        },
        {
          title: 'Correction',
          description: 'What a reviewer wrote in place of the delivered target.',
        },
      ),
    ),
    replaced: Type.Optional(
      Type.Object(
        {
          target: TextParts,
          changedBy: Type.String({ description: 'The person or client that had written it.' }),
          changedTime: { ...Time, description: 'When it had been written.' },
        },
        {
          title: 'ReplacedTarget',
          description:
            'A target that was never delivered, because a translation came as a whole. The hub does not deliver it again by itself.',
        },
      ),
    ),
  },
  { title: 'Segment' },
)
export type Segment = Static<typeof Segment>

export const ReviewedSegment = Type.Object(
  {
    ...segment,
    correction: Type.Optional(TextParts),
    previous: Type.Optional(
      Type.Object(
        {
          ...review,
          target: Type.Optional(TextParts),
          verdict: Type.Optional(review.verdict),
        },
        {
          title: 'PreviousDelivery',
          description: 'The target of the delivery before, and the verdict that it was given.',
        },
      ),
    ),
  },
  { title: 'ReviewedSegment' },
)
export type ReviewedSegment = Static<typeof ReviewedSegment>

export const SegmentsQuery = pageQuery({
  state: Type.Optional(Type.Array(SegmentState)),
  check: Type.Optional(
    Type.Array(GivenCheckName, { description: 'Only segments with a finding of these checks.' }),
  ),
  text: Type.Optional(
    text(limits.shortTextBytes, {
      description: 'Only segments that contain this in their source, target or key, ignoring case.',
    }),
  ),
  risk: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 100,
      description:
        'Only segments that the engines left open, and machine translations that nobody has changed and whose risk is at least this.',
    }),
  ),
  sort: Type.Optional(
    choice(['POSITION', 'RISK'], {
      description:
        'POSITION (default): in the order of the content. RISK: segments that the engines left open, then the others, highest risk first.',
    }),
  ),
})
export type SegmentsQuery = Static<typeof SegmentsQuery>

const change = {
  target: TextParts,
  state: choice(['DRAFT', 'TRANSLATED'], { description: 'TRANSLATED: ready to be delivered.' }),
  version: Type.Integer({ minimum: 0, description: 'The version that you have seen.' }),
  kept: Type.Optional(
    Type.Array(KeptCheck, {
      maxItems: 50,
      description: 'Findings to keep, each with a reason. Replaces the earlier ones.',
    }),
  ),
}
export const SegmentChange = Type.Object(change, { title: 'SegmentChange' })
export type SegmentChange = Static<typeof SegmentChange>

export const SegmentCorrection = Type.Object(
  { target: change.target, version: change.version },
  { title: 'SegmentCorrection' },
)
export type SegmentCorrection = Static<typeof SegmentCorrection>

export const SegmentChanges = Type.Object(
  {
    segments: Type.Array(Type.Object({ segmentId: GivenId, ...change }), {
      minItems: 1,
      maxItems: limits.segmentsPerCall,
    }),
  },
  { title: 'SegmentChanges' },
)
export type SegmentChanges = Static<typeof SegmentChanges>

/** Where the hub takes targets from before people begin. */
export const fillSources = ['MEMORY', 'REPEATS', 'ENGINE'] as const
export type FillSource = (typeof fillSources)[number]
export const GivenFillSource = choice(fillSources, {
  title: 'FillSource',
  description:
    'MEMORY: matches of the translation memory. REPEATS: finished translations of the same text in the same content. ENGINE: a machine translation.',
})
export const fillOptions = {
  from: Type.Array(GivenFillSource, {
    minItems: 1,
    maxItems: fillSources.length,
    description: 'Where targets come from: for each segment the first of these that has one.',
  }),
  minimum: Type.Optional(
    Type.Integer({
      minimum: 75,
      maximum: 100,
      description: 'The weakest match of the memory to take, in per cent; 100 by default.',
    }),
  ),
  confirm: Type.Optional(
    Type.Boolean({
      description:
        'Make matches of 100 % and repetitions TRANSLATED; all others stay DRAFT. false by default.',
    }),
  ),
}
const engine = Type.Optional({
  ...GivenId,
  description: 'With ENGINE: the machine translation provider that makes the drafts.',
})
export const Fill = Type.Object({ ...fillOptions, providerId: engine }, { title: 'Fill' })
export type Fill = Static<typeof Fill>

export const FillQuery = Type.Object({
  dryRun: Type.Optional(
    Type.Boolean({
      description: 'Write nothing and ask no engine: only count what would be filled.',
    }),
  ),
})
export type FillQuery = Static<typeof FillQuery>

export const Filling = Type.Object(
  {
    filled: { ...Count, description: 'Segments that got a target.' },
    confirmed: { ...Count, description: 'Segments that were made TRANSLATED.' },
    left: { ...Count, description: 'Segments that still have no target.' },
    by: Type.Object(
      { memory: Count, repeats: Count, engine: Count },
      {
        title: 'FillingBy',
        description:
          'The filled segments by where their targets come from. With dryRun, `engine` counts the segments that an engine would be asked for.',
      },
    ),
    because: Type.Optional(
      Type.String({ description: 'Why the engine left segments without a target, as a sentence.' }),
    ),
  },
  { title: 'Filling' },
)
export type Filling = Static<typeof Filling>

export const Claim = Type.Object(
  {
    personId: Type.Optional({
      ...GivenId,
      description: 'The person to claim it for; by default the caller.',
    }),
  },
  { title: 'Claim' },
)
export type Claim = Static<typeof Claim>

export const Assignee = Type.Object(
  {
    personId: Id,
    name: Type.Optional(Type.String({ description: 'Absent if the person is gone.' })),
  },
  { title: 'Assignee' },
)
export type Assignee = Static<typeof Assignee>
