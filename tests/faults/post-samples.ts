/**
 * A call for each POST of the interface, by the endpoint table, with what it makes: for tests that
 * repeat, race or break calls.
 */
import { type EndpointName, endpointNames, endpoints } from '@dragoman/contract'
import { expect } from 'vitest'
import type { Receiver } from '../campaigns/round-receiver.ts'
import { pack } from '../formats/pack.ts'
import type { CallOptions, TestHub } from '../hub.ts'
import { until } from '../hub-place.ts'
import { parkTask } from '../parked-task.ts'
import { priceList } from '../price-list.ts'

export type Sample = CallOptions & {
  readonly path: string
  /** Another body that the call would take; by default one with something more. */
  readonly other?: Uint8Array
  /** What the call makes more of, and how many. */
  readonly counts:
    | 'jobs'
    | 'files'
    | 'source_contents'
    | 'requests'
    | 'support_assets'
    | 'tm_updates'
    | 'providers'
    | 'analysis_codes'
    | 'price_lists'
    | 'memory_units'
    | 'memory_imports'
    | 'terms'
    | 'listeners'
    | 'deliveries'
    | 'moves'
    | 'status_updates'
    | 'attempts'
    | 'clients'
    | 'client_secrets'
    | 'people'
    | 'signing_keys'
    | 'audit'
    | 'comments'
    | 'drafts'
    | 'shares'
  readonly makes?: number
  /** What was there before, where it makes room first. */
  readonly ready?: () => Promise<unknown>
}

const as = 'demo-connector'
/** They only read: there is nothing that a second call could do twice. */
const reading: readonly EndpointName[] = [
  'checkTranslation',
  'findKnownContent',
  'findMatches',
  'lookUpTerms',
  'tryRouting',
]
export const posts = endpointNames.filter(
  (name) => endpoints[name].call.startsWith('POST ') && !reading.includes(name),
)

/** Where the calls go. `advance` moves the clock of the hub. */
type Stage = {
  readonly hub: TestHub
  readonly receiver: Receiver
  advance(by: string): Promise<void>
}

export function openSamples({ hub, receiver, advance }: Stage) {
  let times = 0
  /** A sample may be asked for more than once. */
  const unique = (): number => ++times
  const call = <T = Record<string, string>>(
    method: string,
    path: string,
    body?: unknown,
    who = as,
  ) => hub.call<T>(method, `/v2${path}`, { as: who, ...(body !== undefined && { body }) })
  const newJob = async (): Promise<string> =>
    String((await call('POST', '/jobs', { jobName: 'Once' })).body.jobId)
  const request = (more: object = { fields: [{ key: 'a', value: 'text' }] }) => ({
    requestName: 'kv',
    sourceNativeId: 's',
    sourceNativeLanguageCode: 'en-us',
    targetNativeLanguageCodes: ['de-de', 'fr-fr'],
    ...more,
  })
  const newFile = async (jobId: string): Promise<string> => {
    const { body } = await call('POST', `/jobs/${jobId}/sourcefiles?fileName=a.html`)
    const form = new FormData()
    form.append('file', new Blob(['<p>Hello</p>']), 'x')
    expect(
      (await fetch(String(body.fmsPostMultipartUrl), { method: 'POST', body: form })).status,
    ).toBe(201)
    return String(body.fmsFileId)
  }
  const provider = async (name: string): Promise<string> => {
    const { body } = await call<{ providers: { id: string; name: string }[] }>('GET', '/providers')
    return String(body.providers.find((one) => one.name === name)?.id)
  }
  const sent = async (providerId: string): Promise<{ jobId: string; requestId: string }> => {
    const jobId = await newJob()
    const { body } = await call<{ requests: { requestId: string }[] }>(
      'POST',
      `/jobs/${jobId}/requests/add`,
      request(),
    )
    await call('PUT', `/jobs/${jobId}/submit`, { providerId })
    await advance('1s')
    return { jobId, requestId: String(body.requests[0]?.requestId) }
  }
  /** The other node may still be at work on what this one gave away. */
  const atRest = () =>
    until('the end of all that is due', async () => {
      const { read } = hub.inner.db
      const due = await read
        .selectFrom('tasks')
        .select('task_id')
        .where('parked', '=', 0)
        .where('due_at', '<=', hub.inner.clock.now())
        .execute()
      return due.length === 0
    })
  const listener = async (side: string, who: string, body: object): Promise<string> => {
    const { body: made } = await call('POST', side, body, who)
    return String(made.listenerId)
  }
  const ofConnector = { uri: '', type: 'JOB_STATUS_UPDATED' }
  const clear = async (side: string, who: string) => {
    const { body } = await call<{ listeners: { listenerId: string }[] }>(
      'GET',
      side,
      undefined,
      who,
    )
    for (const { listenerId } of body.listeners)
      await call('DELETE', `${side}/${listenerId}`, undefined, who)
  }
  /** A task whose segments are translated. */
  const atDesk = async (): Promise<string> => {
    const providerId = await provider('Manual')
    const { jobId, requestId } = await sent(providerId)
    const task = `/providers/${providerId}/jobs/${jobId}/assetTasks/${requestId}`
    const { body } = await call<{ segments: { segmentId: string }[] }>(
      'GET',
      `${task}/segments`,
      undefined,
      'demo-provider',
    )
    const done = { target: ['Text'], state: 'TRANSLATED', version: 0 }
    const segments = body.segments.map(({ segmentId }) => ({ segmentId, ...done }))
    await call('PUT', `${task}/segments`, { segments }, 'demo-provider')
    return task
  }
  const worker = async (): Promise<string> => {
    const given = {
      name: 'x',
      email: `claims-${unique()}@example.org`,
      sites: [{ roles: ['admin'] }],
    }
    const { body } = await call('POST', '/people', given, 'demo-admin')
    return String(body.personId)
  }
  const parked = (name: string) => parkTask(hub, { name, site_id: 'demo' })
  const own = '/statusupdates/listeners'
  const theirs = '/listeners'

  /** One for each POST of the table; one that is missing here fails. */
  const samples: Partial<Record<EndpointName, () => Promise<Sample>>> = {
    createJob: async () => ({ path: '/jobs', body: { jobName: 'Once more' }, counts: 'jobs' }),
    copyJob: async () => {
      const jobId = await newJob()
      await call('POST', `/jobs/${jobId}/requests/add`, request())
      return { path: `/jobs/${jobId}/copies`, body: { jobName: 'A copy' }, counts: 'jobs' }
    },
    createComment: async () => ({
      path: `/jobs/${await newJob()}/comments`,
      body: { kind: 'QUESTION', to: 'TEAM', text: 'Which?' },
      counts: 'comments',
    }),
    createTaskComment: async () => {
      const providerId = await provider('Manual')
      const { jobId } = await sent(providerId)
      return {
        as: 'demo-provider',
        path: `/providers/${providerId}/jobs/${jobId}/comments`,
        body: { kind: 'QUESTION', to: 'TEAM', text: 'Which?' },
        counts: 'comments',
      }
    },
    deliverCorrections: async () => {
      const task = await atDesk()
      await call('POST', `${task}/segments/deliver`, {}, 'demo-provider')
      const own = task.replace(/^\/providers\/[^/]+/, '').replace('assetTasks', 'requests')
      const { body } = await call<{ segments: { segmentId: string; version: number }[] }>(
        'GET',
        `${own}/segments`,
      )
      const [first] = body.segments
      const correction = { target: ['Corrected'], version: first?.version }
      await call('PUT', `${own}/segments/${first?.segmentId}`, correction)
      return { path: `${own}/segments/deliver`, body: {}, counts: 'status_updates' }
    },
    createSourceFile: async () => ({
      path: `/jobs/${await newJob()}/sourcefiles?fileName=a.html`,
      counts: 'files',
    }),
    createSourceContent: async () => ({
      path: `/jobs/${await newJob()}/sourcecontent`,
      body: { fields: [{ key: 'a', value: 'b' }] },
      counts: 'source_contents',
    }),
    addRequests: async () => ({
      path: `/jobs/${await newJob()}/requests/add`,
      body: request(),
      counts: 'requests',
      makes: 2,
    }),
    addFileRequests: async () => {
      const jobId = await newJob()
      const body = request({ fmsFileId: await newFile(jobId) })
      return { path: `/jobs/${jobId}/requests/addfile`, body, counts: 'requests', makes: 2 }
    },
    createSupportAsset: async () => {
      const jobId = await newJob()
      return {
        path: `/jobs/${jobId}/supportassets`,
        body: { fmsFileId: await newFile(jobId) },
        counts: 'support_assets',
      }
    },
    createTmUpdate: async () => {
      const jobId = await newJob()
      const languages = { sourceNativeLanguageCode: 'en-us', targetNativeLanguageCode: 'de-de' }
      return {
        path: `/jobs/${jobId}/tmupdates`,
        body: { fmsFileId: await newFile(jobId), ...languages },
        counts: 'tm_updates',
      }
    },
    createProvider: async () => ({
      as: 'demo-admin',
      path: '/providers',
      body: { name: 'Another', typeId: 'manual' },
      counts: 'providers',
    }),
    testProvider: async () => ({
      as: 'demo-admin',
      path: `/providers/${await provider('Pseudo')}/test`,
      body: { text: 'Once' },
      counts: 'audit',
    }),
    invokeProvider: async () => {
      const providerId = await provider('Pseudo')
      const { jobId } = await sent(providerId)
      await atRest()
      // Both requests are delivered again.
      return { path: `/providers/${providerId}/invocations`, body: { jobId }, counts: 'moves' }
    },
    createTranslatedFile: async () => {
      const providerId = await provider('Manual')
      const { jobId, requestId } = await sent(providerId)
      return {
        as: 'demo-provider',
        path: `/providers/${providerId}/jobs/${jobId}/assetTasks/${requestId}/translatedFile`,
        counts: 'files',
      }
    },
    deliverSegments: async () => {
      const task = await atDesk()
      return { as: 'demo-provider', path: `${task}/segments/deliver`, counts: 'moves', makes: 2 }
    },
    deliverPackage: async () => {
      const providerId = await provider('Manual')
      const { jobId } = await sent(providerId)
      const content = `<content><field key="a">text ${unique()}</field></content>`
      const packed = (text: string) => pack([{ name: 'de-de/kv.xml', content: text }])
      return {
        as: 'demo-provider',
        path: `/providers/${providerId}/jobs/${jobId}/package`,
        headers: { 'content-type': 'application/zip' },
        body: packed(content),
        other: packed(content.replace('text', 'texts')),
        counts: 'moves',
        makes: 2,
      }
    },
    claimAssetTask: async () => {
      const body = { personId: await worker() }
      return { as: 'demo-provider', path: `${await atDesk()}/claim`, body, counts: 'audit' }
    },
    handOverTasks: async () => {
      const personId = await worker()
      const task = await atDesk()
      const [, , providerId, , , , assetTaskId] = task.split('/')
      return {
        as: 'demo-provider',
        path: `/providers/${providerId}/claims`,
        body: { personId, assetTaskIds: [assetTaskId] },
        counts: 'audit',
      }
    },
    shareAssetTask: async () => {
      const body = { shares: [{ personId: await worker(), from: 1, to: 1 }] }
      return { as: 'demo-provider', path: `${await atDesk()}/shares`, body, counts: 'shares' }
    },
    fillSegments: async () => {
      const providerId = await provider('Manual')
      const { jobId, requestId } = await sent(providerId)
      const task = `/providers/${providerId}/jobs/${jobId}/assetTasks/${requestId}`
      const { body } = await call<{ segments: { source: string[] }[] }>(
        'GET',
        `${task}/segments`,
        undefined,
        'demo-provider',
      )
      const unit = {
        ...{ sourceNativeLanguageCode: 'en-us', targetNativeLanguageCode: 'de-de' },
        ...{ source: body.segments[0]?.source.join(''), target: 'Text' },
      }
      await call('POST', '/settings/memory/units', unit, 'demo-admin')
      const fill = { from: ['MEMORY'] }
      return { as: 'demo-provider', path: `${task}/segments/fill`, body: fill, counts: 'drafts' }
    },
    releaseAssetTask: async () => {
      const task = await atDesk()
      const personId = await worker()
      await call('POST', `${task}/claim`, { personId }, 'demo-provider')
      return { as: 'demo-provider', path: `${task}/release`, counts: 'audit' }
    },
    createAnalysisCode: async () => ({
      as: 'demo-admin',
      path: '/settings/analysiscodes',
      body: { code: `ONCE-${unique()}`, level: 1 },
      counts: 'analysis_codes',
    }),
    createPriceList: async () => ({
      as: 'demo-admin',
      path: '/settings/pricelists',
      body: { ...priceList },
      counts: 'price_lists',
    }),
    createTerm: async () => ({
      as: 'demo-admin',
      path: '/settings/terms',
      body: { entries: [{ language: 'en', text: 'once' }] },
      counts: 'terms',
    }),
    importTerms: async () => ({
      as: 'demo-admin',
      path: '/settings/terms/import?format=csv',
      headers: { 'content-type': 'text/csv' },
      body: `en\nonce ${unique()}\n`,
      counts: 'terms',
    }),
    createMemoryUnit: async () => ({
      as: 'demo-admin',
      path: '/settings/memory/units',
      body: {
        ...{ sourceNativeLanguageCode: 'en-us', targetNativeLanguageCode: 'de-de' },
        ...{ source: `Once ${unique()}`, target: 'Einmal' },
      },
      counts: 'memory_units',
    }),
    createMemoryImport: async () => ({
      as: 'demo-admin',
      path: '/settings/memory/imports',
      headers: { 'content-type': 'application/xml' },
      body: '<tmx version="1.4"><header srclang="en-US"/><body></body></tmx>',
      counts: 'memory_imports',
    }),
    createClient: async () => ({
      as: 'demo-admin',
      path: '/clients',
      body: { clientId: `once-${unique()}`, scopes: ['content'] },
      counts: 'clients',
    }),
    rotateClientSecret: async () => ({
      as: 'demo-admin',
      path: '/clients/demo-settings/rotate',
      body: {},
      counts: 'client_secrets',
    }),
    createPerson: async () => ({
      as: 'demo-admin',
      path: '/people',
      body: { name: 'Once', email: `once-${unique()}@example.org`, sites: [{ roles: ['viewer'] }] },
      counts: 'people',
    }),
    linkPerson: async () => {
      const body = {
        name: 'Linked',
        email: `linked-${unique()}@example.org`,
        sites: [{ roles: ['viewer'] }],
      }
      const { body: made } = await call('POST', '/people', body, 'demo-admin')
      return { as: 'demo-admin', path: `/people/${made.personId}/link`, counts: 'audit' }
    },
    rotateKeys: async () => ({
      as: 'demo-operator',
      path: '/keys/rotate',
      body: {},
      counts: 'signing_keys',
    }),
    createListener: async () => ({
      path: own,
      body: { ...ofConnector, uri: receiver.url },
      counts: 'listeners',
    }),
    testListener: async () => ({
      path: `${own}/${await listener(own, as, { ...ofConnector, uri: receiver.url })}/test`,
      counts: 'deliveries',
    }),
    remedyFinding: async () => {
      const listenerId = await listener(own, as, { ...ofConnector, uri: receiver.url })
      await call('POST', `${own}/${listenerId}/test`)
      await advance('1s')
      await atRest()
      await hub.inner.db.transact((tx) =>
        tx
          .updateTable('deliveries')
          .set({ state: 'PARKED' })
          .where('listener_id', '=', listenerId)
          .execute(),
      )
      const to = '/findings?rule=parked-deliveries'
      const { body } = await call<{ findings: { findingId: string }[] }>(
        'GET',
        to,
        undefined,
        'demo-admin',
      )
      return {
        as: 'demo-admin',
        path: `/findings/${body.findings[0]?.findingId}/remedy`,
        counts: 'attempts',
      }
    },
    replayDeliveries: async () => {
      const listenerId = await listener(own, as, { ...ofConnector, uri: receiver.url })
      await call('POST', `${own}/${listenerId}/test`)
      await advance('1s')
      return { path: `${own}/${listenerId}/replay`, body: {}, counts: 'attempts' }
    },
    createProviderListener: async () => ({
      as: 'demo-provider',
      path: theirs,
      body: { jobUri: receiver.url },
      counts: 'listeners',
    }),
    testProviderListener: async () => ({
      as: 'demo-provider',
      path: `${theirs}/${await listener(theirs, 'demo-provider', { jobUri: receiver.url })}/test`,
      counts: 'deliveries',
    }),
    replayProviderDeliveries: async () => {
      const listenerId = await listener(theirs, 'demo-provider', { jobUri: receiver.url })
      await call('POST', `${theirs}/${listenerId}/test`, undefined, 'demo-provider')
      await advance('1s')
      return {
        as: 'demo-provider',
        path: `${theirs}/${listenerId}/replay`,
        body: {},
        counts: 'attempts',
      }
    },
    replaySiteDeliveries: async () => {
      const listenerId = await listener(own, as, { ...ofConnector, uri: receiver.url })
      await call('POST', `${own}/${listenerId}/test`)
      await advance('1s')
      return {
        as: 'demo-admin',
        path: '/deliveries/replay',
        body: { filter: { listenerId }, mode: 'all' },
        counts: 'attempts',
      }
    },
    retryTask: async () => ({
      as: 'demo-admin',
      path: `/tasks/${await parked('deliver')}/retry`,
      counts: 'audit',
    }),
    retryTasks: async () => {
      await parked('deliver')
      return { as: 'demo-admin', path: '/tasks/retry', body: { name: 'deliver' }, counts: 'audit' }
    },
  }

  const count = async (table: Sample['counts']): Promise<number> => {
    const { many } = await hub.inner.db.read
      .selectFrom(table)
      .select((eb) => eb.fn.countAll<number>().as('many'))
      .executeTakeFirstOrThrow()
    return Number(many)
  }

  return {
    ...{ call, samples, newJob, newFile, request, provider, sent, unique },
    newListener: (uri: string) => listener(own, as, { ...ofConnector, uri }),
    newProviderListener: (jobUri: string) => listener(theirs, 'demo-provider', { jobUri }),
    atRest,
    clear: () => clear(own, as).then(() => clear(theirs, 'demo-provider')),
    count,
  }
}
