/**
 * Where a task waits: the hub's own work, or calls to somebody outside, who may be slow. Claimed apart, so that work that
 * waits for others never keeps the hub's own waiting. The number is what the row of a task says.
 */
export const lanes = { own: 0, outside: 1 } as const
export type Lane = keyof typeof lanes
/** The key of another piece of the same work: what stands before its last colon says which work it is. */
export const anotherKey = (key: string | undefined, piece: string): string =>
  (key === undefined ? '' : key.slice(0, key.lastIndexOf(':') + 1)) + piece
export const everyLane = Object.keys(lanes) as readonly Lane[]
