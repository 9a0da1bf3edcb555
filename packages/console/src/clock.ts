/**
 * The hub's clock, as the console knows it: the browser's time plus the difference that the hub's answers tell. In the sandbox
 * it can be months ahead. Nothing else in the console reads the time.
 */
import { useSyncExternalStore } from 'react'

let offsetMs = 0
const watchers = new Set<() => void>()
let shown = Date.now()

/** The hub's time, in milliseconds. */
export const hubNow = (): number => Date.now() + offsetMs

/** Called with each time the hub tells. A difference of less than a second is the way here, not another clock. */
export function learnTime(time: string): void {
  const told = Date.parse(time) - Date.now()
  if (Math.abs(told - offsetMs) < 1_000) return
  offsetMs = told
  tick()
}

function tick(): void {
  shown = hubNow()
  for (const watcher of watchers) watcher()
}

function watch(watcher: () => void): () => void {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}

setInterval(tick, 1_000)

/** The hub's time, told anew every second. */
export const useNow = (): number => useSyncExternalStore(watch, () => shown)

const minuteMs = 60_000
/** The same to the minute, for lists: they are drawn again once a minute, not every second. */
export const useMinute = (): number => useSyncExternalStore(watch, () => Math.floor(shown / minuteMs) * minuteMs)
