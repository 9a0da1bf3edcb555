/**
 * Waiting. It always says on standard error for what and for how long: one line at the start and
 * every half minute, or on a terminal one line that counts.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { Screen } from './command.ts'
import { printable } from './printable.ts'
import { dim, widthOf } from './table.ts'
import { openTerminal, type Write } from './terminal.ts'

export type Wait = {
  /** What it waits for, after "Waiting for": `3 translations of job 7Qm2`. */
  readonly what: string
  /** The time limit; without one it waits until it is interrupted. */
  readonly forMs?: number
  /** The pause between two polls; a second by default. */
  readonly everyMs?: number
  readonly signal?: AbortSignal
}

export type Waiting = {
  /** Repeats the line with what it now waits for; call it on every poll. */
  show(what?: string): void
  /** Removes the line on a terminal. */
  end(): void
}

const repeatMs = 30_000

/** For a wait with its own loop. `waitFor` is enough for most. */
export function openWait(screen: Screen, { what: first, forMs }: Wait, write?: Write): Waiting {
  const draw = openTerminal(write)
  const begun = performance.now()
  let what = first
  let told = { what: '', at: 0 }
  let shown = 0
  const upTo = forMs === undefined ? 'until Ctrl-C' : `up to ${durationText(forMs)}`
  const clear = () => {
    if (shown > 0) draw('', `\r${' '.repeat(shown)}\r`)
    shown = 0
  }
  const show = (now = what) => {
    what = now
    const waited = performance.now() - begun
    if (screen.isTerminal.err) {
      const limit = forMs === undefined ? '' : ` of ${durationText(forMs)}`
      const whole = printable(`Waiting for ${what}: ${durationText(waited)}${limit}`)
      const line = whole.slice(0, Math.max(20, screen.columns - 1))
      clear()
      draw(dim(screen, line, 'err'))
      shown = widthOf(line)
      return
    }
    if (what === told.what && waited - told.at < repeatMs) return
    screen.err(
      `Waiting for ${what} (${told.what === '' ? upTo : `${durationText(waited)} so far, ${upTo}`})…`,
    )
    told = { what, at: waited }
  }
  show()
  return { show, end: clear }
}

/**
 * Polls until there is a result; undefined if there is none in time. Throws the reason of the
 * signal.
 */
export async function waitFor<T>(
  screen: Screen,
  wait: Wait,
  look: () => Promise<T | undefined>,
): Promise<T | undefined> {
  const { forMs = Number.POSITIVE_INFINITY, everyMs = 1_000, signal } = wait
  const begun = performance.now()
  const line = openWait(screen, wait)
  try {
    for (;;) {
      signal?.throwIfAborted()
      const found = await look()
      if (found !== undefined) return found
      const left = forMs - (performance.now() - begun)
      if (left <= 0) return undefined
      line.show()
      await pause(Math.min(everyMs, left), undefined, signal && { signal }).catch(() =>
        signal?.throwIfAborted(),
      )
    }
  } finally {
    line.end()
  }
}

/** `45 s`, `2 min 5 s`, `1 h 3 min`. */
export function durationText(ms: number): string {
  const seconds = Math.floor(ms / 1_000)
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  const parts =
    minutes < 60
      ? [`${minutes} min`, `${seconds % 60} s`]
      : [`${Math.floor(minutes / 60)} h`, `${minutes % 60} min`]
  return parts.filter((part) => !part.startsWith('0 ')).join(' ')
}
