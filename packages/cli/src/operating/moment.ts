/** A time for a table: `2026-11-14 08:00`. */
export const moment = (time: string): string => time.slice(0, 16).replace('T', ' ')
