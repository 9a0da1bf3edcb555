/**
 * A site with as many items as the limits allow: 2,000 requests at a provider and as many that are
 * not sent, half a million segments in one request, a hundred thousand terms, and as much of
 * everything else as one call takes.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { limits } from '@dragoman/contract'
import { priceList } from '../price-list.ts'
import type { AttackedHub } from './attacked-hub.ts'

export type Sent = { readonly status: number; readonly text: string }
export type Send = (
  who: 'admin' | 'provider' | 'operator',
  method: string,
  path: string,
  body?: unknown,
  type?: string,
) => Promise<Sent>

export type FullSite = {
  readonly send: Send
  readonly download: (path: string) => Promise<{ status: number; bytes: Uint8Array }>
  /** By path parameter. */
  readonly ids: Readonly<Record<string, string>>
  /** Those of the job at the provider, and of the one that is not sent. */
  readonly requestIds: readonly string[]
  readonly openIds: readonly string[]
  /** Of the request with half a million segments. */
  readonly desk: { readonly jobId: string; readonly taskId: string }
  readonly segmentIds: readonly string[]
  /** A file of a few segments, for many requests of the job that is not sent. */
  readonly short: string
}

const list = <T>(length: number, make: (at: number) => T): T[] =>
  Array.from({ length }, (_, at) => make(at))

export function openSend(hub: AttackedHub): Send {
  return async (who, method, path, body, type) => {
    const isRaw = type !== undefined
    const answer = await fetch(`${hub.url}/v2${path}`, {
      method,
      redirect: 'manual',
      headers: {
        authorization: `Bearer ${await hub.token(hub.sites[0].clients[who])}`,
        ...(body !== undefined && { 'content-type': type ?? 'application/json' }),
      },
      ...(body !== undefined && { body: isRaw ? (body as string) : JSON.stringify(body) }),
    })
    return { status: answer.status, text: await answer.text() }
  }
}

/** As the provider. */
const openDownload =
  (hub: AttackedHub): FullSite['download'] =>
  async (path) => {
    const { provider } = hub.sites[0].clients
    const headers = { authorization: `Bearer ${await hub.token(provider)}` }
    const answer = await fetch(`${hub.url}/v2${path}`, { headers })
    return { status: answer.status, bytes: new Uint8Array(await answer.arrayBuffer()) }
  }

/** `share` of the limits, for a quick sample. */
export async function fillSite(hub: AttackedHub, share: number): Promise<FullSite> {
  const send = openSend(hub)
  const part = (most: number) => Math.max(2, Math.ceil(most * share))
  const json = async <T = Record<string, string>>(...call: Parameters<Send>): Promise<T> => {
    const { status, text } = await send(...call)
    if (status >= 300) throw new Error(`${call[1]} ${call[2]}: ${status} ${text.slice(0, 300)}`)
    return (text === '' ? {} : JSON.parse(text)) as T
  }
  const made = (path: string, body: unknown) => json('admin', 'POST', path, body)
  const providerId = hub.sites[0].providerIds[0] ?? ''

  const rows = list(part(99_000), (at) => `term${at.toString(36)} word,Wort ${at}`)
  await json(
    'admin',
    'POST',
    '/settings/terms/import?format=csv',
    `en,de\n${rows.join('\n')}`,
    'text/csv',
  )
  const { termId = '' } = await made('/settings/terms', {
    entries: [{ language: 'en', text: 'ours' }],
  })
  const priced = {
    ...priceList,
    lines: list(part(limits.priceLines), (at) => ({ ...priceList.lines[0], service: `S${at}` })),
  }
  const { priceListId = '' } = await made('/settings/pricelists', priced)

  const jobOf = async (more: object = {}) =>
    (await made('/jobs', { jobName: 'Full', ...more })).jobId ?? ''
  const fill = async (jobId: string) => {
    const requests = list(part(limits.requestsPerCall), (at) => ({
      ...{
        requestName: `Request ${at}`,
        sourceNativeId: `${at}`,
        sourceNativeLanguageCode: 'en-us',
      },
      ...{
        targetNativeLanguageCodes: ['de-de'],
        extendedMetadata: { at, text: 'x'.repeat(2_000) },
      },
      fields: [{ key: 'k', value: `A text of ${at} words, and term0 word.` }],
    }))
    type Added = { requests: { requestId: string; sourcecontentId: string }[] }
    return (await json<Added>('admin', 'POST', `/jobs/${jobId}/requests/add`, { requests }))
      .requests
  }
  const sourceOf = async (jobId: string, name: string, text: string) => {
    const file = await made(`/jobs/${jobId}/sourcefiles?fileName=${name}`, undefined)
    const form = new FormData()
    form.append('file', new Blob([text]), name)
    await fetch(file.fmsPostMultipartUrl ?? '', { method: 'POST', body: form })
    return file.fmsFileId ?? ''
  }
  const submit = async (jobId: string) => {
    await json('admin', 'PUT', `/jobs/${jobId}/submit`, { providerId })
    for (;;) {
      const { text } = await send(
        'provider',
        'GET',
        `/providers/${providerId}/jobs/${jobId}/assetTasks`,
      )
      const taskId = /"assetTaskId"\s*:\s*"([^"]+)"/.exec(text)?.[1]
      if (taskId) return taskId
      await delay(50)
    }
  }

  const jobId = await jobOf({
    labels: list(limits.labels, (at) => `l${at}=v`),
  })
  const open = await fill(jobId)
  const fmsFileId = await sourceOf(jobId, 'a.txt', 'a\n\n'.repeat(part(490_000)))
  const { supportassetId = '' } = await made(`/jobs/${jobId}/supportassets`, {
    fmsFileId,
    sourceNativeIds: list(part(limits.nativeIds), String),
  })
  const { tmupdateId = '' } = await made(`/jobs/${jobId}/tmupdates`, {
    ...{ fmsFileId, sourceNativeLanguageCode: 'en-us', targetNativeLanguageCode: 'de-de' },
  })
  const { unitId = '' } = await made('/settings/memory/units', {
    ...{
      sourceNativeLanguageCode: 'en-us',
      targetNativeLanguageCode: 'de-de',
      source: 'a',
      target: 'b',
    },
  })

  const sentJobId = await jobOf()
  const sent = await fill(sentJobId)
  await submit(sentJobId)

  const deskJob = await jobOf()
  const big = await sourceOf(deskJob, 'b.txt', 'a\n\n'.repeat(part(490_000)))
  await json('admin', 'POST', `/jobs/${deskJob}/requests/add`, {
    ...{ requestName: 'r', sourceNativeId: 's', sourceNativeLanguageCode: 'en-us', fmsFileId: big },
    targetNativeLanguageCodes: ['de-de'],
  })
  const short = await sourceOf(jobId, 'c.txt', 'a\n\n'.repeat(50))
  const desk = { jobId: deskJob, taskId: await submit(deskJob) }
  const segmentIds: string[] = []
  const segments = `/providers/${providerId}/jobs/${desk.jobId}/assetTasks/${desk.taskId}/segments?pageSize=50`
  for (
    let next: string | undefined = '';
    next !== undefined && segmentIds.length < limits.segmentsPerCall;
  ) {
    type Page = { segments: { segmentId: string }[]; pagination: { navNext?: string } }
    const page: Page = await json<Page>(
      'provider',
      'GET',
      next === '' ? segments : `${segments}&navNext=${encodeURIComponent(next)}`,
    )
    for (const { segmentId } of page.segments) segmentIds.push(segmentId)
    next = page.pagination.navNext
  }
  const [first] = sent
  return {
    ...{ send, download: openDownload(hub), desk, segmentIds, short },
    requestIds: sent.map(({ requestId }) => requestId),
    openIds: open.map(({ requestId }) => requestId),
    ids: {
      ...{
        providerId,
        jobId,
        sentJobId,
        fmsFileId,
        fileId: fmsFileId,
        supportassetId,
        tmupdateId,
        unitId,
        termId,
        priceListId,
      },
      ...{ requestId: open[0]?.requestId ?? '', sourcecontentId: open[0]?.sourcecontentId ?? '' },
      ...{
        assetTaskId: first?.requestId ?? '',
        segmentId: segmentIds[0] ?? '',
        level: '1',
        report: 'throughput',
        typeId: 'manual',
      },
    },
  }
}
