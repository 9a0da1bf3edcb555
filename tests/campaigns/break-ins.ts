/**
 * Attacks of people on a hub in the profile production: each is a short story that returns what the attacker achieved, and must
 * return nothing. `tests/break-ins.test.ts` runs all of them, and the attack campaign runs them on both engines.
 */
import { startHub } from '../hub.ts'
import type { AttackedHub } from './attacked-hub.ts'
import type { BreakIn } from './break-in.ts'
import { linkAttacks } from './link-attacks.ts'
import type { Counter } from './tally.ts'

export const breakIns: readonly BreakIn[] = [...linkAttacks]

export const breakInHub = { profile: 'production', env: { DRAGOMAN_RATE_LIMIT: 'off' } } as const

/** The same as an attack. It starts its own hub, which it can look into. */
export async function attackByPeople({ engine }: AttackedHub, _plan: unknown, tally: Counter): Promise<void> {
  const hub = await startHub({ engine, ...breakInHub })
  try {
    for (const { name, tries } of breakIns) {
      tally.round()
      for (const says of await tries(hub)) tally.found(`${name}: ${says}`)
    }
  } finally {
    await hub.close()
  }
}
