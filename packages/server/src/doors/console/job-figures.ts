/** What only the list of jobs in the console asks. */
import { listJobFigures } from '../../domain/quoting/list-figures.ts'
import type { ConsoleHandlers } from './session.ts'

export const jobFigureHandlers: Pick<ConsoleHandlers, 'listJobFigures'> = {
  listJobFigures: (hub, call, { query }) => listJobFigures(hub, call, query.jobId),
}
