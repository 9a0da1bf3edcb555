/** The filter of the page: its names in the URL and in the calls. */
import type { DeliveryCause, DeliveryState, SiteReplay } from '@dragoman/contract/wire'
import type { Search } from '../../search.ts'

export type Filter = Omit<NonNullable<SiteReplay['filter']>, 'state' | 'siteId'> & {
  readonly state?: DeliveryState[]
}

const states: readonly string[] = ['PENDING', 'DELIVERED', 'PARKED']

export function filterOf({ state, listener, code, error, job, since, until }: Search): Filter {
  const responseCode = Number(code)
  return {
    ...(state && states.includes(state) && { state: [state as DeliveryState] }),
    ...(listener && { listenerId: listener }),
    ...(responseCode >= 100 && responseCode <= 999 && { responseCode: Math.trunc(responseCode) }),
    ...(error && { error }),
    ...(job && { jobId: job }),
    ...(isTime(since) && { since }),
    ...(isTime(until) && { until }),
  }
}

const isTime = (text: string | undefined): text is string =>
  text !== undefined && !Number.isNaN(Date.parse(text))

/** The URL of the deliveries with one cause. */
export const searchOf = ({ listenerId, responseCode, error }: DeliveryCause): Search => ({
  listener: listenerId,
  code: responseCode === undefined ? '' : String(responseCode),
  error: error ?? '',
  state: responseCode === undefined && error === undefined ? 'PARKED' : '',
  job: '',
  since: '',
  until: '',
})

export const noFilter: Search = {
  state: '',
  listener: '',
  code: '',
  error: '',
  job: '',
  since: '',
  until: '',
}
