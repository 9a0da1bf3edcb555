// Runs in a separate thread: seals and opens segments, and computes the sha256 of sealed content.
// Both cost more than moving the bytes and would block every other call of this node.
import { createHash, type Hash } from 'node:crypto'
import { readSync } from 'node:fs'
import { parentPort, type TransferListItem } from 'node:worker_threads'
import { BlobDamaged } from '../blob-store.ts'
import { giveBack } from '../give-back.ts'
import { damaged, type Mark, sealedSegmentBytes } from '../segments.ts'
import type { ThreadCall } from '../thread.ts'
import {
  type OpenStart,
  opening,
  type Pieces,
  type SealStart,
  type Stream,
  sealing,
} from './sealing.ts'

export type Instruction =
  | { readonly does: 'hash'; readonly id: number; readonly of: number | undefined }
  | {
      readonly does: 'seal'
      readonly id: number
      readonly start: SealStart
      readonly hash: number | undefined
    }
  | {
      readonly does: 'open'
      readonly id: number
      readonly start: OpenStart
      readonly file: FilePart | undefined
    }
  | { readonly does: 'drop'; readonly id: number }
export type Question =
  | { readonly does: 'write'; readonly id: number; readonly pieces: Pieces }
  | { readonly does: 'end'; readonly id: number; readonly mark: Mark | undefined }
  | { readonly does: 'next'; readonly id: number }
  | { readonly does: 'digest'; readonly id: number }
/** Sealed bytes of an open file, both ends inclusive. */
export type FilePart = { readonly fd: number; readonly start: number; readonly end: number }
export type Answer = {
  readonly pieces?: Pieces
  /** For `next`: there is no more. */
  readonly isLast?: boolean
  readonly digest?: string
  /** Why there are none. */
  readonly damage?: string
  readonly fault?: string
}

type Open = {
  readonly start: () => Stream
  stream?: Stream
  readonly hash?: Hash | undefined
  /** Bytes passed in and not used up yet. */
  given: Pieces
  file?: FilePart | undefined
}
const hashes = new Map<number, Hash | undefined>()
const streams = new Map<number, Open>()

function tell(told: Instruction): void {
  const { id } = told
  if (told.does === 'hash')
    hashes.set(id, told.of === undefined ? createHash('sha256') : hashes.get(told.of)?.copy())
  else if (told.does === 'seal')
    streams.set(id, {
      start: () => sealing(told.start),
      hash: told.hash === undefined ? undefined : hashes.get(told.hash),
      given: [],
    })
  else if (told.does === 'open')
    streams.set(id, { start: () => opening(told.start), given: [], file: told.file })
  else {
    hashes.delete(id)
    streams.delete(id)
  }
}

function answer(asked: Question): Answer {
  if (asked.does === 'digest') {
    const digest = hashes.get(asked.id)?.digest('hex')
    return digest === undefined ? {} : { digest }
  }
  const open = streams.get(asked.id)
  if (!open) return { fault: 'The stream is not open.' }
  open.stream ??= open.start()
  if (asked.does === 'end') {
    streams.delete(asked.id)
    return { pieces: open.stream.end(asked.mark) }
  }
  if (asked.does === 'next') return readOn(open, open.stream)
  for (const piece of asked.pieces) open.hash?.update(piece)
  const pieces = open.stream.write(asked.pieces)
  const held = new Set(open.stream.held().map(({ buffer }) => buffer))
  const given = [...open.given, ...asked.pieces]
  open.given = given.filter(({ buffer }) => held.has(buffer))
  giveBack(given.filter(({ buffer }) => !held.has(buffer)))
  return { pieces }
}

/** Reused: no stream still holds any of it when it is read into again. */
const room = Buffer.allocUnsafeSlow(4 * sealedSegmentBytes)

/** Reads some segments of the file; with the last of them, the end. */
function readOn(open: Open, stream: Stream): Answer {
  if (!open.file) return { fault: 'The stream has no file.' }
  if (open.file.start > open.file.end) return { isLast: true }
  const { fd, start, end } = open.file
  const wanted = Math.min(room.byteLength, end - start + 1)
  for (let at = 0; at < wanted; ) {
    const read = readSync(fd, room, at, wanted - at, start + at)
    if (read === 0) throw damaged()
    at += read
  }
  open.file = { fd, start: start + wanted, end }
  const pieces = stream.write([room.subarray(0, wanted)])
  return start + wanted > end ? { pieces: [...pieces, ...stream.end()], isLast: true } : { pieces }
}

function answered(asked: Question): Answer {
  try {
    return answer(asked)
  } catch (error) {
    if (error instanceof BlobDamaged) return { damage: error.message }
    return { fault: error instanceof Error ? error.message : String(error) }
  }
}

const isQuestion = (message: Instruction | ThreadCall<Question>): message is ThreadCall<Question> =>
  'call' in message

parentPort?.on('message', (message: Instruction | ThreadCall<Question>) => {
  if (!isQuestion(message)) return tell(message)
  const found = answered(message)
  // Each spans its whole buffer, so it needs no copy.
  const transfer = new Set(found.pieces?.map(({ buffer }) => buffer) ?? [])
  parentPort?.postMessage({ ...found, call: message.call }, [...transfer] as TransferListItem[])
})
