/** Every figure, in the order of the table. */
import type { Figure } from '../figure.ts'
import { codesOverSoap } from './analysis-codes.ts'
import { jobsOnPostgres, jobsOnSqlite } from './create-jobs.ts'
import { growthOnPostgres, growthOnSqlite } from './list-growth.ts'
import { pageOnPostgres, pageOnSqlite } from './list-jobs.ts'
import { countWords, quoteOnPostgres, quoteOnSqlite, tmxImport } from './quotes.ts'
import { start } from './start.ts'
import { tasksOnPostgres } from './tasks.ts'
import { testingHub } from './testing-hub.ts'

export const figures: readonly Figure[] = [
  jobsOnSqlite,
  jobsOnPostgres,
  pageOnSqlite,
  pageOnPostgres,
  growthOnSqlite,
  growthOnPostgres,
  tasksOnPostgres,
  codesOverSoap,
  countWords,
  quoteOnSqlite,
  quoteOnPostgres,
  tmxImport,
  start,
  testingHub,
]
