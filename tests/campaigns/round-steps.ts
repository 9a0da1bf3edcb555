/**
 * The whole round of a connector, from its listeners to the archive; returns everything that it was
 * told.
 */
import type { Transfer } from './connector.ts'
import type { RoundClient } from './round-client.ts'

export type Ledger = {
  readonly jobName: string
  readonly jobId: string
  /** Ids from the hub, by their meaning. */
  readonly files: ReadonlyMap<string, string>
  readonly requests: ReadonlyMap<string, string>
  readonly listeners: readonly string[]
  /** The result of each request. */
  readonly translations: ReadonlyMap<string, string>
  readonly acknowledged: readonly string[]
}

type Listed = {
  requestId: string
  requestName: string
  targetNativeLanguageCode: string
  statusCode: string
}
type Update = { updateId: string; jobId: string; requestIds: string[]; statusCode: string }

export const sources: Readonly<Record<string, string>> = {
  'page.html': '<html><body><p class="x">Hello <b>big</b> world, {name}!</p></body></html>',
  'texts.json': '{"a":{"b":["Save %s files","Go on"]},"n":5}',
}
const languages = {
  'page.html': ['de-de', 'fr-fr'],
  'texts.json': ['de-de'],
  fields: ['de-de', 'es-es'],
}
const request = (requestName: keyof typeof languages) => ({
  requestName,
  sourceNativeId: requestName,
  sourceNativeLanguageCode: 'en-us',
  targetNativeLanguageCodes: languages[requestName],
})
export const wantedRequests = Object.entries(languages).flatMap(([name, codes]) =>
  codes.map((code) => `${name} ${code}`),
)

/** Idempotency-Keys of a round. */
export const keyOf = (jobName: string) => (what: string) =>
  `${jobName} ${what}`.replaceAll(/[^\w.]+/g, '-')

export async function goRound(
  client: RoundClient,
  receiver: string,
  jobName: string,
): Promise<Ledger> {
  const key = keyOf(jobName)
  const listeners = await makeListeners(client, receiver, key)
  const { jobId } = await client.post<{ jobId: string }>('/jobs', key('job'), {
    jobName,
    labels: ['round'],
  })
  const job = `/jobs/${jobId}`
  const files = new Map<string, string>()
  for (const [name, text] of Object.entries(sources)) {
    const transfer = await client.post<Transfer>(`${job}/sourcefiles?fileName=${name}`, key(name))
    const bytes = new TextEncoder().encode(text)
    await (name === 'page.html'
      ? client.upload(transfer, bytes)
      : client.uploadResumably(transfer, bytes))
    files.set(name, transfer.fmsFileId)
  }
  const added = await client.post<{ requests: Listed[] }>(`${job}/requests/add`, key('requests'), {
    requests: [
      { ...request('page.html'), fmsFileId: files.get('page.html') },
      { ...request('texts.json'), fmsFileId: files.get('texts.json') },
      { ...request('fields'), fields: [{ key: 'title', value: 'Good morning, {name}' }] },
    ],
  })
  const requests = new Map(added.requests.map((one) => [nameOf(one), one.requestId]))

  const { providers } = await client.get<{ providers: { id: string; name: string }[] }>(
    '/providers',
  )
  await client.put(`${job}/submit`, {
    providerId: providers.find(({ name }) => name === 'Pseudo')?.id,
  })
  await client.until('every request is in review', async () => {
    const listed = await client.get<{ requests: Listed[] }>(`${job}/requests`)
    return listed.requests.every(({ statusCode }) => statusCode === 'REVIEW_TRANSLATION')
  })

  const acknowledged: string[] = []
  const open = await client.get<{ statusupdates: Update[] }>('/statusupdates')
  for (const { updateId } of open.statusupdates.filter((update) => update.jobId === jobId)) {
    await client.put(`/statusupdates/${updateId}/acknowledge`)
    acknowledged.push(updateId)
  }
  const translations = new Map<string, string>()
  for (const [name, requestId] of requests)
    translations.set(name, await client.download(`${job}/requests/${requestId}/retrievefile`))
  await client.put(`${job}/requests/approve`, { requestIds: [...requests.values()] })
  await client.put(`${job}/complete`)
  await client.put(`${job}/archive`)
  await client.until('the job is archived', async () => {
    const { archiveStatus } = await client.get<{ archiveStatus: string }>(job)
    return archiveStatus === 'ARCHIVED'
  })
  await deliveriesOf(client, listeners)
  return { jobName, jobId, files, requests, listeners, translations, acknowledged }
}

/** Waits until the listeners have been called. */
export async function deliveriesOf(
  client: RoundClient,
  listeners: readonly string[],
): Promise<void> {
  for (const listenerId of listeners)
    await client.until('every delivery has arrived', async () => {
      const path = `/statusupdates/listeners/${listenerId}/deliveries`
      const { deliveries } = await client.get<{ deliveries: { state: string }[] }>(path)
      return deliveries.every(({ state }) => state === 'DELIVERED')
    })
}

/** Acknowledges updates explicitly, so that this is part of the round. */
export async function makeListeners(
  client: RoundClient,
  receiver: string,
  key: (what: string) => string,
): Promise<string[]> {
  const made: string[] = []
  for (const type of ['JOB_STATUS_UPDATED', 'REQUEST_STATUS_UPDATED']) {
    const body = { uri: `${receiver}/${type}`, type, acknowledgeStatusUpdate: false }
    const listener = await client.post<{ listenerId: string }>(
      '/statusupdates/listeners',
      key(type),
      body,
    )
    made.push(listener.listenerId)
  }
  return made
}

export async function removeListeners(
  client: RoundClient,
  listeners: readonly string[],
): Promise<void> {
  for (const listenerId of listeners) await client.remove(`/statusupdates/listeners/${listenerId}`)
}

const nameOf = ({ requestName, targetNativeLanguageCode }: Listed): string =>
  `${requestName} ${targetNativeLanguageCode}`
