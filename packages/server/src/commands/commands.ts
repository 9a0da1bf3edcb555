/**
 * What the command line does beside a running hub: it opens the same stores as a tool, not as a
 * node, does one thing and closes them. Loaded separately from the server, so that a small command
 * starts quickly.
 */
import { type ClientChange, NewPriceList, type PriceList } from '@dragoman/contract'
import { placeUrl } from '../blobs/place-url.ts'
import { type Env, readConfig } from '../config/config.ts'
import { databaseUrl } from '../config/config-values.ts'
import { setClient } from '../domain/access/change-client.ts'
import {
  disableClient,
  enableClient,
  listClients,
  type NewClient,
} from '../domain/access/clients.ts'
import { type Rotation, rotateSecret } from '../domain/access/rotate-secret.ts'
import { mustFindProvider } from '../domain/engines/providers.ts'
import {
  type BackupOptions,
  type BackupReport,
  backupHub,
} from '../domain/operations/backups/backup-hub.ts'
import {
  type ListedBackup,
  listBackups,
  openBackupPlace,
} from '../domain/operations/backups/backup-place.ts'
import {
  type MoveOptions,
  type MoveReport,
  moveHub,
} from '../domain/operations/backups/move-hub.ts'
import {
  type RestoreOptions,
  type RestoreReport,
  restoreHub,
} from '../domain/operations/backups/restore-hub.ts'
import {
  type Replaced,
  replaceMasterKey,
} from '../domain/operations/master-key/replace-master-key.ts'
import { type AskedLink, linkByHand, type PrintedLink } from '../domain/people/link-by-hand.ts'
import { savePriceListOf } from '../domain/settings/price-lists.ts'
import { dismissClient, enrolClient } from '../domain/sites/enrol-client.ts'
import { closeHub, type Hub, openHub } from '../hub.ts'
import { openLog } from '../process/log.ts'
import { openClock } from '../store/clock.ts'
import { missingDatabase, mustHaveDatabase } from '../store/fill-database.ts'
import { Refusal } from '../store/refusal.ts'
import { bodyCheck } from '../validation/validate.ts'

export { ConfigError } from '../config/config.ts'
export { isWeakKey, masterKey as parseMasterKey } from '../config/config-values.ts'
export { masterKeyFile, writeNewKey } from '../config/master-key.ts'
export type { Client, NewClient } from '../domain/access/clients.ts'
export { type Rotated, rotateKeys } from '../domain/files/seals/rotate-keys.ts'
export { type CheckFinding, checkHub, type Report } from '../domain/operations/integrity/check.ts'
export type { Replaced } from '../domain/operations/master-key/replace-master-key.ts'
export { hashPassword } from '../domain/people/passwords.ts'
export { exportPriceList } from '../domain/settings/price-lists.ts'
export type { Enrolled } from '../domain/sites/enrol-client.ts'
export { exportSite } from '../domain/sites/export-site.ts'
export { type Hub, WrongMasterKey } from '../hub.ts'
export type { BackupReport, ListedBackup, MoveReport, PrintedLink, RestoreReport }

/**
 * Runs `work` on the hub named by the environment. It logs nothing: a command reports its own
 * result.
 */
export async function withHub<T>(env: Env, work: (hub: Hub) => Promise<T>): Promise<T> {
  const config = readConfig(env)
  const hub = await openHub(config, { as: 'tool', log: openLog('silent') })
  try {
    return await work(hub)
  } finally {
    await closeHub(hub)
  }
}

/** The same, but refuses to create a database. */
export async function withKnownHub<T>(env: Env, work: (hub: Hub) => Promise<T>): Promise<T> {
  mustHaveDatabase(readConfig(env).databaseUrl)
  return withHub(env, work)
}

/** The file of the database that the next command would create. */
export const newDatabaseOf = (env: Env): string | undefined =>
  missingDatabase(readConfig(env).databaseUrl)

/** What `dragoman clients` does on the database. */
export const clientsOf = (env: Env) => ({
  add: (input: NewClient) => withHub(env, (hub) => enrolClient(hub, input)),
  list: (siteId?: string) => withKnownHub(env, (hub) => listClients(hub, siteId)),
  rotate: (clientId: string, asked: Rotation) =>
    withKnownHub(env, (hub) => rotateSecret(hub, clientId, asked)),
  set: (clientId: string, change: ClientChange) =>
    withKnownHub(env, (hub) => setClient(hub, clientId, change, mustFindProvider)),
  disable: (clientId: string) => withKnownHub(env, (hub) => disableClient(hub, clientId)),
  enable: (clientId: string) => withKnownHub(env, (hub) => enableClient(hub, clientId)),
  remove: (clientId: string) => withKnownHub(env, (hub) => dismissClient(hub, clientId)),
})
export type ClientVerbs = ReturnType<typeof clientsOf>

/** What `dragoman people link` does on the database. */
export const makeSignInLink = (env: Env, asked: AskedLink): Promise<PrintedLink> =>
  withHub(env, (hub) => linkByHand(hub, asked))

/** Replaces the master key of the hub named by the environment, which must be `from` now. */
export async function replaceMasterKeyOf(
  env: Env,
  keys: { readonly from: Buffer; readonly to: Buffer },
): Promise<Replaced> {
  const hub = await openHub(
    { ...readConfig(env), masterKey: keys.from },
    { as: 'tool', log: openLog('silent') },
  )
  try {
    return await replaceMasterKey(hub, keys.to)
  } finally {
    await closeHub(hub)
  }
}

export const backup = (env: Env, options: BackupOptions): Promise<BackupReport> =>
  withKnownHub(env, (hub) => backupHub(hub, options))

export async function backupsIn(from: string): Promise<ListedBackup[]> {
  const place = await openBackupPlace(from, { clock: openClock().now, reads: true })
  return listBackups(place).finally(() => place.close())
}

export const restore = (env: Env, options: RestoreOptions): Promise<RestoreReport> =>
  restoreHub(readConfig(env), options)

/** `blobs` may be a path. */
export async function move(env: Env, { to, blobs, ...options }: MoveOptions): Promise<MoveReport> {
  if (databaseUrl(to) === undefined || to.startsWith('sqlite:'))
    throw new Refusal(
      '--to must be the URL of a PostgreSQL database: postgres://USER:PASSWORD@HOST:PORT/DATABASE.',
    )
  if (blobs === undefined) return moveHub(readConfig(env), { to, ...options })
  const url = placeUrl(blobs)
  if (url === undefined)
    throw new Refusal('--blobs must be a folder, or s3://BUCKET/PREFIX?endpoint=URL&region=NAME.')
  return moveHub(readConfig(env), { to, blobs: url, ...options })
}

/**
 * Imports a price list from a file: checks it by the schema of the REST call, then by the rules of
 * the verb.
 */
export async function importPriceList(hub: Hub, siteId: string, list: unknown): Promise<PriceList> {
  const check = bodyCheck(NewPriceList, { maxDetails: Number.POSITIVE_INFINITY })
  return savePriceListOf(hub, siteId, check(list) as NewPriceList)
}
