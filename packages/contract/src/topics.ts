/**
 * The topics of the console's event stream. An event is `{ topic, id, version }`: something
 * changed, read it again. Without an id, many things of the topic changed; `all` means that
 * anything may have changed.
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
  /** Only `timeline` has it: the id of the job. */
  readonly id?: string
  readonly version?: number
}
