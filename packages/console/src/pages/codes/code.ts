/** What the parts of the page share about a code and its level. */
import type { CallAnswer } from '../../hub.ts'

export type Level = CallAnswer<'listAnalysisCodes'>['levels'][number]
export type Code = Level['codes'][number]
