/** A short story of an attack: it returns what the attacker achieved, and must return nothing. */
import type { TestHub } from '../hub.ts'

export type BreakIn = { readonly name: string; readonly tries: (hub: TestHub) => Promise<string[]> }
