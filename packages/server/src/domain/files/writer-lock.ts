/**
 * One writer per upload, on one node or several: a lease in the upload's row. A caller asks the
 * current writer to let go (usually its own earlier call, since broken off) and takes the lease
 * when that writer is done or dead.
 */
import { HubError } from '@dragoman/contract'
import type { Hub } from '../../hub.ts'
import type { Db } from '../../store/database.ts'
import { newId } from '../../store/ids.ts'
import type { UploadRow } from '../../store/tables.ts'
import { fenceProgress } from './blob-place.ts'
import { askWriter, freeWriter, keepWriter, takeFromLate, takeWriter } from './upload-rows.ts'

/**
 * Every heartbeat is a commit and waits for a disk that is busy with uploads. Other nodes must soon
 * notice requests and dead writers; a single node knows both itself.
 */
const paces = {
  shared: { leaseMs: 10_000, beatMs: 1_000 },
  alone: { leaseMs: 60_000, beatMs: 20_000 },
}
const paceOf = (hub: Hub) => (hub.db.isAlone ? paces.alone : paces.shared)
const retryMs = 50

/**
 * Writers on this node, which are asked at once. A writer on another node learns of the request at
 * its next heartbeat.
 */
const writers = new Map<string, () => void>()
/** Writers that this process created and has not released. */
const ours = new Set<string>()
const beats = new Map<string, NodeJS.Timeout>()

type WriterLock = { readonly writer: string; free(): Promise<void> }

export type Patience = {
  readonly patienceMs: number
  /** Aborted when the caller is gone. */
  readonly gone?: AbortSignal
}
/** `letGo` is called when someone else wants to write. */
type Wait = Patience & { readonly letGo: () => void }

/**
 * Runs the work as the only writer of the upload. Throws UPLOAD_LOCKED if the lease is not free in
 * time.
 */
export async function asWriter<Result>(
  hub: Hub,
  uploadId: string,
  wait: Wait,
  work: (writer: string) => Promise<Result>,
): Promise<Result> {
  const lock = await lockWriter(hub, uploadId, wait)
  if (!lock) throw new HubError('UPLOAD_LOCKED', {})
  try {
    return await work(lock.writer)
  } finally {
    await lock.free()
  }
}

/** Undefined if the lease was not free before `patienceMs` ended or the caller was gone. */
async function lockWriter(hub: Hub, uploadId: string, wait: Wait): Promise<WriterLock | undefined> {
  const writer = newId()
  ours.add(writer)
  let taken = false
  try {
    taken = await takeInTime(hub, uploadId, writer, wait)
  } finally {
    if (!taken) ours.delete(writer)
  }
  if (!taken) return undefined
  writers.set(uploadId, wait.letGo)
  const { leaseMs, beatMs } = paceOf(hub)
  const beat = setInterval(() => {
    const until = hub.clock.now() + leaseMs
    hub.db
      .transact((tx) => keepWriter(tx, uploadId, writer, until))
      .then(({ held, wanted }) => {
        if (!held || wanted) wait.letGo()
      })
      .catch((error) =>
        hub.log.warn({ err: error }, 'the lease of an upload could not be extended'),
      )
  }, beatMs)
  beat.unref()
  beats.set(writer, beat)
  return {
    writer,
    free: async () => {
      endBeat(writer)
      if (writers.get(uploadId) === wait.letGo) writers.delete(uploadId)
      ours.delete(writer)
      // The write is over. If this fails, the lease runs out by itself.
      await hub.db
        .transact((tx) => freeWriter(tx, uploadId, writer))
        .catch((error) =>
          hub.log.warn({ err: error }, 'the lease of an upload could not be released'),
        )
    },
  }
}

/** Stops extending the lease: the writer is about to release it. */
export function endBeat(writer: string): void {
  clearInterval(beats.get(writer))
  beats.delete(writer)
}

async function takeInTime(
  hub: Hub,
  uploadId: string,
  writer: string,
  wait: Wait,
): Promise<boolean> {
  for (let waited = 0; ; waited += retryMs) {
    if (await hub.db.transact((tx) => take(hub, tx, uploadId, writer))) return true
    if (waited >= wait.patienceMs || wait.gone?.aborted) return false
    if (waited === 0) {
      await hub.db.transact((tx) => askHolder(hub, tx, uploadId))
      writers.get(uploadId)?.()
    }
    await new Promise((done) => setTimeout(done, retryMs))
  }
}

async function take(hub: Hub, tx: Db, uploadId: string, writer: string): Promise<boolean> {
  const now = hub.clock.now()
  const until = now + paceOf(hub).leaseMs
  if (await takeWriter(tx, uploadId, writer, until)) return true
  const fence = (progress: string) => JSON.stringify(fenceProgress(hub, JSON.parse(progress)))
  return takeFromLate(tx, { uploadId, writer }, { now, until }, fence)
}

async function askHolder(hub: Hub, tx: Db, uploadId: string): Promise<void> {
  const holder = await askWriter(tx, uploadId)
  if (holder !== undefined && isDead(hub, holder)) await freeWriter(tx, uploadId, holder)
}

/** An unknown holder on a single node died with the previous process. */
const isDead = (hub: Hub, holder: string): boolean => hub.db.isAlone && !ours.has(holder)

/** Whether someone may be writing to the upload. */
export const isHeld = (
  hub: Hub,
  { writer, writer_until }: Pick<UploadRow, 'writer' | 'writer_until'>,
): boolean => writer !== null && (writer_until ?? 0) > hub.clock.now() && !isDead(hub, writer)
