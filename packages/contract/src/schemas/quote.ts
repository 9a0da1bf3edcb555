/** The quote of a job: words and money, the same cents for the same inputs (contract, sections 9 and 11). */
import type { Static } from 'typebox'
import { Count, choice, EchoedCode, Id, JobId } from './parts.ts'
import { Money, units } from './settings.ts'
import Type from './type.ts'

export const QuoteBand = Type.Object(
  {
    name: Type.String(),
    segments: Count,
    words: { ...Count, description: 'Words; an ideograph and a base character of Thai and its like count as one.' },
    characters: { ...Count, description: 'Without blanks.' },
    factor: Type.String(),
    amount: Money,
  },
  { title: 'QuoteBand' },
)
export const QuoteCounts = Type.Object(
  {
    segments: Count,
    words: Count,
    ideographs: Count,
    unspaced: { ...Count, description: 'Base characters of Thai, Lao, Khmer and Burmese.' },
    characters: Count,
    numbers: { ...Count, description: 'Those of the words that hold digits and no letter.' },
    placeholders: Count,
    tags: Count,
  },
  { title: 'QuoteCounts', description: 'All that was counted in the content of the request.' },
)
export const QuoteLine = Type.Object(
  {
    requestId: Id,
    sourceNativeLanguageCode: EchoedCode,
    targetNativeLanguageCode: EchoedCode,
    service: Type.String(),
    unit: choice(units),
    unitPrice: Money,
    priceLine: Type.Object(
      {
        sourceLanguage: Type.String(),
        targetLanguage: Type.String(),
        minimumFee: Type.Optional(Money),
        analysisCodeId: Type.Optional(Id),
      },
      { description: 'The line of the price list that was used.' },
    ),
    counts: QuoteCounts,
    bands: Type.Array(QuoteBand),
    minimumApplied: Type.Optional(Type.Boolean()),
    amount: Money,
  },
  { title: 'QuoteLine' },
)
export type QuoteLine = Static<typeof QuoteLine>
export const Quote = Type.Object(
  {
    jobId: JobId,
    currency: Type.String(),
    priceListId: Id,
    priceListVersion: Type.Integer({ minimum: 1 }),
    lines: Type.Array(QuoteLine),
    subtotal: Money,
    managementFee: Money,
    minimumFeeApplied: Type.Optional(Type.Boolean()),
    total: Money,
    complete: Type.Boolean({ description: 'False where no price fits a request, which is then not in the total.' }),
    warnings: Type.Optional(Type.Array(Type.String())),
    countRule: Type.String({ description: 'The rule by which words were counted.' }),
    matchRule: Type.String({ description: 'The rule by which matches were found.' }),
    inputsHash: Type.String({ description: 'SHA-256 of all that the amounts follow from; no id is among it.' }),
  },
  { title: 'Quote' },
)
export type Quote = Static<typeof Quote>
