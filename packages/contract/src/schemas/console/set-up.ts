/**
 * What the pages of the console need to set up providers, prices and codes, beyond the calls of the
 * REST interface.
 */
import type { Static } from 'typebox'
import { limits } from '../../limits.ts'
import { Count, ErrorObject, freeObject, GivenId, Id } from '../parts.ts'
import { Quote } from '../quote.ts'
import Type from '../type.ts'

const { details } = ErrorObject.properties
const Faults = Type.Array(details.items, {
  description: 'Every fault with its path; empty if there is none.',
})

export const ProviderWork = Type.Object(
  {
    providers: Type.Array(
      Type.Object({
        providerId: Id,
        openJobs: Count,
        withErrors: Count,
        late: { ...Count, description: 'Open jobs whose due date has passed.' },
      }),
    ),
    isCapped: Type.Boolean({ description: 'There are more open jobs than were counted.' }),
  },
  { title: 'ProviderWork' },
)
export type ProviderWork = Static<typeof ProviderWork>

export const MetadataCheck = Type.Object(
  {
    extendedMetadataSchema: freeObject(limits.metadataSchemaBytes, limits.metadataSchemaDepth),
    extendedMetadata: Type.Optional(freeObject(limits.metadataBytes, limits.metadataDepth)),
  },
  { title: 'MetadataCheck' },
)
export const CheckedMetadata = Type.Object({ faults: Faults }, { title: 'CheckedMetadata' })

const { priceListId: _, priceListVersion: __, ...drafted } = Quote.properties
export const DraftQuote = Type.Object(drafted, {
  title: 'DraftQuote',
  description: 'A quote by a list that is not saved.',
})
export type DraftQuote = Static<typeof DraftQuote>
export const TriedPriceList = Type.Object(
  { faults: Faults, quote: Type.Optional(DraftQuote) },
  { title: 'TriedPriceList' },
)
export type TriedPriceList = Static<typeof TriedPriceList>
export const TriedJob = Type.Object({
  jobId: Type.Optional({
    ...GivenId,
    description: 'The job to price by the list. Without it, the list is only checked.',
  }),
})

export const UsedPairs = Type.Object(
  {
    pairs: Type.Array(
      Type.Object({ sourceLanguage: Type.String(), targetLanguage: Type.String(), jobs: Count }),
    ),
    jobs: { ...Count, description: 'How many of the newest jobs were looked at.' },
  },
  { title: 'UsedPairs' },
)
export type UsedPairs = Static<typeof UsedPairs>

export const CodeUse = Type.Object(
  {
    codes: Type.Array(Type.Object({ id: Id, jobs: Count }), {
      description: 'Codes that no job uses are left out.',
    }),
  },
  { title: 'CodeUse' },
)
export type CodeUse = Static<typeof CodeUse>
