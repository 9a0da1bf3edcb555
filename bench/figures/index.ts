/** Every figure, in the order of the table. */
import type { Figure } from '../figure.ts'
import { requestsOnPostgres, requestsOnSqlite } from './add-requests.ts'
import { codesOverSoap } from './analysis-codes.ts'
import { badListeners } from './bad-listeners.ts'
import { consoleDesk } from './console-desk.ts'
import { consoleJobs } from './console-jobs.ts'
import { jobsOnPostgres, jobsOnSqlite } from './create-jobs.ts'
import { deliveriesOnPostgres, deliveriesOnSqlite } from './deliveries.ts'
import { engineOnSqlite } from './engine.ts'
import { formats } from './formats.ts'
import { growthOnPostgres, growthOnSqlite } from './list-growth.ts'
import { pageOnPostgres, pageOnSqlite } from './list-jobs.ts'
import { lookUp } from './look-up.ts'
import { memory } from './memory.ts'
import { nodes } from './nodes.ts'
import { operatingOnPostgres, operatingOnSqlite } from './operating-pages.ts'
import { besideDirectus, besidePrism } from './peers.ts'
import { countWords, quoteOnPostgres, quoteOnSqlite, tmxOnPostgres, tmxOnSqlite } from './quotes.ts'
import { readJob } from './read-job.ts'
import { roundOnPostgres, roundOnSqlite } from './round.ts'
import { sealedDownload, sealedUploads } from './sealed.ts'
import { segmentsOnPostgres, segmentsOnSqlite } from './segments.ts'
import { start } from './start.ts'
import { streams } from './streams.ts'
import { tasksOnPostgres } from './tasks.ts'
import { testingHub } from './testing-hub.ts'
import { timelineOnPostgres, timelineOnSqlite } from './timeline.ts'
import { toolkit } from './toolkit.ts'
import { download, multipart } from './transfer.ts'
import { tus } from './tus.ts'
import { updatesOnPostgres, updatesOnSqlite } from './updates.ts'

export const figures: readonly Figure[] = [
  jobsOnSqlite,
  jobsOnPostgres,
  pageOnSqlite,
  pageOnPostgres,
  growthOnSqlite,
  growthOnPostgres,
  operatingOnSqlite,
  operatingOnPostgres,
  timelineOnSqlite,
  timelineOnPostgres,
  readJob,
  besideDirectus,
  besidePrism,
  tasksOnPostgres,
  nodes,
  codesOverSoap,
  countWords,
  quoteOnSqlite,
  quoteOnPostgres,
  tmxOnSqlite,
  tmxOnPostgres,
  lookUp,
  segmentsOnSqlite,
  segmentsOnPostgres,
  engineOnSqlite,
  formats,
  toolkit,
  start,
  testingHub,
  tus,
  multipart,
  download,
  sealedUploads,
  sealedDownload,
  memory,
  streams,
  requestsOnSqlite,
  requestsOnPostgres,
  roundOnSqlite,
  roundOnPostgres,
  deliveriesOnSqlite,
  deliveriesOnPostgres,
  badListeners,
  updatesOnSqlite,
  updatesOnPostgres,
  consoleJobs,
  consoleDesk,
]
