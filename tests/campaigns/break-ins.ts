/**
 * Attacks on a hub in the profile production by people and by those who have its rows or backups.
 * `tests/break-ins.test.ts` runs all of them, and so does the attack campaign, on both databases.
 */
import { startForgedProvider } from '../forged-provider.ts'
import { type DatabaseKind, startHub } from '../hub.ts'
import { addressAttacks } from './address-attacks.ts'
import type { AttackedHub } from './attacked-hub.ts'
import type { BreakIn, Target } from './break-in.ts'
import { commandLineAttacks } from './command-line-attacks.ts'
import { linkAttacks } from './link-attacks.ts'
import { passkeyAttacks } from './passkey-attacks.ts'
import { providerAttacks } from './provider-attacks.ts'
import { recordAttacks } from './record-attacks.ts'
import { roleAttacks } from './role-attacks.ts'
import type { Counter } from './tally.ts'

export const breakIns: readonly BreakIn[] = [
  ...linkAttacks,
  ...addressAttacks,
  ...providerAttacks,
  ...passkeyAttacks,
  ...roleAttacks,
  ...recordAttacks,
  ...commandLineAttacks,
]

export async function openTarget(
  database: DatabaseKind,
): Promise<Target & { close(): Promise<void> }> {
  const provider = await startForgedProvider('loc=manager@main')
  const env = { ...provider.env, DRAGOMAN_RATE_LIMIT: 'off' }
  const hub = await startHub({ database, profile: 'production', env })
  const close = async () => {
    await hub.close()
    await provider.close()
  }
  return { hub, provider, close }
}

/** The same as an attack. It starts its own hub, which it can look into. */
export async function attackByPeople(
  { database }: AttackedHub,
  _plan: unknown,
  tally: Counter,
): Promise<void> {
  const target = await openTarget(database)
  try {
    for (const { name, tries } of breakIns) {
      tally.round()
      for (const says of await tries(target)) tally.found(`${name}: ${says}`)
    }
  } finally {
    await target.close()
  }
}
