/**
 * The hub: what every verb receives. A record without methods; `openHub` opens the stores, migrates
 * the schema and returns them; `closeHub` closes them in reverse order.
 */
import { hostname } from 'node:os'
import type { Logger } from 'pino'
import type { BlobStore } from './blobs/blob-store.ts'
import { openBlobs } from './blobs/open-blobs.ts'
import { type Config, ConfigError } from './config/config.ts'
import { makeMasterKey, masterKeyFile, readMasterKey } from './config/master-key.ts'
import { type Caches, perHub } from './process/caches.ts'
import { openLog } from './process/log.ts'
import { version } from './process/version.ts'
import { type MovableClock, openClock } from './store/clock.ts'
import type { Database, Db } from './store/database.ts'
import { carriedName, readHubState, vaultCheckName, writeHubStateOnce } from './store/hub-state.ts'
import { newId } from './store/ids.ts'
import { migrate } from './store/migrate.ts'
import { beatMs, beatNode, markStopping, removeNode } from './store/nodes.ts'
import { openDatabase } from './store/open-database.ts'
import { keepSeals, sealNewChains } from './store/stored-seals.ts'
import type { Faults } from './store/tasks/fault-port.ts'
import { readUnfinished } from './store/unfinished.ts'
import { openCarried, openVault, type Vault } from './store/vault.ts'

export type Hub = {
  readonly config: Config
  readonly db: Database
  readonly blobs: BlobStore
  readonly clock: MovableClock
  readonly vault: Vault
  readonly log: Logger
  /** This process among the nodes of one database. */
  readonly nodeId: string
  /** What this node keeps in memory (caches.ts). */
  readonly caches: Caches
  /** Faults on demand: in the sandbox profile only. */
  readonly faults?: Faults
}

/**
 * A transaction that changes something, and its cause: the traceId of a call, or `task:` and the id
 * of a task.
 */
export type Change = { readonly hub: Hub; readonly tx: Db; readonly causeId: string }

export type HubOptions = {
  readonly log?: Logger
  /**
   * A node serves calls and runs tasks: on SQLite it is the only one, and it stores its profile. A
   * tool (the command line) works beside a running hub, under the profile of its database.
   */
  readonly as?: 'node' | 'tool'
  /** No hub may run on its SQLite database meanwhile. */
  readonly alone?: boolean
  /** Opens a database that a restore or a move is filling. */
  readonly unfinished?: boolean
}

const closers = perHub(() => ({ close: async () => {} }))

export async function openHub(
  given: Config,
  {
    log = openLog(given.logLevel),
    as = 'node',
    alone = as === 'node',
    unfinished = false,
  }: HubOptions = {},
): Promise<Hub> {
  const open: (() => Promise<void>)[] = []
  const closeAll = async () => {
    for (const close of open.reverse().splice(0)) await close()
  }
  try {
    const db = await openDatabase(given.databaseUrl, {
      exclusive: alone,
      ...(as === 'node' && { says: (sentence) => log.info(sentence) }),
    })
    open.push(() => db.close())
    const clock = openClock()
    if (!unfinished) await mustBeFinished(db)
    await migrate(db, clock.now())
    const config = as === 'node' ? given : { ...given, profile: await profileOf(db, given) }
    if (as === 'node') await mustFitProfile(db, config)
    const vault = await unlockVault(db, config)
    const blobs = await openBlobs(config.blobsUrl, { clock: clock.now })
    open.push(() => blobs.close())
    if (config.profile === 'sandbox')
      clock.setOffset(Number((await readHubState(db.read, 'clock_offset')) ?? 0))
    await sealNewChains({ db, vault }, config.data, clock.now())
    const hub: Hub = {
      config,
      db,
      blobs,
      clock,
      vault,
      log,
      nodeId: newId(),
      caches: new Map(),
    }
    if (as === 'node') {
      open.push(await keepAlive(hub))
      await mustStillFit(hub)
    }
    closers(hub).close = closeAll
    return hub
  } catch (error) {
    await closeAll()
    throw error
  }
}

/** Shows other nodes and operators that this node stops. Its stop does not depend on it. */
export async function announceStop({ db, clock, log, nodeId }: Hub): Promise<void> {
  await markStopping(db, nodeId, clock.now()).catch((error: unknown) =>
    log.warn({ err: error }, 'this node could not announce that it stops'),
  )
}

export async function closeHub(hub: Hub): Promise<void> {
  await closers(hub).close()
}

async function mustBeFinished(db: Database): Promise<void> {
  const found = await readUnfinished(db)
  if (!found) return
  throw new ConfigError(
    found.what === 'restore'
      ? `This database is half restored: the restore of backup ${found.detail} was interrupted. Empty the place (database and files) and run dragoman restore again.`
      : 'This database is half filled: a move to it was interrupted. Run dragoman move again; it starts over.',
  )
}

/**
 * The sandbox's well-known secrets must never protect a real database, nor may a sandbox open one.
 */
async function mustFitProfile(db: Database, { profile }: Config): Promise<void> {
  const here = profile === 'sandbox' ? 'sandbox' : 'real'
  const found = await writeHubStateOnce(db, 'profile', here)
  if (found === here) return
  throw new ConfigError(
    here === 'real'
      ? `DRAGOMAN_PROFILE is ${profile}, but this database was created by the sandbox and has clients with well-known secrets. Choose another DRAGOMAN_DATA or DRAGOMAN_DATABASE_URL.`
      : 'DRAGOMAN_PROFILE is sandbox, but this database is a real one: the sandbox would add clients with well-known secrets. Choose another DRAGOMAN_DATA or DRAGOMAN_DATABASE_URL.',
  )
}

async function profileOf(db: Database, { profile }: Config): Promise<Config['profile']> {
  const found = await readHubState(db.read, 'profile')
  if (found === 'sandbox') return found
  return found === 'real' && profile === 'sandbox' ? 'production' : profile
}

/**
 * The vault under the configured key or the one in the data folder; refused if the database was
 * sealed under another.
 */
async function unlockVault(db: Database, config: Config): Promise<Vault> {
  const sealed = await readHubState(db.read, vaultCheckName)
  const stored = config.masterKey ? undefined : await readMasterKey(config.data)
  const where = config.masterKey ? 'DRAGOMAN_MASTER_KEY' : masterKeyFile(config.data)
  if (sealed !== undefined && !config.masterKey && !stored)
    throw new ConfigError(
      `The master key is missing: ${where} is missing, and the secrets in the database were sealed with it. Restore that file, or set DRAGOMAN_MASTER_KEY.`,
    )
  const masterKey = config.masterKey ?? stored ?? (await makeMasterKey(config.data))
  const vault = openVault(masterKey)
  const check =
    sealed ?? (await writeHubStateOnce(db, vaultCheckName, vault.seal('check', 'dragoman')))
  mustFitVault(vault, check, where)
  return openVault(masterKey, openCarried(masterKey, await readHubState(db.read, carriedName)))
}

/** The master key is not the one of this database. */
export class WrongMasterKey extends ConfigError {}

function mustFitVault(vault: Vault, check: string, where: string): void {
  try {
    vault.open('check', check)
  } catch {
    throw new WrongMasterKey(
      `The master key in ${where} is not the one that the secrets in this database were sealed with. Use the original key.`,
    )
  }
}

/**
 * Once this node has signed on, the master key cannot be replaced; it may have been just before.
 */
async function mustStillFit({ db, vault, config }: Hub): Promise<void> {
  const check = await readHubState(db.read, vaultCheckName)
  if (check !== undefined)
    mustFitVault(
      vault,
      check,
      config.masterKey ? 'DRAGOMAN_MASTER_KEY' : masterKeyFile(config.data),
    )
}

/** Writes this node's heartbeat every few seconds; returns a function that stops it. */
async function keepAlive({
  config,
  db,
  vault,
  clock,
  log,
  nodeId,
}: Hub): Promise<() => Promise<void>> {
  const node = { nodeId, host: hostname(), version, startedAt: clock.now() }
  await beatNode(db, node, clock)
  const keep = () =>
    keepSeals({ db, vault }, config.data).catch((error: unknown) =>
      log.warn({ err: error }, 'the seals of the logs could not be kept in the data folder'),
    )
  let beating = keep()
  const beat = () => {
    beating = beatNode(db, node, clock)
      .catch((error: unknown) =>
        log.warn({ err: error }, 'the heartbeat of this node could not be written'),
      )
      .then(keep)
  }
  const timer = setInterval(beat, beatMs).unref()
  return async () => {
    clearInterval(timer)
    await beating
    await keep()
    await db
      .transact((tx) => removeNode(tx, nodeId))
      .catch((error: unknown) => log.warn({ err: error }, 'this node could not sign off'))
  }
}
