/**
 * The only clock: nothing else reads the time. In the sandbox it can be moved ahead; elsewhere its
 * offset is zero.
 */
export type Clock = {
  /** Milliseconds since 1970, UTC. */
  now(): number
}

/** A clock that can be set ahead of the machine's. */
export type MovableClock = Clock & {
  /** How far ahead of the machine's clock it runs, in milliseconds. */
  offset(): number
  /** Moves to `time`, never backwards. */
  moveTo(time: number): void
  /** Sets the offset: the stored one at start, 0 at a reset. */
  setOffset(milliseconds: number): void
}

export function openClock(): MovableClock {
  let offset = 0
  return {
    now: () => Date.now() + offset,
    offset: () => offset,
    moveTo: (time) => {
      offset = Math.max(offset, time - Date.now())
    },
    setOffset: (milliseconds) => {
      offset = milliseconds
    },
  }
}
