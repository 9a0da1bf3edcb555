/**
 * The lane of a task: the hub's own work, or calls to outside parties, which may be slow. Lanes are
 * claimed separately, so that waiting for others never delays the hub's own work. The number is
 * what the column holds.
 */
export const lanes = { own: 0, outside: 1 } as const
export type Lane = keyof typeof lanes
export const everyLane = Object.keys(lanes) as readonly Lane[]

/** The key of another piece of the same work. The part before the last colon names the work. */
export const siblingKey = (key: string | undefined, piece: string): string =>
  (key === undefined ? '' : key.slice(0, key.lastIndexOf(':') + 1)) + piece
