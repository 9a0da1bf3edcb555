/** 0 or 1. */
export type Flag = number
/** JSON text. */
export type Json = string
/** Milliseconds since 1970, UTC. */
export type Time = number
