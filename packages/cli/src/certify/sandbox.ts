/** The sandbox controls that certification needs: faults, the clock, and recorded calls. */

import type { SeenCall, SeenDelivery } from '@dragoman/certify'
import { heardError } from '@dragoman/contract/wire'

export type Scenario = {
  readonly name: string
  readonly says: string
  readonly goodConnector: string
  readonly on: 'call' | 'work' | 'delivery'
  readonly by?: string
}

export type Sandbox = {
  readonly url: string
  readonly scenarios: readonly Scenario[]
  /** Returns a function that reports how often it acted. */
  arm(scenario: string, client: string, by?: string): Promise<() => Promise<number>>
  disarm(): Promise<void>
  advance(by: string): Promise<void>
  /** How far the clock is ahead, in milliseconds. */
  offset(): Promise<number>
  /** Puts the clock back to an earlier offset. */
  restore(offsetMs: number): Promise<void>
  /** The number of the last call or delivery so far. */
  mark(): Promise<number>
  callsSince(mark: number, client: string): Promise<SeenCall[]>
  deliveriesSince(mark: number): Promise<SeenDelivery[]>
}

/** The sandbox does not answer; the sentence says why and what to do. */
class NoSandbox extends Error {
  override readonly name = 'NoSandbox'
}

type Listed = { scenarios: Scenario[]; active: Counted[]; spent: Counted[] }
type Counted = { id: string; acted: number }

export async function openSandbox(given: string): Promise<Sandbox> {
  const url = given.replace(/(?<!\/)\/+$/, '')
  const ask = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const answer = await fetch(`${url}/sandbox${path}`, {
      method,
      ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    }).catch((error: unknown) => {
      const says = `No hub at ${url}: ${reasonOf(error)}. Start one with: npm start`
      throw heardError('SERVICE_UNAVAILABLE', says, { status: 0 })
    })
    const said: unknown = await answer.json().catch(() => undefined)
    if (answer.ok && typeof said === 'object' && said !== null) return said as T
    if (answer.status === 404)
      throw new NoSandbox(
        `${url} has no ${path} under /sandbox: it must be a hub of this version with the sandbox profile.`,
      )
    const message = (said as { message?: string } | undefined)?.message ?? 'not like a hub'
    throw new NoSandbox(`${url}/sandbox${path} answered ${answer.status}: ${message}`)
  }
  const { scenarios } = await ask<Listed>('GET', '/faults')
  const all = async <T>(
    path: string,
    from: number,
    pick: (page: Record<string, T[]>) => T[],
  ): Promise<T[]> => {
    const found: T[] = []
    for (let after = from; ; ) {
      const page = await ask<Record<string, T[]> & { last: number }>(
        'GET',
        `${path}?after=${after}`,
      )
      const some = pick(page)
      if (some.length === 0) return found
      for (const one of some) found.push(one)
      after = page.last
    }
  }
  const calls = (mark: number) => all<SeenCall>('/calls', mark, (page) => page.calls ?? [])
  const deliveries = (mark: number) =>
    all<SeenDelivery>('/deliveries', mark, (page) => page.deliveries ?? [])
  let seen = 0
  return {
    url,
    scenarios,
    arm: async (scenario, client, by) => {
      const { id } = await ask<Counted>('POST', '/faults', {
        scenario,
        client,
        ...(by !== undefined && { by }),
      })
      return async () => {
        const { active, spent } = await ask<Listed>('GET', '/faults')
        return [...active, ...spent].find((fault) => fault.id === id)?.acted ?? 0
      }
    },
    disarm: async () => void (await ask('DELETE', '/faults')),
    advance: async (by) => void (await ask('POST', '/clock/advance', { by })),
    offset: async () => (await ask<{ offsetMs: number }>('GET', '/clock')).offsetMs,
    restore: async (offsetMs) => void (await ask('POST', '/clock/restore', { offsetMs })),
    mark: async () => {
      const numbers = [...(await calls(seen)), ...(await deliveries(seen))].map(
        ({ number }) => number,
      )
      seen = Math.max(seen, ...numbers)
      return seen
    },
    callsSince: async (mark, client) =>
      (await calls(mark)).filter((call) => call.client === client),
    deliveriesSince: deliveries,
  }
}

function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause as { code?: string } | undefined) : undefined
  return cause?.code ?? (error instanceof Error ? error.message : String(error))
}
