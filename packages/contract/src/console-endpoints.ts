/**
 * Calls that only the console makes, below /console/api with a session. The endpoints of the REST
 * interface are bound there too, so this table holds only what no other client needs; it is not in
 * the OpenAPI document.
 */
import { sessionEndpoints } from './endpoints/console.ts'
import { consoleDeliveryEndpoints } from './endpoints/console-deliveries.ts'
import { consoleJobEndpoints } from './endpoints/console-job.ts'
import { jobFigureEndpoints } from './endpoints/console-job-figures.ts'
import { overviewEndpoints, workEndpoints } from './endpoints/console-overview.ts'
import { signInEndpoints } from './endpoints/console-people.ts'
import { setUpEndpoints } from './endpoints/console-set-up.ts'

export const consoleEndpoints = {
  ...sessionEndpoints,
  ...signInEndpoints,
  ...consoleDeliveryEndpoints,
  ...consoleJobEndpoints,
  ...setUpEndpoints,
  ...jobFigureEndpoints,
  ...overviewEndpoints,
  ...workEndpoints,
} as const

export type ConsoleEndpoints = typeof consoleEndpoints
export type ConsoleEndpointName = keyof ConsoleEndpoints
