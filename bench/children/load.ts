/** The load generator, in its own process. */
import { answer } from '../child.ts'
import { type Load, makeCalls } from '../load.ts'

const verbs = { calls: (load: Load) => makeCalls(load) }
export type LoadVerbs = typeof verbs
answer(verbs)
