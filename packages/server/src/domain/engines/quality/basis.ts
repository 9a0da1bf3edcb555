/** What a risk rests on. */
import type { RiskBasis } from '@dragoman/contract'

export type Basis = { readonly basis: RiskBasis; readonly verdicts: number }

export const signsOnly: Basis = { basis: 'SIGNS', verdicts: 0 }
