/**
 * Holds the long timers of this process until a test releases them: what only a timeout would end
 * never ends, and a delay lasts exactly as long as the test needs, however busy the machine is.
 */
import { onTestFinished } from 'vitest'

export type HeldTimers = {
  /** Fires the timers that are held now, and stops holding new ones. */
  fire(): void
}

/**
 * Holds every timer of this length or longer (up to `toMs`) that is set from now on, until the test
 * is over.
 */
export function holdTimers(fromMs: number, toMs = Number.POSITIVE_INFINITY): HeldTimers {
  const { setTimeout: set, clearTimeout: clear } = globalThis
  const held = new Map<unknown, () => void>()
  const holding = (act: (...given: unknown[]) => void, ms = 0, ...given: unknown[]) => {
    if (ms < fromMs || ms > toMs) return set(act, ms, ...given)
    const timer = set(() => {}, 2 ** 31 - 1).unref()
    held.set(timer, () => act(...given))
    return timer
  }
  const restore = () => {
    globalThis.setTimeout = set
    globalThis.clearTimeout = clear
  }
  globalThis.setTimeout = Object.assign(holding, set) as unknown as typeof set
  globalThis.clearTimeout = (timer) => {
    held.delete(timer)
    clear(timer)
  }
  onTestFinished(restore)
  return {
    fire: () => {
      restore()
      for (const act of held.values()) act()
      held.clear()
    },
  }
}
