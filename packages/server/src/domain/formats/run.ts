/**
 * Reads and writes files in worker threads with a time limit and a memory limit, so that no file can hold up or bring down
 * the hub. Workers are kept warm and are of this process alone; one that is over its limit is ended and replaced.
 */
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { bounds } from './bounds.ts'
import type { Segment, Target, Translations } from './format.ts'
import { FormatError } from './format-error.ts'
import type { WorkerAnswer, WorkerCall } from './worker.ts'

export type Opened = { readonly formatId: string; readonly segments: Segment[] }

/** What a file says; undefined where its format is unknown. */
export const readSafely = (fileName: string, bytes: Uint8Array): Promise<Opened | undefined> =>
  runSafely<Opened | undefined>(new URL('./whole-files.ts', import.meta.url), 'readFile', [fileName, bytes])

/** The file with the translations in it. An unknown format takes none and comes back as it is. */
export const writeSafely = (
  fileName: string,
  bytes: Uint8Array,
  translations: Translations,
  target: Target,
): Promise<Uint8Array> =>
  runSafely<Uint8Array>(new URL('./whole-files.ts', import.meta.url), 'writeFile', [
    fileName,
    bytes,
    translations,
    target,
  ])

type Waiting = {
  readonly call: WorkerCall
  readonly milliseconds: number
  readonly resolve: (result: unknown) => void
  readonly reject: (error: Error) => void
}

const queue: Waiting[] = []
const idle: Worker[] = []
let busy = 0
const mostWorkers = Math.max(1, Math.min(4, availableParallelism()))

/** Calls an exported function of a module, named by the URL of its source, in a worker. Arguments are copied. */
export function runSafely<Result>(
  module: URL,
  name: string,
  args: readonly unknown[],
  milliseconds: number = bounds.milliseconds,
): Promise<Result> {
  return new Promise<Result>((resolve, reject) => {
    const call = { module: builtUrl(module).href, name, args: args.map(copyBytes) }
    queue.push({ call, milliseconds, resolve: (result) => resolve(result as Result), reject })
    startNext()
  })
}

/** A view of a large buffer would be sent with all of the buffer. */
const copyBytes = (value: unknown): unknown => (value instanceof Uint8Array ? new Uint8Array(value) : value)

/** Threads load what is built: Node 20 cannot run the sources themselves, which is where tests run from. */
function builtUrl(source: URL): URL {
  if (!import.meta.url.endsWith('.ts')) return new URL(source.href.replace(/\.ts$/, '.js'))
  return new URL(source.href.replace('/packages/server/src/', '/packages/server/dist/').replace(/\.ts$/, '.js'))
}

function startNext(): void {
  if (busy >= mostWorkers) return
  const next = queue.shift()
  if (!next) return
  busy++
  const worker = idle.pop() ?? startWorker()
  worker.ref()
  const settle = (isSound: boolean) => {
    clearTimeout(timer)
    // One by one: a Worker has listeners of its own, which removing all of them would deafen.
    worker.off('message', answered).off('error', died).off('exit', ended)
    busy--
    // A worker at rest does not keep the process alive.
    worker.unref()
    if (isSound) idle.push(worker)
    else void worker.terminate()
    startNext()
  }
  const answered = (answer: WorkerAnswer) => {
    settle(true)
    if ('refusal' in answer) next.reject(new FormatError(answer.refusal.code, answer.refusal.message))
    else if ('fault' in answer) next.reject(new Error(`A worker failed: ${answer.fault}`))
    else next.resolve(answer.result)
  }
  const died = (error: unknown) => {
    settle(false)
    next.reject(failureOf(error))
  }
  const ended = (code: number) => died(new Error(`A worker ended with code ${code}.`))
  const timer = setTimeout(() => {
    settle(false)
    const seconds = next.milliseconds / 1000
    next.reject(new FormatError('TIME_LIMIT', `The file took more than ${seconds} seconds and was given up.`))
  }, next.milliseconds)
  worker.on('message', answered).on('error', died).on('exit', ended)
  worker.postMessage(next.call)
}

function startWorker(): Worker {
  return new Worker(builtUrl(new URL('./worker.ts', import.meta.url)), {
    // A file is many small objects that live until it is written: a larger nursery saves most of their copying.
    resourceLimits: {
      maxOldGenerationSizeMb: bounds.workerMegabytes,
      maxYoungGenerationSizeMb: bounds.nurseryMegabytes,
    },
  })
}

function failureOf(error: unknown): Error {
  const isMemory = error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
  if (isMemory) return new FormatError('TOO_LARGE', 'The file needs more memory than one file may take.')
  return error instanceof Error ? error : new Error(String(error))
}
