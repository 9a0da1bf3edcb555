/**
 * The port through which the sandbox makes things go wrong on purpose (docs/faults-on-demand.md). The hub has it in the
 * sandbox profile only; elsewhere it is absent, and each place that asks for it goes its usual way.
 */
import type { Task } from './store/tasks/hold-tasks.ts'

export type Faults = {
  /** Around the run of a task: it may be put off, or something else may happen first. */
  task<T>(task: Task, run: () => Promise<T>): Promise<T | 'settled' | { readonly again: number }>
  /** What a driver has made, as it is delivered; undefined where it does not arrive now. */
  translation<T extends Made>(of: FaultyJob & { readonly targetLanguage: string }, made: T): Promise<T | undefined>
  /** Around one call to a listener. `instead` makes an outcome of a call that was not made. */
  delivery<P>(of: FaultyDelivery, call: DeliveryCall<P>): Promise<P>
  /** Everything as it was: no fault is active. */
  clear(): void
}

export type FaultyJob = { readonly siteId: string; readonly jobId: string }
export type Made =
  | { readonly bytes: Uint8Array }
  | { readonly fields: readonly { readonly key: string; readonly value: string }[] }

export type FaultyDelivery = { readonly siteId: string; readonly jobId: string; readonly listenerId: string }
type Headers = Readonly<Record<string, string>>
export type DeliveryCall<P> = {
  readonly headers: Headers
  post(headers: Headers): Promise<P>
  instead(outcome: { readonly status: number } | { readonly error: string }): P
}
