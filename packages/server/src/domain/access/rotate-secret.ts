/** Gives a client a new secret; the old ones stay valid for an overlap. */
import {
  addDuration,
  type Duration,
  formatTime,
  HubError,
  type NewSecret,
  parseDuration,
} from '@dragoman/contract'
import type { Hub } from '../../hub.ts'
import type { Db } from '../../store/database.ts'
import { newId } from '../../store/ids.ts'
import type { ClientRow } from '../../store/tables.ts'
import { type Actor, commandLine, recordActs } from './audit/record-acts.ts'
import { actorOf, type Call, sightOf } from './caller.ts'
import { mustBeSecret, wrong } from './client-names.ts'
import * as rows from './client-rows.ts'
import { forgetClient } from './known-clients.ts'
import { once } from './once.ts'
import { generateSecret, hashSecret } from './secrets.ts'
import { lockSeenClient } from './seen-clients.ts'

export type Rotation = { readonly secret?: string; readonly overlap?: Duration }
const defaultOverlap: Duration = { count: 24, unit: 'h' }
/** A wrong secret is compared with each valid one, so their number is limited. */
const maxSecrets = 5

/** At the command line: any client, and a chosen secret. */
export async function rotateSecret(
  hub: Hub,
  clientId: string,
  asked: Rotation,
): Promise<{ secret: string; oldUntil: number }> {
  if (asked.secret !== undefined) mustBeSecret(asked.secret)
  const ready = await readyRotation(hub, clientId, asked)
  await hub.db.transact(async (tx) => {
    const row = await rows.lockClient(tx, clientId)
    if (!row) throw new HubError('NOT_FOUND', { what: `client ${clientId}` })
    await rotate(hub, tx, row, { ...ready, by: commandLine() })
  })
  forgetClient(hub, clientId)
  return { secret: ready.secret, oldUntil: ready.oldUntil }
}

/** By a call: a client that the caller sees; the hub makes the secret. */
export async function rotateSeenClient(
  hub: Hub,
  call: Call,
  clientId: string,
  asked: { readonly overlap?: string } = {},
): Promise<NewSecret> {
  const overlap = asked.overlap === undefined ? defaultOverlap : parseDuration(asked.overlap)
  if (!overlap)
    throw wrong(
      'overlap',
      `overlap must be a duration such as 90s, 5m, 2h or 3d, not "${asked.overlap}".`,
    )
  const ready = await readyRotation(hub, clientId, { overlap })
  const made = await once(hub, call, async (tx) => {
    const row = await lockSeenClient(tx, sightOf(call), clientId)
    await rotate(hub, tx, row, { ...ready, by: actorOf(call) })
    return { clientId, clientSecret: ready.secret, oldSecretsUntil: formatTime(ready.oldUntil) }
  })
  forgetClient(hub, clientId)
  return made
}

type Ready = { readonly secret: string; readonly hash: string; readonly oldUntil: number }

/** Hashing is slow and must not happen inside a transaction. */
async function readyRotation(hub: Hub, clientId: string, asked: Rotation): Promise<Ready> {
  const secret = asked.secret ?? generateSecret()
  const valid = await rows.secretsOf(hub.db.read, clientId)
  const beside = valid.map((one) => one.hash)
  const hash = await hashSecret(hub, secret, 'private', beside)
  return { secret, hash, oldUntil: addDuration(hub.clock.now(), asked.overlap ?? defaultOverlap) }
}

async function rotate(
  hub: Hub,
  tx: Db,
  row: ClientRow,
  rotation: Ready & { readonly by: Actor },
): Promise<void> {
  const { hash, oldUntil, by } = rotation
  const { client_id: clientId, site_id: siteId } = row
  const now = hub.clock.now()
  await rows.endSecrets(tx, clientId, oldUntil)
  await rows.deleteEndedSecrets(tx, now)
  if ((await rows.secretsOf(tx, clientId)).length >= maxSecrets)
    throw wrong(
      'overlap',
      `Client ${clientId} has ${maxSecrets} valid secrets; use an overlap of 0s to end the old ones.`,
    )
  await rows.insertSecret(tx, clientId, {
    secret_id: newId(),
    hash,
    created_at: now,
    expires_at: null,
  })
  await recordActs(hub, tx, by, [{ thing: 'client', verb: 'secret rotated', id: clientId, siteId }])
}
