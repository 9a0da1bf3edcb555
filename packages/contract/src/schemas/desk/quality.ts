/** What the risk of machine translations rests on (contract, section 18). */
import type { Static } from 'typebox'
import { LanguageCode } from '../parts.ts'
import Type from '../type.ts'
import { GivenRiskBasis } from './segment.ts'

export const QualityPair = Type.Object(
  {
    sourceNativeLanguageCode: LanguageCode,
    targetNativeLanguageCode: LanguageCode,
    basis: GivenRiskBasis,
    verdicts: Type.Integer({
      description: 'How many verdicts on machine translations of this pair the site has given.',
    }),
    agreement: Type.Optional(
      Type.Integer({
        description:
          'With LEARNED, in per cent: how often a segment that was called wrong has a higher risk than one that was not. 50 is chance. Measured on verdicts that were not learned from.',
      }),
    ),
  },
  { title: 'QualityPair' },
)
export type QualityPair = Static<typeof QualityPair>

export const QualitySettings = Type.Object(
  {
    pairs: Type.Array(QualityPair, {
      description: 'The pairs that the shipped model knows and those that the site has taught.',
    }),
  },
  { title: 'QualitySettings' },
)
export type QualitySettings = Static<typeof QualitySettings>
