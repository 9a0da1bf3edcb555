/**
 * Which cached reads an event makes stale: the calls below a path; of those for a single thing,
 * only those for the thing in the event.
 */
import { callTable, consoleCallTable, type StreamEvent, type Topic } from '@dragoman/contract/wire'
import type { CallName } from '../hub.ts'

type Reach = {
  /** Calls whose path begins with one of these. */
  readonly paths: readonly string[]
  /** The parameter that holds the id of the event. */
  readonly param?: string
}

const reaches: Readonly<Record<Topic, Reach>> = {
  job: {
    paths: [
      '/jobs',
      '/counts',
      '/statusupdates',
      '/providers/{providerId}/jobs',
      '/providers/{providerId}/work',
      '/reports',
      '/work',
    ],
    param: 'jobId',
  },
  timeline: { paths: ['/jobs/{jobId}/timeline'], param: 'jobId' },
  delivery: { paths: ['/deliveries', '/counts', '/findings'], param: 'deliveryId' },
  listener: { paths: ['/statusupdates/listeners', '/listeners', '/findings'], param: 'listenerId' },
  call: { paths: ['/calls'], param: 'traceId' },
  task: { paths: ['/tasks', '/findings', '/counts'], param: 'taskId' },
  finding: { paths: ['/findings', '/counts'] },
  node: { paths: ['/nodes', '/findings', '/counts'] },
  clock: { paths: ['/session', '/jobs/counts', '/findings', '/counts'] },
  provider: { paths: ['/providers'], param: 'providerId' },
  price: { paths: ['/settings/pricelists'], param: 'priceListId' },
  code: { paths: ['/settings/analysiscodes', '/settings/analysislevels'] },
  settings: { paths: ['/settings'] },
  client: { paths: ['/clients'], param: 'clientId' },
  person: { paths: ['/people', '/sessions', '/session', '/me', '/work/people'] },
  site: { paths: ['/sites'], param: 'siteId' },
  audit: { paths: ['/audit'] },
  all: { paths: ['/'] },
}

/** The key of a cached read: the call, the site, and its input. */
export type ReadKey = readonly [CallName, string?, { readonly params?: unknown }?]

export function isAffected([name, , input]: ReadKey, { topic, id }: StreamEvent): boolean {
  const { paths, param = '' } = reaches[topic]
  const path = (callTable[name] ?? consoleCallTable[name])?.call.split(' ')[1] ?? ''
  if (path === '') return false
  if (!paths.some((start) => path.startsWith(start))) return false
  const named = (input?.params as Readonly<Record<string, unknown>> | undefined)?.[param]
  return id === undefined || named === undefined || named === id
}
