/**
 * Reads and writes content in worker threads with a time limit and a memory limit, so that no
 * content can block or crash the hub. Workers are reused; one that exceeds a limit is ended and
 * replaced. Sites take turns, and no site may use every worker.
 */
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import {
  bounds,
  FormatError,
  type Named,
  type Part,
  type Segment,
  type Target,
  type Translations,
} from '@dragoman/text/formats'
import { sourceLines } from '../../../process/source-lines.ts'
import { openGate, throughGate } from '../../../turns/gate.ts'
import type { ReadFile } from './file-work.ts'
import { buffersIn, type Pages, packInTurns, viewsIn, wholeList } from './pages.ts'
import type { WorkerAnswer, WorkerCall } from './worker.ts'

export type RunOptions = {
  /** The site it works for: sites take turns. */
  readonly siteId: string
  readonly milliseconds?: number
  /** Arguments that nobody needs afterwards: they are moved and not copied. */
  readonly moves?: readonly Pages[]
}

/** Texts up to this size are read here, because a worker would take longer to reach. */
export const isSmall = (texts: readonly string[]): boolean =>
  texts.reduce((sum, { length }) => sum + length, 0) <= 4_096

export type Opened = {
  readonly formatId: string
  readonly segments: Segment[]
  readonly remarks: readonly string[]
}

/** What workers do with texts, each a module of this folder. */
export const textWork = {
  files: new URL('./file-work.ts', import.meta.url),
  checks: new URL('./check-work.ts', import.meta.url),
  exchange: new URL('./exchange-work.ts', import.meta.url),
  pseudo: new URL('./pseudo-work.ts', import.meta.url),
  likeness: new URL('./likeness-work.ts', import.meta.url),
} as const

/** The segments of a file; undefined if its format is unknown. */
export async function readSafely(
  siteId: string,
  named: Named | string,
  bytes: Uint8Array,
): Promise<Opened | undefined> {
  const read = await runSafely<ReadFile | undefined>(textWork.files, 'readPaged', [named, bytes], {
    siteId,
  })
  return read && { ...read, segments: await wholeList<Segment>(read.segments) }
}

/** The file with its translations. */
export async function writeSafely(
  siteId: string,
  named: Named | string,
  bytes: Uint8Array,
  { translations, ...target }: Target & { readonly translations: Translations },
): Promise<Uint8Array> {
  const packed = await packInTurns(translations)
  return writePaged(siteId, named, bytes, { ...target, translations: packed })
}

/** The same with the translations in pages, which are gone afterwards. */
export const writePaged = (
  siteId: string,
  named: Named | string,
  bytes: Uint8Array,
  wanted: Target & { readonly translations: Pages },
): Promise<Uint8Array> =>
  runSafely<Uint8Array>(textWork.files, 'writePaged', [named, bytes, wanted], {
    siteId,
    moves: [wanted.translations],
  })

/** The parts of separate texts, such as the values of fields. */
export async function cutSafely(
  siteId: string,
  texts: readonly string[],
): Promise<(readonly Part[])[]> {
  const given = await packInTurns(texts)
  return wholeList(
    await runSafely<Pages>(textWork.files, 'cutPaged', [given], { siteId, moves: [given] }),
  )
}

const idle: Worker[] = []
const mostOfOneSite = Math.max(1, Math.min(4, availableParallelism()))
const places = openGate(mostOfOneSite + 1, mostOfOneSite)
/** A worker that has read or made more is not reused, to free its memory. */
const mostBytesCached = 4 * 1024 ** 2

const mib = 1024 ** 2
/** What the workers may need for large contents at once, as far as their bytes tell. */
const room = openGate(640 * mib, 320 * mib)
const small = 8 * mib
const large = 512 * mib

/**
 * The memory that a content may take in a worker: its bytes some times over, and the most segments
 * that so many bytes can have.
 */
const memoryFor = (bytes: number): number =>
  Math.min(large, bytes * 20 + Math.min(bytes / 2, bounds.segments) * bytesOfSegment)
const bytesOfSegment = 500

/**
 * Calls an exported function of a module, named by the URL of its source, in a worker. Arguments
 * are copied, unless they are moved.
 */
export function runSafely<Result>(
  module: URL,
  name: string,
  args: readonly unknown[],
  { siteId, milliseconds = bounds.milliseconds, moves = [] }: RunOptions,
): Promise<Result> {
  const call = { module: builtUrl(module).href, name, args: args.map(copyBytes) }
  const how = { milliseconds, moved: moves.flatMap(buffersIn), bytes: bytesIn(call.args) }
  const run = () => throughGate(places, siteId, 1, async () => (await ask(call, how)) as Result)
  const memory = memoryFor(how.bytes)
  return memory <= small ? run() : throughGate(room, siteId, memory, run)
}

/** Copies a view of a larger buffer, because the whole buffer would be sent. */
const copyBytes = (value: unknown): unknown =>
  value instanceof Uint8Array && value.byteLength < value.buffer.byteLength
    ? new Uint8Array(value)
    : value

/** Threads load the built files: Node 20 cannot run the sources, from which tests run. */
function builtUrl(source: URL): URL {
  if (!import.meta.url.endsWith('.ts')) return new URL(source.href.replace(/\.ts$/, '.js'))
  return new URL(
    source.href.replace('/packages/server/src/', '/packages/server/dist/').replace(/\.ts$/, '.js'),
  )
}

type How = {
  readonly milliseconds: number
  readonly moved: readonly ArrayBuffer[]
  /** What its arguments weigh. */
  readonly bytes: number
}

function ask(call: WorkerCall, { milliseconds, moved, bytes }: How): Promise<unknown> {
  const worker = idle.pop() ?? startWorker()
  let isLarge = bytes > mostBytesCached
  worker.ref()
  return new Promise((resolve, reject) => {
    const settle = (isSound: boolean) => {
      clearTimeout(timer)
      // One by one, because a Worker has listeners of its own.
      worker.off('message', answered).off('error', died).off('exit', ended)
      // An idle worker does not keep the process alive.
      worker.unref()
      if (isSound && !isLarge) idle.push(worker)
      else void worker.terminate()
    }
    const answered = (answer: WorkerAnswer) => {
      isLarge ||= 'result' in answer && bytesIn([answer.result]) > mostBytesCached
      settle(true)
      if ('refusal' in answer) reject(new FormatError(answer.refusal.code, answer.refusal.message))
      else if ('fault' in answer) reject(new Error(`A worker failed: ${sourceLines(answer.fault)}`))
      else resolve(answer.result)
    }
    const died = (error: unknown) => {
      settle(false)
      reject(failureOf(error))
    }
    const ended = (code: number) => died(new Error(`A worker ended with code ${code}.`))
    const timer = setTimeout(() => {
      settle(false)
      const seconds = milliseconds / 1000
      reject(
        new FormatError(
          'TIME_LIMIT',
          `The content took more than ${seconds} seconds to read; the hub stopped reading it.`,
        ),
      )
    }, milliseconds)
    worker.on('message', answered).on('error', died).on('exit', ended)
    worker.postMessage(call, moved)
  })
}

/** The bytes of files and pages, alone or as part of a content. */
const bytesIn = (values: readonly unknown[]): number =>
  values.reduce<number>(
    (sum, one) => viewsIn(one).reduce((all, { byteLength }) => all + byteLength, sum),
    0,
  )

function startWorker(): Worker {
  return new Worker(builtUrl(new URL('./worker.ts', import.meta.url)), {
    // Resolves packages to their built files, whatever conditions this process uses.
    execArgv: [],
    // A file is many small objects that live until it is written; a larger nursery saves copying
    // them.
    resourceLimits: {
      maxOldGenerationSizeMb: bounds.workerMegabytes,
      maxYoungGenerationSizeMb: bounds.nurseryMegabytes,
    },
  })
}

function failureOf(error: unknown): Error {
  const isMemory =
    error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
  if (isMemory)
    return new FormatError(
      'TOO_LARGE',
      'The content needs more memory than the hub allows for one file; split it.',
    )
  return error instanceof Error ? error : new Error(String(error))
}
