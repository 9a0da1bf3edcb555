/**
 * Checks of translations (contract, section 13): the table, what a site asks for, and the findings
 * in a text.
 */
import type { Static } from 'typebox'
import {
  checkNames,
  checkSettings,
  checkSeverities,
  type CheckName as Name,
  type CheckSetting as Setting,
} from '../../checks.ts'
import { limits } from '../../limits.ts'
import { choice, LanguageCode, mapOf } from '../parts.ts'
import Type from '../type.ts'
import { GivenText, MaxLength, TextParts, TextTag } from './texts.ts'

export const GivenCheckName = choice(checkNames as [Name, ...Name[]], {
  title: 'CheckName',
  description: 'The name of the check.',
})

export const Check = Type.Object(
  {
    check: GivenCheckName,
    severity: choice(checkSettings, {
      title: 'CheckSetting',
      description:
        'On this site. BLOCKING: a delivery of segments or of a package is refused. WARNING: the finding is reported. OFF: the check does not run.',
    }),
    finds: Type.String({ description: 'What it finds.' }),
    remedy: Type.String({ description: 'What a person does about it.' }),
    fix: Type.Boolean({ description: 'Whether a finding may include the fixed translation.' }),
  },
  { title: 'Check' },
)
export type Check = Static<typeof Check>

export const CheckedText = Type.Object(
  {
    sourceNativeLanguageCode: LanguageCode,
    targetNativeLanguageCode: LanguageCode,
    source: {
      ...GivenText(limits.inlineBytes),
      description: 'The text, as parts or as a string with its codes as in the file.',
    },
    tags: Type.Optional(
      Type.Array(TextTag, {
        maxItems: limits.textParts,
        description:
          'What each tag of the source is. Absent: the tags of parts are placeholders, and the codes of a string are found in it.',
      }),
    ),
    target: {
      ...GivenText(limits.inlineBytes),
      description: 'Its translation, as parts or as a string with the codes of the source.',
    },
    maxLength: Type.Optional(MaxLength),
  },
  { title: 'CheckedText' },
)
export type CheckedText = Static<typeof CheckedText>

/** What a sentence about a finding says, by name. */
const CheckFact = mapOf(Type.Union([Type.String(), Type.Number(), Type.Array(Type.String())]), {
  title: 'CheckFact',
})
export type CheckFact = Static<typeof CheckFact>
export const CheckFacts = Type.Array(CheckFact, {
  description:
    'The facts in `message`, for programs that write their own sentences: one entry for each sentence. `says` names the sentence, the other members are its values; GET /docs/checks lists both.',
})

export const CheckFinding = Type.Object(
  {
    check: GivenCheckName,
    severity: choice(checkSeverities, {
      title: 'CheckSeverity',
      description: 'How severe a finding of this check is on this site.',
    }),
    message: Type.String({ description: 'What was found, in a sentence.' }),
    facts: Type.Optional(CheckFacts),
    fix: Type.Optional(TextParts),
  },
  { title: 'CheckFinding' },
)
export type CheckFinding = Static<typeof CheckFinding>

export const CheckFindings = Type.Object(
  {
    checks: Type.Array(CheckFinding, {
      description:
        'At most one finding of each check, in the order of the table. Empty: nothing was found.',
    }),
  },
  { title: 'CheckFindings' },
)
export type CheckFindings = Static<typeof CheckFindings>

export const CheckSettings = Type.Unsafe<Record<string, Setting>>(
  Type.Object(
    {},
    {
      title: 'CheckSettings',
      description:
        'The severity that the site uses instead of the default, by the name of the check.',
      additionalProperties: choice(checkSettings),
    },
  ),
)
export type CheckSettings = Static<typeof CheckSettings>
