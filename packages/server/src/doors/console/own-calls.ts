/** Handlers of every call that only the console has. */
import { consoleDeliveryHandlers } from './deliveries.ts'
import { jobFigureHandlers } from './job-figures.ts'
import { jobHandlers } from './job-lanes.ts'
import { overviewHandlers } from './overview.ts'
import { type ConsoleHandlers, sessionHandlers } from './session.ts'
import { setUpHandlers } from './set-up.ts'

export const ownHandlers: ConsoleHandlers = {
  ...sessionHandlers,
  ...consoleDeliveryHandlers,
  ...jobHandlers,
  ...setUpHandlers,
  ...jobFigureHandlers,
  ...overviewHandlers,
}
