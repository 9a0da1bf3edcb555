/** A short story of an attack: it returns what the attacker achieved, and must return nothing. */
import type { ForgedProvider } from '../forged-provider.ts'
import type { TestHub } from '../hub.ts'

export type Target = { readonly hub: TestHub; readonly provider: ForgedProvider }
export type BreakIn = {
  readonly name: string
  readonly tries: (target: Target) => Promise<string[]>
}
