/**
 * A job that a vendor of machine translation translates, as a round that the hub is killed in. The
 * vendor and its meter outlive the hub: what the hub has reserved is never below the meter, and
 * above it by no more than the calls that were in flight. With `people` the job goes to a chain: it
 * is handed on once, when every request has its drafts.
 */
import { everyVendor } from '../engines/every-vendor.ts'
import { sources, targets } from '../engines/phrases.ts'
import type { RunningVendor } from '../engines/vendor.ts'
import type { Walk } from './round.ts'
import { openRoundClient } from './round-client.ts'
import { countFor } from './round-laws.ts'
import { keyOf } from './round-steps.ts'

type Usage = { readonly estimated: number; readonly billed?: number; readonly requests: number }
type Request = {
  readonly requestId: string
  readonly statusCode: string
  readonly hasError: boolean
}
type Piece = string | { readonly tag: number }
type Draft = {
  readonly state: string
  readonly target?: readonly Piece[]
  readonly tags: readonly { shows: string }[]
}
type Drafted = { readonly segments: readonly Draft[] }
type Retrieved = {
  readonly translationContent: readonly { readonly targetContent: readonly { value: string }[] }[]
}

/** Requests of the job; each is a call for every two texts, and two calls run at once. */
const requestNames = ['one', 'two', 'three']
const config = { ...everyVendor.deepl.config, batchSize: 2, concurrency: 2 }
/**
 * Calls that one node may have in flight for one job: its requests are translated one after the
 * other.
 */
const inFlight = config.concurrency

export const engineWalk = (vendor: RunningVendor, people?: 'people'): Walk => ({
  name: people ? 'a chain' : 'an engine',
  begin: async (place, _, jobName) => {
    const key = keyOf(jobName)
    const admin = openRoundClient(place, 'demo-admin')
    const connector = openRoundClient(place)
    vendor.be()
    const { providers } = await connector.get<{ providers: { id: string; name: string }[] }>(
      '/providers',
    )
    const made = {
      name: 'Vendor',
      typeId: 'machine-translation',
      config: { ...config, url: vendor.url },
    }
    const { id: providerId } =
      providers.find(({ name }) => name === made.name) ??
      (await admin.post<{ id: string }>('/providers', key('provider'), made))
    const manual = providers.find(({ name }) => name === 'Manual')?.id ?? ''
    const steps = [{ engines: [providerId] }, { people: manual }]
    const chain = { name: 'Chain', typeId: 'chain', config: { steps } }
    const { id: chainId } = people
      ? (providers.find(({ name }) => name === chain.name) ??
        (await admin.post<{ id: string }>('/providers', key('chain'), chain)))
      : { id: providerId }
    const usage = () => connector.get<Usage>(`/providers/${providerId}/usage`)
    const before = await usage()
    return async () => {
      const { jobId } = await connector.post<{ jobId: string }>('/jobs', key('job'), { jobName })
      const requests = requestNames.map((requestName) => ({
        ...{ requestName, sourceNativeId: requestName, sourceNativeLanguageCode: 'en-us' },
        targetNativeLanguageCodes: ['de-de'],
        fields: sources.map((value, at) => ({ key: `k${at}`, value: `${value}` })),
      }))
      await connector.post(`/jobs/${jobId}/requests/add`, key('requests'), { requests })
      await connector.put(`/jobs/${jobId}/submit`, { providerId: chainId })
      const delivered = await connector.until('the translations', async () => {
        const found = await connector.get<{ requests: Request[] }>(`/jobs/${jobId}/requests`)
        const job = people && (await connector.get<{ providerId: string }>(`/jobs/${jobId}`))
        if (job) return job.providerId === manual ? found.requests : undefined
        return found.requests.every(
          ({ statusCode, hasError }) => hasError || statusCode === 'REVIEW_TRANSLATION',
        )
          ? found.requests
          : undefined
      })
      return {
        jobId,
        listeners: [],
        hold: async (tally) => {
          const { lost, doubled } = countFor(tally, jobName)
          if (delivered.length !== requestNames.length)
            lost(`there are ${delivered.length} requests`)
          for (const { requestId, hasError } of delivered) {
            if (hasError) lost(`request ${requestId} has an error`)
            if (people) {
              const task = `/providers/${manual}/jobs/${jobId}/assetTasks/${requestId}`
              const { segments } = await admin.get<Drafted>(`${task}/segments`)
              const drafts = segments.map(({ state, target = [], tags }) => {
                const shown = target.map((piece) =>
                  typeof piece === 'string' ? piece : tags[piece.tag - 1]?.shows,
                )
                return `${state} ${shown.join('')}`
              })
              if (drafts.join('\n') !== targets.map((text) => `DRAFT ${text}`).join('\n'))
                lost(`request ${requestId} has the drafts ${drafts.join(' | ')}`)
              continue
            }
            const { translationContent } = await connector.get<Retrieved>(
              `/jobs/${jobId}/requests/${requestId}/retrieve`,
            )
            const values = translationContent[0]?.targetContent.map(({ value }) => value) ?? []
            if (values.join('\n') !== targets.join('\n'))
              lost(`request ${requestId} came back as ${values.join(' | ')}`)
          }
          const after = await usage()
          const [estimated, calls] = [
            after.estimated - before.estimated,
            after.requests - before.requests,
          ]
          const billed = (after.billed ?? 0) - (before.billed ?? 0)
          const meter = vendor.meter()
          const largest = Math.max(...vendor.asked.map(({ texts }) => [...texts.join('')].length))
          const most = meter + (place.hasDied() ? inFlight * largest : 0)
          if (estimated < meter)
            lost(`${estimated} were reserved, and the meter of the vendor says ${meter}`)
          if (estimated > most)
            tally.leaked(
              `${jobName}: ${estimated} were reserved; at most ${most} could be in flight`,
            )
          if (billed > meter)
            doubled(`${billed} were billed, and the meter of the vendor says ${meter}`)
          if (vendor.asked.length > calls)
            doubled(`the vendor got ${vendor.asked.length} calls, ${calls} were reserved`)
          return { translations: new Map(), deliveries: [] }
        },
      }
    }
  },
})
