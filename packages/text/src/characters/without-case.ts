/**
 * A key that ignores case. Computed here and not in SQL, because the engines fold case differently.
 */
import { compose } from './compose.ts'

export const withoutCase = (text: string): string => compose(text).toLowerCase()
