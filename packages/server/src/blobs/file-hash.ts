// sha256 of files in a thread of its own: hashing costs more than receiving, and would hold up every other call of this node.
// The thread reads what was just written out of the system's cache, so that no bytes cross over and a slow hash holds up nobody.
import { Worker } from 'node:worker_threads'
import { BlobTrouble } from './blob-store.ts'
import { openThread, type Thread } from './thread.ts'

export type FileHash = {
  /** Goes on with the bytes of a file from one position up to another. Runs behind, in order. */
  read(path: string, from: number, to: number): void
  /** A second hash of the same bytes, to go on with separately. */
  copy(): FileHash
  /** Ends the hash; undefined where a file could not be read as told. One that is never asked for is dropped with its object. */
  digest(): Promise<string | undefined>
}

// As text, because the sources run unbuilt under the tests and a worker cannot load a TypeScript file there.
const program = `
const { closeSync, openSync, readlinkSync, readSync } = require('node:fs')
const { setPriority } = require('node:os')
const { createHash } = require('node:crypto')
const { parentPort } = require('node:worker_threads')
// Where threads have priorities (Linux), the one that answers calls goes before this one.
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

/** One thread serves the process; it starts with the first upload. */
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
  if (digest === undefined) throw new BlobTrouble('A file cannot be read back from the blob folder.')
  return digest
}
