// A thread that is told and asked things, from the side of the process. It keeps the process alive only while it is asked.
import type { TransferListItem, Worker } from 'node:worker_threads'
import { BlobTrouble } from './blob-store.ts'

export type Thread = {
  tell(message: object): void
  /** The answer to a message. What is transferred is empty here from then on. */
  ask<Answer>(message: object, transfer?: readonly TransferListItem[]): Promise<Answer>
  readonly hasEnded: boolean
}

/** In the answer the thread repeats the number of the question. */
export type Asked<Question> = Question & { readonly call: number }
type Waiting = { resolve(answer: unknown): void; reject(error: Error): void }

export function openThread(worker: Worker, says: string): Thread {
  const waiting = new Map<number, Waiting>()
  let lastCall = 0
  let ended: Error | undefined
  const end = () => {
    ended ??= new BlobTrouble(`The thread that ${says} has ended.`)
    for (const { reject } of waiting.values()) reject(ended)
    waiting.clear()
  }
  worker.on('message', (answer: Asked<object>) => {
    waiting.get(answer.call)?.resolve(answer)
    waiting.delete(answer.call)
    if (waiting.size === 0) worker.unref()
  })
  worker.on('error', end)
  worker.on('exit', end)
  worker.unref()
  return {
    tell: (message) => worker.postMessage(message),
    ask: (message, transfer = []) =>
      new Promise((resolve, reject) => {
        if (ended) return reject(ended)
        lastCall += 1
        waiting.set(lastCall, { resolve: (answer) => resolve(answer as never), reject })
        worker.ref()
        worker.postMessage({ ...message, call: lastCall }, transfer)
      }),
    get hasEnded() {
      return ended !== undefined
    },
  }
}
