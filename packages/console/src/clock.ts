/**
 * The hub's clock, as the console knows it: the browser's time plus the offset derived from the
 * hub's responses. In the sandbox it can be months ahead. Nothing else in the console reads the
 * time.
 */
import { useSyncExternalStore } from 'react'

let offsetMs = 0
const watchers = new Set<() => void>()
let shown = Date.now()

/** The hub's time, in milliseconds. */
export const hubNow = (): number => Date.now() + offsetMs

/**
 * Called with every time that the hub reports. A difference of less than a second is network delay,
 * not another clock.
 */
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

/** The hub's time, updated every second. */
export const useNow = (): number => useSyncExternalStore(watch, () => shown)

const minuteMs = 60_000
/** The same to the minute, for lists, so that they render once a minute instead of every second. */
export const useMinute = (): number =>
  useSyncExternalStore(watch, () => Math.floor(shown / minuteMs) * minuteMs)
