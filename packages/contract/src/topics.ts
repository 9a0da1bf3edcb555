/**
 * What the console's event stream tells of. An event is `{ topic, id, version }`: something changed, read it again. Without an
 * id many things of the topic changed; `all` says that anything may have.
 */
export const topics = [
  'job',
  'timeline',
  'delivery',
  'listener',
  'call',
  'task',
  'finding',
  'node',
  'clock',
  'provider',
  'price',
  'code',
  'settings',
  'client',
  'person',
  'site',
  'audit',
  'all',
] as const
export type Topic = (typeof topics)[number]

export type StreamEvent = {
  readonly topic: Topic
  /** Of `timeline`, the job's. */
  readonly id?: string
  readonly version?: number
}
