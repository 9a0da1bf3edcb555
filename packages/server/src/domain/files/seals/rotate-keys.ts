/**
 * Rotates the key of a site. Only content keys are sealed again; no content is read or written.
 * Works beside running hubs. After an interruption everything stays readable, and the next rotation
 * continues with the same key.
 */
import { HubError } from '@dragoman/contract'
import type { Hub } from '../../../hub.ts'
import type { Db } from '../../../store/database.ts'
import { commandLine, recordActs } from '../../access/audit/record-acts.ts'
import { unwrap, wrap } from './content-keys.ts'
import * as rows from './seal-rows.ts'
import { newSiteKey, type OpenSiteKey, openSiteKey } from './site-keys.ts'

/** Keys per transaction. */
const batchSize = 500

export type Rotated = {
  readonly siteId: string
  /** The version of the new site key. */
  readonly version: number
  /** How many content keys were sealed again. */
  readonly keys: number
}

/** Rotates one site, or all sites that have a key. */
export async function rotateKeys(hub: Hub, siteId?: string): Promise<Rotated[]> {
  const sites = await rows.sitesWithKeys(hub.db.read)
  if (siteId !== undefined && !sites.includes(siteId))
    throw new HubError('NOT_FOUND', { what: `sealed content of site ${siteId}` })
  const rotated: Rotated[] = []
  for (const one of sites)
    if (siteId === undefined || one === siteId) rotated.push(await rotate(hub, one))
  return rotated
}

async function rotate(hub: Hub, siteId: string): Promise<Rotated> {
  const { db } = hub
  const version = await db.transact((tx) => begin(hub, tx, siteId))
  let keys = 0
  for (let last = batchSize; last === batchSize; keys += last)
    last = await db.transact(async (tx) => rewrap(tx, siteId, await openKeys(hub, tx, siteId)))
  keys += await db.transact(async (tx) => {
    const open = await openKeys(hub, tx, siteId)
    // Waits for everyone who is sealing under an old key; their keys are visible afterwards.
    await rows.deleteOlderKeys(tx, siteId, version)
    let late = 0
    for (let last = batchSize; last === batchSize; late += last)
      last = await rewrap(tx, siteId, open)
    const act = {
      thing: 'site',
      verb: 'content key rotated',
      id: siteId,
      siteId,
      is: { version },
    } as const
    await recordActs(hub, tx, commandLine(), [act])
    return late
  })
  return { siteId, version, keys }
}

/**
 * The version to seal under. An old key beside the newest means that a rotation was interrupted.
 */
async function begin(hub: Hub, tx: Db, siteId: string): Promise<number> {
  const [newest, older] = await rows.lockSiteKeys(tx, siteId)
  const now = newest?.version ?? 0
  if (older) return now
  await rows.insertSiteKey(tx, newSiteKey(hub, siteId, now + 1))
  return now + 1
}

/** The newest key comes first. */
const openKeys = async (hub: Hub, tx: Db, siteId: string): Promise<OpenSiteKey[]> =>
  (await rows.lockSiteKeys(tx, siteId)).map((key) => openSiteKey(hub, key))

async function rewrap(tx: Db, siteId: string, keys: readonly OpenSiteKey[]): Promise<number> {
  const [newest] = keys
  if (!newest) return 0
  const older = await rows.selectOlder(tx, siteId, newest.version, batchSize)
  const sealed = older.map((row) => {
    const key = keys.find(({ version }) => version === row.site_key)
    if (!key)
      throw new Error(`The key of ${row.key_of} is sealed under one that site ${siteId} has lost.`)
    return { key_of: row.key_of, sealed_key: wrap(newest.key, row, unwrap(key.key, row)) }
  })
  await rows.updateContentKeys(tx, [siteId], { site_key: newest.version }, sealed)
  return older.length
}
