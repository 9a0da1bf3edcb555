/**
 * The quote of a job: words and money, the same cents for the same inputs (contract, sections 9 and
 * 11).
 */
import type { Static } from 'typebox'
import { Count, choice, EchoedCode, Id, JobId } from './parts.ts'
import { Money, units } from './settings.ts'
import Type from './type.ts'

export const QuoteBand = Type.Object(
  {
    name: Type.String(),
    segments: Count,
    words: {
      ...Count,
      description:
        'Words; each ideograph and each base character of Thai, Lao, Khmer and Burmese counts as one.',
    },
    characters: { ...Count, description: 'Without whitespace.' },
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
    numbers: { ...Count, description: 'Words with digits and no letters.' },
    placeholders: Count,
    tags: Count,
  },
  { title: 'QuoteCounts', description: 'All counts for the content of the request.' },
)
export const QuoteLine = Type.Object(
  {
    requestId: Id,
    format: Type.Optional(
      Type.String({
        description: 'The format in which the file was read; absent for key-value content.',
      }),
    ),
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
      { description: 'The price list line that was used.' },
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
    complete: Type.Boolean({
      description:
        'False if some request matches no price line; such a request is not in the total.',
    }),
    warnings: Type.Optional(Type.Array(Type.String())),
    countRule: Type.String({ description: 'The rule used to count words.' }),
    matchRule: Type.String({ description: 'The rule used to find matches.' }),
    inputsHash: Type.String({
      description: 'SHA-256 of everything that affects the amounts. Ids are not included.',
    }),
  },
  { title: 'Quote' },
)
export type Quote = Static<typeof Quote>

/** What a list of jobs shows of stored quotes. */
export const JobFigures = Type.Object(
  {
    jobId: JobId,
    words: { ...Count, description: 'Of all requests together.' },
    total: Money,
    currency: Type.String(),
    complete: Type.Boolean(),
  },
  { title: 'JobFigures' },
)
export type JobFigures = Static<typeof JobFigures>

export const WordBand = Type.Object(
  {
    name: Type.String(),
    words: {
      ...Count,
      description:
        'Words; each ideograph and each base character of Thai, Lao, Khmer and Burmese counts as one.',
    },
  },
  { title: 'WordBand' },
)
export const WordLine = Type.Object(
  { requestId: Id, targetNativeLanguageCode: EchoedCode, bands: Type.Array(WordBand) },
  { title: 'WordLine' },
)
export const JobWords = Type.Object(
  {
    jobId: JobId,
    lines: Type.Array(WordLine, { description: 'One for each request that can be counted.' }),
    warnings: Type.Optional(
      Type.Array(Type.String(), {
        description: 'Requests that cannot be counted, and why; absent if there are none.',
      }),
    ),
  },
  {
    title: 'JobWords',
    description: 'The words of a job by how similar they are to the translation memory.',
  },
)
export type JobWords = Static<typeof JobWords>
