/**
 * Where a task waits: the hub's own work, or calls to somebody outside, who may be slow. Claimed apart, so that work that
 * waits for others never keeps the hub's own waiting. The number is what the row of a task says.
 */
export const lanes = { own: 0, outside: 1 } as const
export type Lane = keyof typeof lanes
export const everyLane = Object.keys(lanes) as readonly Lane[]
