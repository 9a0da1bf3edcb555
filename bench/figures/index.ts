/** Every figure, in the order of the table. */
import type { Figure } from '../figure.ts'
import { consoleDesk } from './console-desk.ts'
import { consoleJobs } from './console-jobs.ts'
import { growthOnPostgres, growthOnSqlite } from './list-growth.ts'
import { lookUp } from './look-up.ts'
import { memory } from './memory.ts'
import { besideDirectus, besidePrism } from './peers.ts'
import { sealedDownload, sealedUploads } from './sealed.ts'
import { start } from './start.ts'
import { tasksOnPostgres } from './tasks.ts'
import { testingHub } from './testing-hub.ts'
import { toolkit } from './toolkit.ts'
import { download, multipart } from './transfer.ts'
import { tus } from './tus.ts'

export const figures: readonly Figure[] = [
  growthOnSqlite,
  growthOnPostgres,
  besideDirectus,
  besidePrism,
  tasksOnPostgres,
  lookUp,
  toolkit,
  start,
  testingHub,
  tus,
  multipart,
  download,
  sealedUploads,
  sealedDownload,
  memory,
  consoleJobs,
  consoleDesk,
]
