/** How many tasks one side of the figure `tasks` runs, and how many at once. */
export type TaskRun = { readonly many: number; readonly concurrency: number }
