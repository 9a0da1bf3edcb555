// sha256 of files, in a separate thread: hashing costs more than receiving and would block every
// other call of this node. The thread reads freshly written bytes from the page cache, so no bytes
// are passed between threads.
import { Worker } from 'node:worker_threads'
import { BlobTrouble } from './blob-store.ts'
import { openThread, type Thread } from './thread.ts'

export type FileHash = {
  /** Adds the bytes of a file between two positions. Runs in the background, in order. */
  read(path: string, from: number, to: number): void
  /** A second hash of the same bytes, which continues separately. */
  copy(): FileHash
  /**
   * Ends the hash; undefined if a file could not be read. A hash that is never ended is dropped
   * with its object.
   */
  digest(): Promise<string | undefined>
}

// As text, because the tests run the sources unbuilt and a worker cannot load a TypeScript file
// there.
const program = `
const { closeSync, openSync, readlinkSync, readSync } = require('node:fs')
const { setPriority } = require('node:os')
const { createHash } = require('node:crypto')
const { parentPort } = require('node:worker_threads')
// Where threads have priorities (Linux), the thread that answers calls gets the higher one.
try {
  const [pid, , thread] = readlinkSync('/proc/thread-self').split('/').map(Number)
  if (pid === process.pid) setPriority(thread, 5)
} catch {}
const hashes = new Map()
const buffer = Buffer.allocUnsafeSlow(256 * 1024)
function read(hash, path, from, to) {
  const file = openSync(path, 'r')
  try {
    for (let at = from; at < to; ) {
      const size = readSync(file, buffer, 0, Math.min(buffer.length, to - at), at)
      if (size === 0) throw new Error('The file is too short.')
      hash.update(buffer.subarray(0, size))
      at += size
    }
  } finally {
    closeSync(file)
  }
}
const does = {
  begin: ({ id, of }) => hashes.set(id, of === undefined ? createHash('sha256') : hashes.get(of)?.copy()),
  read: ({ id, path, from, to }) => {
    try {
      if (hashes.get(id)) read(hashes.get(id), path, from, to)
    } catch {
      hashes.set(id, undefined)
    }
  },
  digest: ({ id, call }) => parentPort.postMessage({ call, digest: hashes.get(id)?.digest('hex') }),
  drop: ({ id }) => hashes.delete(id),
}
parentPort.on('message', (message) => does[message.does](message))`

type Answer = { readonly digest: string | undefined }

let running: Thread | undefined
let lastId = 0
const dropped = new FinalizationRegistry<{ thread: Thread; id: number }>(({ thread, id }) =>
  thread.tell({ does: 'drop', id }),
)

/** One thread per process; it starts with the first upload. */
export function newFileHash(): FileHash {
  if (!running || running.hasEnded)
    running = openThread(new Worker(program, { eval: true, execArgv: [] }), 'hashes files')
  return hashOn(running, undefined)
}

function hashOn(thread: Thread, of: number | undefined): FileHash {
  lastId += 1
  const id = lastId
  thread.tell({ does: 'begin', id, of })
  const hash: FileHash = {
    read: (path, from, to) => thread.tell({ does: 'read', id, path, from, to }),
    copy: () => hashOn(thread, id),
    digest: async () => (await thread.ask<Answer>({ does: 'digest', id })).digest,
  }
  dropped.register(hash, { thread, id })
  return hash
}

export async function sha256OfFile(path: string, size: number): Promise<string> {
  const hash = newFileHash()
  hash.read(path, 0, size)
  const digest = await hash.digest()
  if (digest === undefined)
    throw new BlobTrouble('A file cannot be read back from the blob folder.')
  return digest
}
