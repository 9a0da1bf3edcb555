/** One PostgreSQL for the whole test run. Without one, tests are skipped with a note; under CI that is a failure. */
import type {} from 'vitest'
import type { TestProject } from 'vitest/node'
import { startPostgres } from './postgres.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** URL of the server's own database `postgres`; empty if there is no server. */
    postgresUrl: string
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const postgres = await startPostgres({ durable: false })
  if (!postgres && process.env.CI === 'true')
    throw new Error('No PostgreSQL was found, and under CI its tests must run.')
  if (!postgres) console.warn('SKIPPED: the tests on PostgreSQL, because no PostgreSQL was found on this machine.')
  project.provide('postgresUrl', postgres?.url('postgres') ?? '')
  return async () => postgres?.stop()
}
