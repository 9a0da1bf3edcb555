/**
 * Site keys: random, one active key per site, sealed under the master key. They are read from their
 * row on every use, so that a rotation or deletion takes effect on all nodes at once.
 */
import { randomBytes } from 'node:crypto'
import type { Hub } from '../../../hub.ts'
import type { Db } from '../../../store/database.ts'
import { insertSiteKey, type SiteKey, selectNewestKey } from './seal-rows.ts'

export type OpenSiteKey = { readonly version: number; readonly key: Buffer }

/** The active key, created if the site has none. Locked until the transaction ends. */
export async function sealingKey(hub: Hub, tx: Db, siteId: string): Promise<OpenSiteKey> {
  const newest = () => selectNewestKey(tx, siteId)
  const found = await newest()
  if (found) return openSiteKey(hub, found)
  await insertSiteKey(tx, newSiteKey(hub, siteId, 1))
  const made = await newest()
  if (!made) throw new Error(`The site ${siteId} was given a key, and has none.`)
  return openSiteKey(hub, made)
}

export function newSiteKey(hub: Hub, siteId: string, version: number): SiteKey {
  const key = randomBytes(32).toString('base64url')
  const sealed_key = hub.vault.seal('site-key', `${siteId}\n${version}\n${key}`)
  return { site_id: siteId, version, sealed_key, created_at: hub.clock.now() }
}

/** Refuses a key of another site or version. */
export function openSiteKey(
  { vault }: Hub,
  { site_id, version, sealed_key }: Omit<SiteKey, 'created_at'>,
): OpenSiteKey {
  const [site, number, key = ''] = vault.open('site-key', sealed_key).split('\n')
  if (site !== site_id || number !== String(version))
    throw new Error('The key of a site is not its own.')
  return { version, key: Buffer.from(key, 'base64url') }
}
