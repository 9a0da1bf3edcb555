/** The sandbox controls as functions: the clock, faults on demand, and recorded calls. */
import { heardError } from '@dragoman/contract/wire'
import { unreachable } from '@dragoman/sdk'

/** When a fault acts: for a client, provider, label or job, or for the next `times` calls. */
export type FaultOptions = {
  readonly times?: number
  /** Acts on every nth matching call. */
  readonly every?: number
  readonly label?: string
  readonly provider?: string
  readonly client?: string
  readonly jobId?: string
  readonly seconds?: number
  /** A duration such as 5m. */
  readonly by?: string
}
export type Fault = FaultOptions & {
  readonly id: string
  readonly scenario: string
  readonly left: number
}

/** The part of a recorded call that tests need; the hub returns more. */
export type SeenCall = {
  readonly number: number
  /** x-request-id, and traceId of an error. */
  readonly id: string
  readonly time: string
  readonly method: string
  /** Below the hub's URL, with its placeholders: `/v2/jobs/{jobId}`. */
  readonly route: string
  readonly client?: string
  readonly status: number
  readonly code?: string
  readonly [more: string]: unknown
}

export type Controls = {
  readonly clock: {
    now(): Promise<Date>
    /**
     * Advances time; everything that falls due has happened when it resolves. `90s 5m 2h 3d 6mo
     * 1y`.
     */
    advance(by: string): Promise<Date>
  }
  readonly faults: {
    /** Sets a named fault; docs/faults-on-demand.md lists them. */
    on(scenario: string, options?: FaultOptions): Promise<Fault>
    clear(): Promise<void>
    scenarios(): Promise<readonly { readonly name: string }[]>
  }
  /** The recorded calls, oldest first. */
  calls(): Promise<SeenCall[]>
  /** Resets the demo site. */
  reset(): Promise<void>
}

export function openControls(url: string): Controls {
  const ask = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const answer = await fetch(`${url}/sandbox${path}`, {
      method,
      ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    }).catch((error: unknown) => {
      throw unreachable(url, error)
    })
    const said = (await answer.json()) as { code?: string; message?: string; traceId?: string }
    if (answer.ok) return said as T
    throw heardError(
      said.code ?? 'INTERNAL',
      said.message ?? `${path} answered ${answer.status}.`,
      {
        status: answer.status,
        traceId: said.traceId,
      },
    )
  }
  type Time = { now: string }
  return {
    clock: {
      now: async () => new Date((await ask<Time>('GET', '/clock')).now),
      advance: async (by) => new Date((await ask<Time>('POST', '/clock/advance', { by })).now),
    },
    faults: {
      on: (scenario, options = {}) => ask<Fault>('POST', '/faults', { scenario, ...options }),
      clear: async () => void (await ask('DELETE', '/faults')),
      scenarios: async () =>
        (await ask<{ scenarios: { name: string }[] }>('GET', '/faults')).scenarios,
    },
    calls: async () => {
      const all: SeenCall[] = []
      for (let after = 0; ; ) {
        const { calls, last } = await ask<{ calls: SeenCall[]; last: number }>(
          'GET',
          `/calls?after=${after}`,
        )
        if (calls.length === 0) return all
        all.push(...calls)
        after = last
      }
    },
    reset: async () => void (await ask('POST', '/reset')),
  }
}
