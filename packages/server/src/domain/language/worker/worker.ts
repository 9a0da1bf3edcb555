/**
 * Runs in a worker thread: loads the module named by a call, runs its function, and returns the
 * result or the error.
 */
import { parentPort } from 'node:worker_threads'
import { FormatError } from '@dragoman/text/formats'
import { buffersIn } from './pages.ts'

export type WorkerCall = {
  readonly module: string
  readonly name: string
  readonly args: readonly unknown[]
}
export type WorkerAnswer =
  | { readonly result: unknown }
  | { readonly refusal: { readonly code: FormatError['code']; readonly message: string } }
  | { readonly fault: string }

parentPort?.on('message', async (call: WorkerCall) => {
  const given = await answer(call)
  // Bytes are moved: whoever asked would stand still while they are copied.
  parentPort?.postMessage(given, 'result' in given ? buffersIn(given.result) : [])
})

async function answer({ module, name, args }: WorkerCall): Promise<WorkerAnswer> {
  try {
    const loaded = (await import(module)) as Record<
      string,
      (...args: readonly unknown[]) => unknown
    >
    return { result: await loaded[name]?.(...args) }
  } catch (error) {
    if (error instanceof FormatError)
      return { refusal: { code: error.code, message: error.message } }
    return { fault: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}
