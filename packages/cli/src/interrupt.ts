/**
 * Ctrl-C during a command: the first one ends it cleanly, a second one ends the process at once.
 */
import { exitCodes, Interrupted } from './command.ts'

export async function interruptible<T>(
  says: string,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const stop = new AbortController()
  const told = () => {
    if (stop.signal.aborted) process.exit(exitCodes.interrupted)
    stop.abort(new Interrupted(says))
  }
  const signals = ['SIGINT', 'SIGTERM'] as const
  for (const signal of signals) process.on(signal, told)
  try {
    return await work(stop.signal)
  } catch (error) {
    if (stop.signal.aborted) throw stop.signal.reason
    throw error
  } finally {
    for (const signal of signals) process.removeListener(signal, told)
  }
}
