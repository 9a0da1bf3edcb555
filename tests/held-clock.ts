/** Stops a hub's clock, so that a busy machine cannot carry a test out of a window of time. */
import { onTestFinished } from 'vitest'
import type { Hub } from '../packages/server/src/hub.ts'

/** Until the result is called, or the test is over. */
export function holdClock({ clock }: Hub): () => void {
  const { now } = clock
  const held = now()
  const release = () => void Object.assign(clock, { now })
  Object.assign(clock, { now: () => held })
  onTestFinished(release)
  return release
}
