/** The quote of a job: words and money, the same cents for the same inputs (contract, sections 9 and 11). */
import type { Static } from 'typebox'
import { Count, choice, EchoedCode, Id, JobId } from './parts.ts'
import { Money, units } from './settings.ts'
import Type from './type.ts'

export const QuoteLine = Type.Object(
  {
    requestId: Id,
    targetNativeLanguageCode: EchoedCode,
    service: Type.String(),
    unit: choice(units),
    unitPrice: Money,
    bands: Type.Array(Type.Object({ name: Type.String(), words: Count, factor: Type.String(), amount: Money })),
    minimumApplied: Type.Optional(Type.Boolean()),
    amount: Money,
  },
  { title: 'QuoteLine' },
)
export const Quote = Type.Object(
  {
    jobId: JobId,
    currency: Type.String(),
    priceListId: Id,
    priceListVersion: Type.Integer({ minimum: 1 }),
    lines: Type.Array(QuoteLine),
    managementFee: Money,
    minimumFeeApplied: Type.Optional(Type.Boolean()),
    total: Money,
    complete: Type.Boolean({ description: 'False where no price fits a request, which is then not in the total.' }),
    warnings: Type.Optional(Type.Array(Type.String())),
    inputsHash: Type.String(),
  },
  { title: 'Quote' },
)
export type Quote = Static<typeof Quote>
