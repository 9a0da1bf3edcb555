/**
 * One writer at a time on one upload, on one node and on many: a lease in the upload's row. Whoever wants it asks the
 * holder to let go (its client has mostly gone and come back), and takes it when the holder is done or has died.
 */
import { HubError } from '@dragoman/contract'
import type { Hub } from '../../hub.ts'
import type { Db } from '../../store/engine.ts'
import { newId } from '../../store/ids.ts'
import type { UploadRow } from '../../store/tables.ts'
import { fenceProgress } from './blob-place.ts'
import { askWriter, freeWriter, keepWriter, takeFromLate, takeWriter } from './upload-rows.ts'

/**
 * Every beat is a commit, and a commit waits for a disk that is busy with the very bytes of uploads. Other nodes must hear
 * of a wish and of a death soon; a node that is alone knows both by itself.
 */
const paces = { shared: { leaseMs: 10_000, beatMs: 1_000 }, alone: { leaseMs: 60_000, beatMs: 20_000 } }
const paceOf = (hub: Hub) => (hub.engine.isAlone ? paces.alone : paces.shared)
const retryMs = 50

/** Whoever writes on this node, so that it is asked at once; a writer on another node hears it at its next beat. */
const writers = new Map<string, () => void>()
/** Every writer that this process has named and not freed yet. */
const ours = new Set<string>()
const beats = new Map<string, NodeJS.Timeout>()

type WriterLock = { readonly writer: string; free(): Promise<void> }

export type Patience = {
  readonly patienceMs: number
  /** Nobody waits any more. */
  readonly gone?: AbortSignal
}
/** `letGo` is called when somebody else wants to write. */
type Wait = Patience & { readonly letGo: () => void }

/** Does the work as the one writer of the upload; UPLOAD_LOCKED when that could not be had in time. */
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

/** Undefined when it could not be had before `patience` was over or `gone` said that nobody waits any more. */
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
    hub.engine
      .transact((tx) => keepWriter(tx, uploadId, writer, until))
      .then(({ held, wanted }) => {
        if (!held || wanted) wait.letGo()
      })
      .catch((error) => hub.log.warn({ err: error }, 'the lease of an upload could not be kept'))
  }, beatMs)
  beat.unref()
  beats.set(writer, beat)
  return {
    writer,
    free: async () => {
      endBeat(writer)
      if (writers.get(uploadId) === wait.letGo) writers.delete(uploadId)
      ours.delete(writer)
      // Its write has come to its end, whatever becomes of the lease, which ends by itself.
      await hub.engine
        .transact((tx) => freeWriter(tx, uploadId, writer))
        .catch((error) => hub.log.warn({ err: error }, 'the lease of an upload could not be given back'))
    },
  }
}

/** The writer is about to let go: its lease is kept no longer. */
export function endBeat(writer: string): void {
  clearInterval(beats.get(writer))
  beats.delete(writer)
}

async function takeInTime(hub: Hub, uploadId: string, writer: string, wait: Wait): Promise<boolean> {
  for (let waited = 0; ; waited += retryMs) {
    const now = hub.clock.now()
    if (await hub.engine.transact((tx) => take(hub, tx, uploadId, writer, now))) return true
    if (waited >= wait.patienceMs || wait.gone?.aborted) return false
    if (waited === 0) {
      await hub.engine.transact((tx) => askHolder(hub, tx, uploadId))
      writers.get(uploadId)?.()
    }
    await new Promise((done) => setTimeout(done, retryMs))
  }
}

async function take(hub: Hub, tx: Db, uploadId: string, writer: string, now: number): Promise<boolean> {
  const until = now + paceOf(hub).leaseMs
  if (await takeWriter(tx, uploadId, writer, until)) return true
  const fence = (progress: string) => JSON.stringify(fenceProgress(hub, JSON.parse(progress)))
  return takeFromLate(tx, uploadId, writer, { now, until }, fence)
}

async function askHolder(hub: Hub, tx: Db, uploadId: string): Promise<void> {
  const holder = await askWriter(tx, uploadId)
  if (holder !== undefined && isDead(hub, holder)) await freeWriter(tx, uploadId, holder)
}

/** Where this process is the only node, a holder that it does not know died with the process before it. */
const isDead = (hub: Hub, holder: string): boolean => hub.engine.isAlone && !ours.has(holder)

/** Whether somebody may be writing on the upload. */
export const isHeld = (hub: Hub, { writer, writer_until }: Pick<UploadRow, 'writer' | 'writer_until'>): boolean =>
  writer !== null && (writer_until ?? 0) > hub.clock.now() && !isDead(hub, writer)
