/** The key under which texts that differ in case alone are one. Made here, not in SQL: the engines fold case differently. */
import { compose } from '../../compose.ts'

export const withoutCase = (text: string): string => compose(text).toLowerCase()
