/** The quotas of the caller (contract, section 4). */
import type { Static } from 'typebox'
import { quotaNames } from '../limits.ts'
import { Count, choice } from './parts.ts'
import Type from './type.ts'

export const QuotaList = Type.Object(
  {
    quotas: Type.Array(
      Type.Object({
        name: choice(quotaNames),
        value: Count,
        used: Type.Optional(
          Type.Integer({ minimum: 0, description: 'Only for quotas that are counted per site.' }),
        ),
      }),
    ),
  },
  { title: 'Quotas' },
)
export type QuotaList = Static<typeof QuotaList>
