/**
 * Daily upkeep: removes expired rows and bytes without a row, and makes the next signing key before
 * it is needed.
 */
import type { Hub } from '../../../hub.ts'
import { pruneThrottle } from '../../../store/throttle-rows.ts'
import { pruneActs } from '../../access/audit/record-acts.ts'
import { forgetSecrets } from '../../access/clients.ts'
import { forgetGuesses } from '../../access/login-throttle.ts'
import { forgetOldKeys } from '../../access/once.ts'
import { forgetRevoked } from '../../access/revocations.ts'
import { rotateSigningKeys } from '../../access/signing-keys.ts'
import { sweepBlobs } from '../../files/orphans.ts'
import { removeExpiredJobs } from '../../jobs/retention.ts'
import { indexLeftUnits } from '../../language/memory/index-units.ts'
import { forgetFacts } from '../../listeners/forget-facts.ts'
import { pruneDeliveries, reviveDeliveries } from '../../listeners/resume.ts'
import { pruneUpdates } from '../../listeners/updates/updates.ts'
import { forgetLinks } from '../../people/links.ts'
import { forgetSessions } from '../../people/sessions.ts'
import { pruneCalls } from '../../views/history/record-calls.ts'

const parts: Readonly<Record<string, (hub: Hub) => Promise<unknown>>> = {
  'call log': pruneCalls,
  'audit log': pruneActs,
  'idempotency keys': forgetOldKeys,
  'guesses, secrets and revocations': (hub) =>
    hub.db.transact(async (tx) => {
      await forgetGuesses(tx, hub.clock.now())
      await forgetSecrets(tx, hub.clock.now())
      await forgetRevoked(tx, hub.clock.now())
      await forgetLinks(tx, hub.clock.now())
      await forgetSessions(hub, tx)
    }),
  'throttle rows': (hub) => pruneThrottle(hub.db, hub.clock.now() * 1000),
  'signing keys': rotateSigningKeys,
  'archived jobs': removeExpiredJobs,
  'status updates': pruneUpdates,
  deliveries: pruneDeliveries,
  'facts of deliveries': forgetFacts,
  'forgotten deliveries': reviveDeliveries,
  blobs: sweepBlobs,
  'units without an index': indexLeftUnits,
}

/** Runs every part, even if another one fails, and then throws the first failure. */
export async function sweep(hub: Hub): Promise<void> {
  const done = await Promise.allSettled(Object.values(parts).map((part) => part(hub)))
  const failures = Object.keys(parts).flatMap((name, index) => {
    const ended = done[index]
    return ended?.status === 'rejected' ? [{ name, error: ended.reason as unknown }] : []
  })
  for (const { name, error } of failures) hub.log.error({ err: error }, `the sweep failed: ${name}`)
  const [first] = failures
  if (first) throw first.error
}
