/**
 * Calls every endpoint at a hub with a heap of 512 MB whose site is full (full-site.ts), with as
 * many items as the call takes: the hub goes on answering /healthz and does not die.
 */
import { setTimeout as delay } from 'node:timers/promises'
import {
  consoleEndpoints,
  type Endpoint,
  type EndpointName,
  endpointNames,
  endpoints,
  limits,
  methodOf,
  reportNames,
  scopesOf,
} from '@dragoman/contract'
import type { TestHub } from '../hub.ts'
import { priceList } from '../price-list.ts'
import { goodPassword, tokenIn, visit } from '../visitor.ts'
import type { AttackedHub } from './attacked-hub.ts'
import { type FullSite, fillSite, type Sent } from './full-site.ts'
import { type Body, bodies, type Ids, making, pathOf, queries } from './isolation-calls.ts'
import type { ItemPlan } from './most-items.ts'
import type { Counter } from './tally.ts'
import { stalled } from './tally.ts'

type Case = { readonly name: string; readonly act: () => Promise<Sent> }

const tries = 3
const list = <T>(length: number, make: (at: number) => T): T[] =>
  Array.from({ length }, (_, at) => make(at))

export async function callEveryEndpoint(
  hub: AttackedHub,
  { calls, maxStallMs, each }: ItemPlan,
  tally: Counter,
): Promise<void> {
  const site = await fillSite(hub, calls < 1_000 ? 0.02 : 1)
  const watch = hub.watch()
  const worst = { stallMs: 0, slowest: '', aboveMb: 0, largest: '' }
  const taken = new Set<string>()
  const refused: string[] = []
  const under = async ({ name, act }: Case) => {
    let best = Number.POSITIVE_INFINITY
    // A stall counts if it comes back: a busy machine makes the same work longer.
    for (let tried = 1; tried <= tries && best > maxStallMs; tried += 1) {
      watch.look()
      const begun = performance.now()
      const { status, text } = await act().catch((error: unknown) => ({
        ...{ status: 0, text: String(error) },
      }))
      await delay(30)
      const { stallMs, aboveMb, silent } = watch.look()
      tally.round()
      each?.(
        `${name}: ${status}, ${(performance.now() - begun).toFixed(0)} ms, loop ${stallMs.toFixed(0)} ms, ${aboveMb.toFixed(0)} MB`,
      )
      if (silent) tally.found(`${name}: the hub stopped answering`)
      if (status === 0 || (status >= 500 && status !== 501))
        tally.found(`${name}: ${status} ${text.slice(0, 300)}`)
      if (status > 0 && status < 400) taken.add(name.split(/\W/, 1)[0] ?? name)
      else if (tried === 1) refused.push(`${name} ${status}: ${text.slice(0, 200)}`)
      if (aboveMb > worst.aboveMb) Object.assign(worst, { aboveMb, largest: name })
      best = Math.min(best, stallMs)
    }
    if (best > maxStallMs) tally.found(`${name}: ${stalled} ${best.toFixed(0)} ms`)
    if (best > worst.stallMs) Object.assign(worst, { stallMs: best, slowest: name })
  }
  try {
    for (const one of largestCases(site)) await under(one)
    await callAll(hub, site, under)
  } finally {
    await watch.stop()
  }
  for (const line of refused) each?.(`refused: ${line}`)
  const missed = endpointNames.filter((name) => !taken.has(name) && !mayRefuse.has(name))
  // Some name what is not there, or come in an order that their job does not take.
  if (missed.length > endpointNames.length / 10)
    tally.found(`${missed.length} endpoints took none of their calls: ${missed.join(', ')}`)
  else tally.figure(`no call was taken by ${missed.join(', ')}`)
  tally.figure(`${taken.size} kinds of calls taken, ${refused.length} refused`)
  tally.figure(`the slowest ${worst.slowest} (${worst.stallMs.toFixed(0)} ms)`)
  tally.figure(`the largest ${worst.largest} (${worst.aboveMb.toFixed(0)} MB above idle)`)
}

/** What a full site alone does not make possible: they name what is not there, or is in use. */
const mayRefuse: ReadonlySet<EndpointName> = new Set([
  ...(['retryTask', 'remedyFinding', 'findCall', 'endSession', 'deleteProvider'] as const),
  ...(['claimAssetTask', 'changeClient', 'createMemoryUnit', 'findSupportAssetSource'] as const),
])

/** The calls that name as many items as they take. */
function largestCases(site: FullSite): Case[] {
  const { send, download, ids, desk, requestIds, openIds, segmentIds, short } = site
  const { providerId, jobId, sentJobId } = ids
  const job = `/jobs/${sentJobId}`
  const provided = `/providers/${providerId}/jobs`
  const tasks = `${provided}/${sentJobId}/assetTasks`
  const deskAt = `${provided}/${desk.jobId}/assetTasks/${desk.taskId}`
  const pair = { sourceNativeLanguageCode: 'en-us', targetNativeLanguageCode: 'de-de' }
  const text = 'term0 word, a text of 12 words. '.repeat(limits.unitTextBytes / 32)
  const half = requestIds.length / 2
  let version = 0
  const json =
    (who: 'admin' | 'provider', method: string, path: string, body?: () => unknown): Case['act'] =>
    () =>
      send(who, method, path, body?.())
  const named = (name: string, act: Case['act']): Case => ({ name, act })
  const packaged = (format: string): Case[] => {
    let zip: string | Uint8Array = ''
    const at = `${provided}/${sentJobId}/package`
    return [
      named(`downloadPackage of 2,000 as ${format}`, async () => {
        const { status, bytes } = await download(`${at}?format=${format}`)
        zip = bytes
        return { status, text: '' }
      }),
      named(`deliverPackage of 2,000 as ${format}`, () =>
        send('provider', 'POST', at, zip, 'application/zip'),
      ),
    ]
  }
  const deliveries = () => ({
    assetTaskIds: requestIds,
    assetTasksUpdate: { statusCode: 'IN_TRANSLATION' },
  })
  return [
    named('submitJob of 2,000', async () => {
      const { text: told } = await send('admin', 'POST', '/jobs', { jobName: 'Sent' })
      const other = (JSON.parse(told) as { jobId: string }).jobId
      await send('admin', 'POST', `/jobs/${other}/requests/add`, {
        requests: requestIds.map((id) => ({
          ...{ requestName: id, sourceNativeId: id, sourceNativeLanguageCode: 'en-us' },
          ...{ targetNativeLanguageCodes: ['de-de'], fields: [{ key: 'k', value: 'A text.' }] },
        })),
      })
      return send('admin', 'PUT', `/jobs/${other}/submit`, { providerId })
    }),
    named('changeRequests: 2,000 changes', () =>
      send(
        'admin',
        'PATCH',
        `/jobs/${jobId}/requests`,
        openIds.map((requestId) => ({ requestId, requestName: 'Other' })),
      ),
    ),
    named('changeRequests: one change of 2,000', () =>
      send('admin', 'PATCH', `/jobs/${jobId}/requests`, {
        requestIds: openIds,
        requestsUpdate: { extendedMetadata: { text: 'y'.repeat(10_000) } },
      }),
    ),
    named('updateFileContent of 2,000', () =>
      send('admin', 'PUT', `/jobs/${jobId}/requests/updatefilecontent`, {
        ...{ requestIds: openIds, fmsFileId: short },
      }),
    ),
    named('countJobWords of 2,000 files', json('admin', 'GET', `/jobs/${jobId}/words`)),
    named('countJobWords of 2,000 requests', json('admin', 'GET', `${job}/words`)),
    named('quoteJob of 2,000 requests', json('admin', 'GET', `${job}/quote`)),
    named('changeAssetTasks: 2,000 begin', json('provider', 'PATCH', tasks, deliveries)),
    ...['xliff12', 'xliff20', 'omegat', 'original'].flatMap(packaged),
    named(
      'changeAssetTasks: 2,000 errors',
      json('provider', 'PATCH', tasks, () => ({
        assetTaskIds: requestIds,
        assetTasksUpdate: { hasError: true, errorMessage: 'e'.repeat(limits.noteBytes) },
      })),
    ),
    named('putTranslatedContent 2,000 times', async () => {
      const open = [...requestIds]
      const deliver = async () => {
        for (let id = open.pop(); id !== undefined; id = open.pop())
          await send('provider', 'PUT', `${tasks}/${id}/translatedContent`, {
            fields: [{ key: 'k', value: 'Ein Text.' }],
          })
      }
      await Promise.all(list(8, deliver))
      return { status: 200, text: '' }
    }),
    named(
      'changeAssetTasks: 2,000 are delivered',
      json('provider', 'PATCH', tasks, () => ({
        assetTaskIds: requestIds,
        assetTasksUpdate: { statusCode: 'TRANSLATION_SUBMITTED', force: true },
      })),
    ),
    named(
      'changeSegments: 500 of most segments',
      json('provider', 'PUT', `${deskAt}/segments`, () => {
        const segments = segmentIds.map((segmentId) => ({
          ...{ segmentId, version, target: ['b'], state: 'TRANSLATED' },
        }))
        version += 1
        return { segments }
      }),
    ),
    named(
      'deliverSegments: most segments, which are open',
      json('provider', 'POST', `${deskAt}/segments/deliver`, () => ({})),
    ),
    named(
      'listRequestSegments: most segments',
      json('admin', 'GET', `/jobs/${desk.jobId}/requests/${desk.taskId}/segments?text=nowhere`),
    ),
    named('countJobWords of most segments', json('admin', 'GET', `/jobs/${desk.jobId}/words`)),
    named(
      'approveRequests: half of 2,000',
      json('admin', 'PUT', `${job}/requests/approve`, () => ({
        requestIds: requestIds.slice(0, half),
      })),
    ),
    named(
      'rejectRequests: the other half',
      json('admin', 'PUT', `${job}/requests/reject`, () => ({
        ...{ requestIds: requestIds.slice(half), note: 'n'.repeat(limits.noteBytes) },
      })),
    ),
    named(
      'findMatches of a long text',
      json('provider', 'POST', `/providers/${providerId}/matches`, () => ({ ...pair, text })),
    ),
    named(
      'lookUpTerms of a long text',
      json('provider', 'POST', `/providers/${providerId}/terms/find`, () => ({ ...pair, text })),
    ),
    named(
      'checkTranslation of a long text',
      json('provider', 'POST', `/providers/${providerId}/checks`, () => ({
        ...{ ...pair, source: [text], target: [text] },
      })),
    ),
    named(
      'createPriceList of 10,000 lines',
      json('admin', 'POST', '/settings/pricelists', () => ({
        ...priceList,
        lines: list(limits.priceLines, (at) => ({ ...priceList.lines[0], service: `S${at}` })),
      })),
    ),
    named('replaceRouting: 200 rules of 100 choices', async () => {
      const { text: told } = await send('admin', 'GET', '/settings/routing')
      return send('admin', 'PUT', '/settings/routing', {
        version: (JSON.parse(told) as { version: number }).version,
        rules: list(limits.routingRules, (at) => ({
          ...{ name: `Rule ${at}`, providerId },
          when: { target: list(limits.routeChoices, () => 'fr-fr') },
        })),
      })
    }),
    ...(['retrieveFile', 'retrieveContent'] as const).map((name) =>
      named(name, () =>
        send(
          'admin',
          'GET',
          `${job}/requests/${requestIds[0]}/${name.toLowerCase().replace('content', '')}`,
        ),
      ),
    ),
    named('listSegments: one that is approved', () =>
      send('provider', 'GET', `${tasks}/${requestIds[0]}/segments`),
    ),
    named('acknowledgeStatusUpdate', async () => {
      const { text: told } = await send('admin', 'GET', '/statusupdates?pageSize=1')
      const updateId = /"updateId"\s*:\s*"([^"]+)"/.exec(told)?.[1]
      return send('admin', 'PUT', `/statusupdates/${updateId}/acknowledge`)
    }),
    named('completeJob', json('admin', 'PUT', `${job}/complete`)),
    named('reopenJob', json('admin', 'PUT', `${job}/intranslation`)),
    ...reportNames.map((report) =>
      named(`findReport ${report}`, json('admin', 'GET', `/reports/${report}`)),
    ),
  ]
}

/** Each endpoint of the table once: reads, then what makes and changes, then what removes. */
async function callAll(
  hub: AttackedHub,
  { send, ids: given, desk, segmentIds }: FullSite,
  under: (one: Case) => Promise<void>,
): Promise<void> {
  const ids: Record<string, string> = {
    ...{ ...given, uri: 'https://127.0.0.1:9/', clientId: hub.sites[0].clients.content },
    siteId: hub.sites[0].siteId,
  }
  const call = async (name: EndpointName): Promise<Sent> => {
    const endpoint: Endpoint = endpoints[name]
    const [scope = 'admin'] = scopesOf(endpoint)
    const body = bodies[name]?.(ids)
    const query = queries[name] ? `?${new URLSearchParams(queries[name])}` : ''
    const path = pathOf(name, ids).replace(/^\/v2/, '') + query
    const who = scope === 'provider' || scope === 'operator' ? scope : 'admin'
    const type =
      typeof body === 'string'
        ? 'text/csv'
        : ArrayBuffer.isView(body)
          ? 'application/zip'
          : undefined
    const isRead = methodOf(endpoint) === 'GET'
    return send(who, methodOf(endpoint), path, isRead ? undefined : (body ?? {}), type)
  }
  const run = (name: EndpointName, learn?: (answer: Body) => Record<string, unknown>) =>
    under({
      name,
      act: async () => {
        const sent = await call(name)
        if (learn && sent.status < 300 && sent.text !== '')
          for (const [id, value] of Object.entries(learn(JSON.parse(sent.text) as Body)))
            ids[id] ??= String(value)
        return sent
      },
    })
  const methods = (...wanted: string[]) =>
    endpointNames.filter((name) => wanted.includes(methodOf(endpoints[name] as Endpoint)))
  const makers = new Set<EndpointName>(making.map(([name]) => name))
  for (const name of methods('GET')) await run(name)
  for (const [name, learn] of making) await run(name, learn)
  const visitor = await visitorOf(hub, send)
  for (const [name, endpoint] of Object.entries(consoleEndpoints as Record<string, Endpoint>)) {
    const [method = '', path = ''] = endpoint.call.split(' ')
    if (method !== 'GET' || path.startsWith('/oidc')) continue
    const deskIds: Record<string, string> = { ...ids, ...desk, assetTaskId: desk.taskId }
    const at = path.replace(/\{(\w+)\}/g, (_, param: string) => deskIds[param] ?? 'missing')
    const query = consoleQueries[name]?.({ ...deskIds, segmentId: segmentIds[0] ?? '' })
    await under({
      name: `console ${name}`,
      act: async () => {
        const { status, body } = await visitor.call('GET', at, query ? { query } : {})
        return { status, text: JSON.stringify(body) }
      },
    })
  }
  for (const name of methods('POST')) if (!makers.has(name)) await run(name)
  for (const name of methods('PUT', 'PATCH')) await run(name)
  for (const name of methods('GET')) await run(name)
  const last = ['deleteJob', 'deleteSite']
  for (const name of methods('DELETE')) if (!last.includes(name)) await run(name)
  for (const name of methods('DELETE')) if (last.includes(name)) await run(name)
}

const consoleQueries: Readonly<Record<string, (ids: Ids) => Record<string, string>>> = {
  listSegmentMatches: ({ segmentId = '' }) => ({ segmentId }),
  listListenerStatistics: ({ listenerId = '' }) => ({ listenerId }),
  listJobFigures: ({ jobId = '' }) => ({ jobId }),
  findThings: () => ({ q: 'term' }),
  listWork: () => ({ view: 'OPEN' }),
  listWorkPeople: ({ providerId = '' }) => ({ providerId }),
}

type Sending = {
  readonly body?: unknown
  readonly query?: Record<string, string>
  readonly headers: Record<string, string>
}

/** An admin of the site who has signed in. */
async function visitorOf(hub: AttackedHub, send: FullSite['send']) {
  const { text } = await send('admin', 'POST', '/people', {
    ...{ name: 'Admin', email: 'admin@example.org', sites: [{ roles: ['admin'] }] },
  })
  const { link = '' } = JSON.parse(text) as { link?: string }
  const visitor = visit({
    url: hub.url,
    call: async (method: string, path: string, { body, query, headers }: Sending) => {
      const answer = await fetch(
        `${hub.url}${path}${query ? `?${new URLSearchParams(query)}` : ''}`,
        {
          ...{ method, headers },
          ...(body !== undefined && { body: JSON.stringify(body) }),
        },
      )
      const said = await answer.text()
      return {
        ...{ status: answer.status, headers: answer.headers },
        body: said.startsWith('{') ? (JSON.parse(said) as Body) : {},
      }
    },
  } as unknown as TestHub)
  await visitor.welcome(tokenIn(link), { password: goodPassword })
  return visitor
}
