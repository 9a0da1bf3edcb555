/**
 * Reads and writes content in worker threads with a time limit and a memory limit, so that no content can hold up or bring
 * down the hub. Workers are kept warm and are of this process alone; one that is over its limit is ended and replaced. Sites take
 * turns: one that has every worker it may have leaves one for the next.
 */
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { openGate, throughGate } from '../../gate.ts'
import { bounds } from './bounds.ts'
import type { Judgement } from './compare-delivery.ts'
import type { Named } from './find-format.ts'
import type { Part, Segment, Target, Translations } from './format.ts'
import { FormatError } from './format-error.ts'
import type { WorkerAnswer, WorkerCall } from './worker.ts'

export type RunOptions = {
  /** For whom: sites take turns. */
  readonly siteId: string
  readonly milliseconds?: number
}

/** Texts that take no longer here than the way to a worker and back; all others are for a worker. */
export const isSmall = (texts: readonly string[]): boolean =>
  texts.reduce((sum, { length }) => sum + length, 0) <= 4_096

export type Opened = { readonly formatId: string; readonly segments: Segment[]; readonly remarks: readonly string[] }
const wholeFiles = new URL('./whole-files.ts', import.meta.url)

/** What a file says; undefined where its format is unknown. */
export const readSafely = (siteId: string, named: Named | string, bytes: Uint8Array): Promise<Opened | undefined> =>
  runSafely<Opened | undefined>(wholeFiles, 'readFile', [named, bytes], { siteId })

/** The file with the translations in it. */
export const writeSafely = (
  siteId: string,
  named: Named | string,
  bytes: Uint8Array,
  translations: Translations,
  target: Target,
): Promise<Uint8Array> =>
  runSafely<Uint8Array>(wholeFiles, 'writeFile', [named, bytes, translations, target], { siteId })

/** Whether a delivery can be read as its source can, and how it differs; a time or memory limit is a FormatError. */
export const judgeSafely = (
  siteId: string,
  named: Named | string,
  source: Uint8Array,
  delivery: Uint8Array,
): Promise<Judgement> => runSafely<Judgement>(wholeFiles, 'judgeFile', [named, source, delivery], { siteId })

/** Texts that stand alone, as the values of fields do, as parts. */
export const cutSafely = (siteId: string, texts: readonly string[]): Promise<Part[][]> =>
  runSafely<Part[][]>(wholeFiles, 'cutTexts', [texts], { siteId })

const idle: Worker[] = []
const mostOfOneSite = Math.max(1, Math.min(4, availableParallelism()))
const places = openGate(mostOfOneSite + 1, mostOfOneSite)
/** A worker that has read so much is not kept: its memory would be. */
const mostBytesKept = 4 * 1024 ** 2

/** Calls an exported function of a module, named by the URL of its source, in a worker. Arguments are copied. */
export function runSafely<Result>(
  module: URL,
  name: string,
  args: readonly unknown[],
  { siteId, milliseconds = bounds.milliseconds }: RunOptions,
): Promise<Result> {
  const call = { module: builtUrl(module).href, name, args: args.map(copyBytes) }
  return throughGate(places, siteId, 1, async () => (await ask(call, milliseconds)) as Result)
}

/** A view of a large buffer would be sent with all of the buffer. */
const copyBytes = (value: unknown): unknown =>
  value instanceof Uint8Array && value.byteLength < value.buffer.byteLength ? new Uint8Array(value) : value

/** Threads load what is built: Node 20 cannot run the sources themselves, which is where tests run from. */
function builtUrl(source: URL): URL {
  if (!import.meta.url.endsWith('.ts')) return new URL(source.href.replace(/\.ts$/, '.js'))
  return new URL(source.href.replace('/packages/server/src/', '/packages/server/dist/').replace(/\.ts$/, '.js'))
}

function ask(call: WorkerCall, milliseconds: number): Promise<unknown> {
  const worker = idle.pop() ?? startWorker()
  const isLarge = bytesIn(call.args) > mostBytesKept
  worker.ref()
  return new Promise((resolve, reject) => {
    const settle = (isSound: boolean) => {
      clearTimeout(timer)
      // One by one: a Worker has listeners of its own, which removing all of them would deafen.
      worker.off('message', answered).off('error', died).off('exit', ended)
      // A worker at rest does not keep the process alive.
      worker.unref()
      if (isSound && !isLarge) idle.push(worker)
      else void worker.terminate()
    }
    const answered = (answer: WorkerAnswer) => {
      settle(true)
      if ('refusal' in answer) reject(new FormatError(answer.refusal.code, answer.refusal.message))
      else if ('fault' in answer) reject(new Error(`A worker failed: ${answer.fault}`))
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
      reject(new FormatError('TIME_LIMIT', `The content took more than ${seconds} seconds to read and was given up.`))
    }, milliseconds)
    worker.on('message', answered).on('error', died).on('exit', ended)
    worker.postMessage(call)
  })
}

/** Of files, alone or in a content. */
const bytesIn = (args: readonly unknown[]): number =>
  args.reduce<number>((sum, one) => {
    const bytes = typeof one === 'object' && one !== null && 'bytes' in one ? one.bytes : one
    return sum + (bytes instanceof Uint8Array ? bytes.byteLength : 0)
  }, 0)

function startWorker(): Worker {
  return new Worker(builtUrl(new URL('./worker.ts', import.meta.url)), {
    // The packages that are built, whatever conditions this process finds them by.
    execArgv: [],
    // A file is many small objects that live until it is written: a larger nursery saves most of their copying.
    resourceLimits: {
      maxOldGenerationSizeMb: bounds.workerMegabytes,
      maxYoungGenerationSizeMb: bounds.nurseryMegabytes,
    },
  })
}

function failureOf(error: unknown): Error {
  const isMemory = error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
  if (isMemory) return new FormatError('TOO_LARGE', 'The content needs more memory than one content may take.')
  return error instanceof Error ? error : new Error(String(error))
}
