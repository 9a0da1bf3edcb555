/** The files that the gate runs on PostgreSQL too. */
export const postgresFiles: readonly string[] = []
