/**
 * Child processes of the bench: each side of a comparison has its own, called over fork's channel.
 */
import { fork } from 'node:child_process'
import type { Bench } from './figure.ts'

export type Verbs = Record<string, (arg: never) => unknown>

export type Child<V extends Verbs> = {
  readonly pid: number
  ask<N extends keyof V & string>(
    verb: N,
    ...arg: Parameters<V[N]>
  ): Promise<Awaited<ReturnType<V[N]>>>
  stop(): Promise<void>
}

type Question = { id: number; verb: string; arg: unknown }
type Answer = { id: number; value?: unknown; error?: string }

/** Starts `children/<name>`. */
export function startChild<V extends Verbs>(
  bench: Bench,
  name: string,
  execArgv: string[] = [],
): Child<V> {
  const child = fork(new URL(`./children/${name}.js`, import.meta.url), [], {
    execArgv,
    serialization: 'advanced',
  })
  const open = new Map<number, (answer: Answer) => void>()
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  let asked = 0
  child.on('message', (answer: Answer) => {
    open.get(answer.id)?.(answer)
    open.delete(answer.id)
  })
  child.once('exit', (code) => {
    for (const [id, tell] of open) tell({ id, error: `it ended with ${code}` })
  })
  const stop = async (): Promise<void> => {
    if (child.connected) child.disconnect()
    await gone
  }
  bench.atEnd(stop)
  return {
    pid: child.pid ?? 0,
    ask: (verb, ...[arg]) =>
      new Promise((resolve, reject) => {
        const id = asked++
        open.set(id, ({ value, error }) =>
          error === undefined
            ? resolve(value as never)
            : reject(new Error(`${name} ${verb}: ${error}`)),
        )
        child.send({ id, verb, arg } satisfies Question)
      }),
    stop,
  }
}

/** The child's side: answers until the parent disconnects, then closes what is open. */
export function answer<V extends Verbs>(
  verbs: V,
  close: () => Promise<void> | void = () => {},
): void {
  process.on('message', async ({ id, verb, arg }: Question) => {
    try {
      const value = await (verbs[verb] as unknown as (arg: unknown) => unknown)(arg)
      process.send?.({ id, value } satisfies Answer)
    } catch (error) {
      process.send?.({
        id,
        error: error instanceof Error ? (error.stack ?? error.message) : String(error),
      })
    }
  })
  process.once('disconnect', async () => {
    await close()
    process.exit(0)
  })
}
