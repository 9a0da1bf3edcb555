/**
 * What is next for a job and a listener. Questions of one turn of the event loop, and those that come up while others are
 * being answered, are asked together, in one statement.
 */
import type { Hub } from '../../hub.ts'
import { type Line, type NextDelivery, nameOf, selectNext } from './attempt-rows.ts'

type Asked = { readonly line: Line; resolve(next: NextDelivery | undefined): void; reject(error: unknown): void }

/** Of this node only: each asks for its own tasks. */
const asking = new WeakMap<Hub, Asked[]>()
const mostAtOnce = 256

export function findNext(hub: Hub, line: Line): Promise<NextDelivery | undefined> {
  return new Promise((resolve, reject) => {
    const asked = { line, resolve, reject }
    const others = asking.get(hub)
    if (others) others.push(asked)
    else {
      const first = [asked]
      asking.set(hub, first)
      setImmediate(answerAll, hub, first)
    }
  })
}

async function answerAll(hub: Hub, waiting: Asked[]): Promise<void> {
  while (waiting.length > 0) await answer(hub, waiting.splice(0, mostAtOnce))
  asking.delete(hub)
}

async function answer(hub: Hub, some: readonly Asked[]): Promise<void> {
  try {
    const lines = some.map(({ line }) => line)
    const found = await selectNext(hub.engine, lines)
    for (const { line, resolve } of some) resolve(found.get(nameOf(line)))
  } catch (error) {
    for (const { reject } of some) reject(error)
  }
}
