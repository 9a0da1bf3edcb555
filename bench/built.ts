/** The parts of the built server that the bench uses itself, to fill databases and run tasks. */
export type Hub = import('../packages/server/src/hub.ts').Hub

/** Seen from .build/bench/bench, where this file runs. */
export const repository = new URL('../../../', import.meta.url)
const server = new URL('packages/server/dist/', repository)

const text = new URL('packages/text/dist/', repository)

const load = async <T>(file: string, from = server): Promise<T> =>
  (await import(new URL(file, from).href)) as T

export const databaseModule = () =>
  load<typeof import('../packages/server/src/store/open-database.ts')>('store/open-database.js')
export const pageModule = () =>
  load<typeof import('../packages/server/src/store/page.ts')>('store/page.js')
export const vaultModule = () =>
  load<typeof import('../packages/server/src/store/vault.ts')>('store/vault.js')
export const tasksModule = () =>
  load<typeof import('../packages/server/src/store/tasks/add-tasks.ts')>('store/tasks/add-tasks.js')
export const sqliteModule = () =>
  load<typeof import('../packages/server/src/store/sqlite/sqlite-module.ts')>(
    'store/sqlite/sqlite-module.js',
  )
export const hubModule = () => load<typeof import('../packages/server/src/hub.ts')>('hub.js')
export const configModule = () =>
  load<typeof import('../packages/server/src/config/config.ts')>('config/config.js')
export const runnerModule = () =>
  load<typeof import('../packages/server/src/doors/work/runner.ts')>('doors/work/runner.js')
export const prepareModule = () =>
  load<typeof import('../packages/server/src/domain/language/memory/prepare-units.ts')>(
    'domain/language/memory/prepare-units.js',
  )
export const sourceHashModule = () =>
  load<typeof import('../packages/text/src/likeness/source-hash.ts')>(
    'likeness/source-hash.js',
    text,
  )
export const memoryRowsModule = () =>
  load<typeof import('../packages/server/src/domain/language/memory/memory-rows.ts')>(
    'domain/language/memory/memory-rows.js',
  )
export const findModule = () =>
  load<typeof import('../packages/text/src/formats/find-format.ts')>('formats/find-format.js', text)
export const runModule = () =>
  load<typeof import('../packages/server/src/domain/language/worker/run.ts')>(
    'domain/language/worker/run.js',
  )
