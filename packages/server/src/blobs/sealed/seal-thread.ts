// The process's side of sealing and opening: streams and hashes that run in a thread
// (seal-worker.ts). One thread per process; it starts with the first sealed blob.
import { type TransferListItem, Worker } from 'node:worker_threads'
import { BlobDamaged, BlobTrouble } from '../blob-store.ts'
import type { Mark } from '../segments.ts'
import { openThread, type Thread } from '../thread.ts'
import type { Answer, FilePart, Instruction, Question } from './seal-worker.ts'
import type { OpenStart, Pieces, SealStart } from './sealing.ts'

export type ByteHash = {
  readonly id: number
  /** A second hash of the same bytes, which continues separately. */
  copy(): ByteHash
  digest(): Promise<string | undefined>
}

export type ThreadStream = {
  /** Takes ownership of the pieces: those that span their whole buffer are empty afterwards. */
  write(pieces: readonly Uint8Array[]): Promise<Pieces>
  end(mark?: Mark): Promise<Pieces>
  /** Discards a stream before its end. */
  drop(): void
}

let running: Thread | undefined
let lastId = 0

function thread(): Thread {
  if (!running || running.hasEnded)
    running = openThread(new Worker(program(), { execArgv: [] }), 'seals blobs')
  return running
}

/** A thread loads the built file: Node 20 cannot run the TypeScript sources that tests run from. */
function program(): URL {
  const { href } = new URL('./seal-worker.ts', import.meta.url)
  const built = import.meta.url.endsWith('.ts')
    ? href.replace('/server/src/', '/server/dist/')
    : href
  return new URL(built.replace(/\.ts$/, '.js'))
}

const tell = (to: Thread, told: Instruction): void => to.tell(told)

const dropped = new FinalizationRegistry<{ on: Thread; id: number }>(({ on, id }) =>
  tell(on, { does: 'drop', id }),
)

export const newByteHash = (): ByteHash => hashOn(thread(), undefined)

function hashOn(on: Thread, of: number | undefined): ByteHash {
  lastId += 1
  const id = lastId
  tell(on, { does: 'hash', id, of })
  const hash: ByteHash = {
    id,
    copy: () => hashOn(on, id),
    digest: async () => (await ask(on, { does: 'digest', id })).digest,
  }
  dropped.register(hash, { on, id })
  return hash
}

/** Also adds the written bytes to the hash. */
export function sealStream(start: SealStart, hash?: ByteHash): ThreadStream {
  lastId += 1
  const on = thread()
  tell(on, { does: 'seal', id: lastId, start, hash: hash?.id })
  return streamOn(on, lastId)
}

export function openStream(start: OpenStart): ThreadStream {
  lastId += 1
  const on = thread()
  tell(on, { does: 'open', id: lastId, start, file: undefined })
  return streamOn(on, lastId)
}

/**
 * How many reads are requested ahead, so that neither side waits for the other on a busy machine.
 */
const asked = 2

/** The thread reads the file itself, which saves passing the bytes to it. */
export async function* openFilePart(start: OpenStart, file: FilePart): AsyncGenerator<Uint8Array> {
  lastId += 1
  const [on, id] = [thread(), lastId]
  tell(on, { does: 'open', id, start, file })
  const next = () => {
    const answer = ask(on, { does: 'next', id })
    answer.catch(() => {})
    return answer
  }
  const ahead = Array.from({ length: asked }, next)
  try {
    for (;;) {
      const { pieces = [], isLast } = (await ahead.shift()) ?? {}
      if (!isLast) ahead.push(next())
      yield* pieces
      if (isLast) return
    }
  } finally {
    tell(on, { does: 'drop', id })
  }
}

function streamOn(on: Thread, id: number): ThreadStream {
  const piecesOf = async (asked: Question, transfer?: TransferListItem[]): Promise<Pieces> =>
    (await ask(on, asked, transfer)).pieces ?? []
  return {
    write: (given) => {
      const pieces = given.map(owned)
      return piecesOf({ does: 'write', id, pieces }, [
        ...new Set(pieces.map(({ buffer }) => buffer)),
      ])
    },
    end: (mark) => piecesOf({ does: 'end', id, mark }),
    drop: () => tell(on, { does: 'drop', id }),
  }
}

/** Copies a piece of a larger buffer: others may use the rest of it. */
const owned = (piece: Uint8Array): Uint8Array<ArrayBuffer> =>
  piece.buffer instanceof ArrayBuffer && piece.byteLength === piece.buffer.byteLength
    ? (piece as Uint8Array<ArrayBuffer>)
    : new Uint8Array(piece)

async function ask(on: Thread, question: Question, transfer?: TransferListItem[]): Promise<Answer> {
  const answer = await on.ask<Answer>(question, transfer)
  if (answer.damage !== undefined) throw new BlobDamaged(answer.damage)
  if (answer.fault !== undefined)
    throw new BlobTrouble(`The thread that seals blobs failed: ${answer.fault}`)
  return answer
}
