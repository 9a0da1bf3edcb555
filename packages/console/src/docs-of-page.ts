/**
 * The page of the documentation that explains each page of the console, by its path below /docs.
 */
import type { PageName } from './routes.tsx'

export const docsOfPage: Readonly<Record<PageName, string>> = {
  jobs: 'guides/console#jobs',
  job: 'guides/console#job',
  'new-job': 'guides/console#new-job',
  work: 'guides/console#work',
  team: 'guides/console#team',
  workbench: 'guides/console#workbench',
  reports: 'guides/console#reports',
  deliveries: 'guides/listeners#retries-and-failures',
  listeners: 'guides/listeners',
  calls: 'guides/console#calls',
  health: 'guides/findings',
  sandbox: 'guides/console#sandbox',
  providers: 'guides/console#providers',
  routing: 'guides/routing',
  terms: 'guides/console#terms-and-memory',
  memory: 'guides/console#terms-and-memory',
  prices: 'guides/quotes',
  codes: 'guides/settings',
  access: 'guides/people',
  me: 'guides/console#my-settings',
}
