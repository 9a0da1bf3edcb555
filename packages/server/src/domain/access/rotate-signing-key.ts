/**
 * A new signing key now, by an operator; the old ones go on verifying their tokens, or are revoked
 * with them.
 */
import { formatTime, type RotatedKey } from '@dragoman/contract'
import type { Hub } from '../../hub.ts'
import { recordActs } from './audit/record-acts.ts'
import { actorOf, type Call } from './caller.ts'
import * as rows from './key-rows.ts'
import { once } from './once.ts'
import { keyName, knowRevoked, revoke } from './revocations.ts'
import { newKey, renewRing } from './signing-keys.ts'

/** No token lives longer than a day; another day, because the clocks of nodes differ. */
const rememberedMs = 2 * 86_400_000

export async function rotateSigningKey(
  hub: Hub,
  call: Call,
  { revoke: revokesOld = false }: { readonly revoke?: boolean } = {},
): Promise<RotatedKey> {
  const key = await newKey(hub)
  const until = hub.clock.now() + rememberedMs
  const revoked: string[] = []
  const answer = await once(hub, call, async (tx) => {
    revoked.length = 0
    if (revokesOld) revoked.push(...(await rows.deleteAllKeys(tx)))
    else await rows.retireKeys(tx, hub.clock.now())
    for (const kid of revoked) await revoke(hub, tx, keyName(kid), until)
    await rows.insertKey(tx, key)
    await recordActs(hub, tx, actorOf(call), [
      { thing: 'signing key', verb: 'made', id: key.kid },
      ...revoked.map((id) => ({ thing: 'signing key', verb: 'revoked', id }) as const),
    ])
    return { keyId: key.kid, createdDate: formatTime(key.created_at), revokedKeys: revoked.length }
  })
  for (const kid of revoked) knowRevoked(hub, keyName(kid), until)
  await renewRing(hub)
  return answer
}
