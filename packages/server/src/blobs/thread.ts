// The process's side of a worker thread: send it messages and await replies. It keeps the process
// alive only while a reply is pending.
import type { TransferListItem, Worker } from 'node:worker_threads'
import { BlobTrouble } from './blob-store.ts'

export type Thread = {
  tell(message: object): void
  /** The reply to a message. Transferred buffers are empty here afterwards. */
  ask<Answer>(message: object, transfer?: readonly TransferListItem[]): Promise<Answer>
  readonly hasEnded: boolean
}

/** The thread repeats the number of the message in its reply. */
export type ThreadCall<Question> = Question & { readonly call: number }
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
  worker.on('message', (answer: ThreadCall<object>) => {
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
