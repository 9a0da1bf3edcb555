/**
 * The port through which the sandbox makes things fail on purpose (docs/faults-on-demand.md). Only
 * the sandbox profile has it; elsewhere it is absent, and nothing changes.
 */
import type { Task } from './hold-tasks.ts'

export type Faults = {
  /** Wraps the run of a task: may delay it, or do something else first. */
  task<T>(task: Task, run: () => Promise<T>): Promise<T | 'settled' | { readonly again: number }>
  /** A driver's translation as it is delivered; undefined if it does not arrive now. */
  translation<T extends Made>(
    of: FaultyJob & { readonly targetLanguage: string },
    made: T,
  ): Promise<T | undefined>
  /** Wraps one call to a listener. `instead` makes an outcome of a call that was not made. */
  delivery<P>(of: FaultyDelivery, call: DeliveryCall<P>): Promise<P>
  /** Removes all faults. */
  clear(): void
}

export type FaultyJob = { readonly siteId: string; readonly jobId: string }
export type Made =
  | { readonly bytes: Uint8Array }
  | { readonly fields: readonly { readonly key: string; readonly value: string }[] }

export type FaultyDelivery = {
  readonly siteId: string
  readonly jobId: string
  readonly listenerId: string
}
type Headers = Readonly<Record<string, string>>
export type DeliveryCall<P> = {
  readonly headers: Headers
  post(headers: Headers): Promise<P>
  instead(outcome: { readonly status: number } | { readonly error: string }): P
}
