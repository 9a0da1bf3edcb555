/**
 * F14 for every POST of the interface, from the endpoint table: under one Idempotency-Key it happens once, at whichever
 * node, at the same time, and after the effect has changed; another body under the key is refused.
 */
import { type EndpointName, endpointNames, endpoints } from '@dragoman/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openReceiver, type Receiver } from '../campaigns/round-receiver.ts'
import { type Answer, type CallOptions, engines } from '../hub.ts'
import { until } from '../hub-place.ts'
import { parkTask } from '../parked-task.ts'
import { priceList } from '../price-list.ts'
import { type Nodes, startNodes } from '../two-nodes.ts'

type Sample = CallOptions & {
  readonly path: string
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
    | 'listeners'
    | 'deliveries'
    | 'moves'
    | 'attempts'
    | 'clients'
    | 'client_secrets'
    | 'people'
    | 'signing_keys'
    | 'audit'
  readonly makes?: number
  /** What was there before, where it makes room first. */
  readonly ready?: () => Promise<unknown>
}

const as = 'demo-connector'
const posts = endpointNames.filter((name) => endpoints[name].call.startsWith('POST '))

describe.each(engines)('Idempotency-Key on %s', (engine) => {
  let nodes: Nodes
  let receiver: Receiver
  beforeAll(async () => {
    nodes = await startNodes(engine)
    receiver = await openReceiver()
  })
  afterAll(async () => {
    await nodes.close()
    await receiver.close()
  })

  const call = <T = Record<string, string>>(method: string, path: string, body?: unknown, who = as) =>
    nodes.hub.call<T>(method, `/v2${path}`, { as: who, ...(body !== undefined && { body }) })
  const newJob = async (): Promise<string> => String((await call('POST', '/jobs', { jobName: 'Once' })).body.jobId)
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
    expect((await fetch(String(body.fmsPostMultipartUrl), { method: 'POST', body: form })).status).toBe(201)
    return String(body.fmsFileId)
  }
  const provider = async (name: string): Promise<string> => {
    const { body } = await call<{ providers: { id: string; name: string }[] }>('GET', '/providers')
    return String(body.providers.find((one) => one.name === name)?.id)
  }
  const sent = async (providerId: string): Promise<{ jobId: string; requestId: string }> => {
    const jobId = await newJob()
    const { body } = await call<{ requests: { requestId: string }[] }>('POST', `/jobs/${jobId}/requests/add`, request())
    await call('PUT', `/jobs/${jobId}/submit`, { providerId })
    await nodes.advance('1s')
    return { jobId, requestId: String(body.requests[0]?.requestId) }
  }
  /** The other node may still be at work on what this one gave away. */
  const atRest = () =>
    until('the end of all that is due', async () => {
      const { read } = nodes.hub.inner.engine
      const due = await read
        .selectFrom('tasks')
        .select('task_id')
        .where('due_at', '<=', nodes.hub.inner.clock.now())
        .execute()
      return due.length === 0
    })
  const listener = async (side: string, who: string, body: object): Promise<string> => {
    const { body: made } = await call('POST', side, body, who)
    return String(made.listenerId)
  }
  const ofConnector = { uri: '', type: 'JOB_STATUS_UPDATED' }
  const clear = async (side: string, who: string) => {
    const { body } = await call<{ listeners: { listenerId: string }[] }>('GET', side, undefined, who)
    for (const { listenerId } of body.listeners) await call('DELETE', `${side}/${listenerId}`, undefined, who)
  }
  const parked = (name: string) => parkTask(nodes.hub, { name, site_id: 'demo' })
  const own = '/statusupdates/listeners'
  const theirs = '/listeners'

  /** One for each POST of the table; one that is missing here fails. */
  const samples: Partial<Record<EndpointName, () => Promise<Sample>>> = {
    createJob: async () => ({ path: '/jobs', body: { jobName: 'Once more' }, counts: 'jobs' }),
    createSourceFile: async () => ({ path: `/jobs/${await newJob()}/sourcefiles?fileName=a.html`, counts: 'files' }),
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
    createAnalysisCode: async () => ({
      as: 'demo-admin',
      path: '/settings/analysiscodes',
      body: { code: 'ONCE', level: 1 },
      counts: 'analysis_codes',
    }),
    createPriceList: async () => ({
      as: 'demo-admin',
      path: '/settings/pricelists',
      body: { ...priceList },
      counts: 'price_lists',
    }),
    createClient: async () => ({
      as: 'demo-admin',
      path: '/clients',
      body: { clientId: 'once', scopes: ['content'] },
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
      body: { name: 'Once', email: 'once@example.org', sites: [{ roles: ['viewer'] }] },
      counts: 'people',
    }),
    linkPerson: async () => {
      const body = { name: 'Linked', email: 'linked@example.org', sites: [{ roles: ['viewer'] }] }
      const { body: made } = await call('POST', '/people', body, 'demo-admin')
      return { as: 'demo-admin', path: `/people/${made.personId}/link`, counts: 'audit' }
    },
    rotateKeys: async () => ({ as: 'demo-operator', path: '/keys/rotate', body: {}, counts: 'signing_keys' }),
    createListener: async () => ({ path: own, body: { ...ofConnector, uri: receiver.url }, counts: 'listeners' }),
    testListener: async () => ({
      path: `${own}/${await listener(own, as, { ...ofConnector, uri: receiver.url })}/test`,
      counts: 'deliveries',
    }),
    remedyFinding: async () => {
      const listenerId = await listener(own, as, { ...ofConnector, uri: receiver.url })
      await call('POST', `${own}/${listenerId}/test`)
      await nodes.advance('1s')
      await atRest()
      await nodes.hub.inner.engine.transact((tx) =>
        tx.updateTable('deliveries').set({ state: 'PARKED' }).where('listener_id', '=', listenerId).execute(),
      )
      const to = '/findings?rule=parked-deliveries'
      const { body } = await call<{ findings: { findingId: string }[] }>('GET', to, undefined, 'demo-admin')
      return { as: 'demo-admin', path: `/findings/${body.findings[0]?.findingId}/remedy`, counts: 'attempts' }
    },
    replayDeliveries: async () => {
      const listenerId = await listener(own, as, { ...ofConnector, uri: receiver.url })
      await call('POST', `${own}/${listenerId}/test`)
      await nodes.advance('1s')
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
      await nodes.advance('1s')
      return { as: 'demo-provider', path: `${theirs}/${listenerId}/replay`, body: {}, counts: 'attempts' }
    },
    replaySiteDeliveries: async () => {
      const listenerId = await listener(own, as, { ...ofConnector, uri: receiver.url })
      await call('POST', `${own}/${listenerId}/test`)
      await nodes.advance('1s')
      return {
        as: 'demo-admin',
        path: '/deliveries/replay',
        body: { filter: { listenerId }, mode: 'all' },
        counts: 'attempts',
      }
    },
    retryTask: async () => ({ as: 'demo-admin', path: `/tasks/${await parked('deliver')}/retry`, counts: 'audit' }),
    retryTasks: async () => {
      await parked('deliver')
      return { as: 'demo-admin', path: '/tasks/retry', body: { name: 'deliver' }, counts: 'audit' }
    },
  }

  it('is tried with every POST of the table', () => {
    expect(Object.keys(samples).sort()).toEqual([...posts].sort())
  })

  const count = async (table: Sample['counts']): Promise<number> => {
    const { many } = await nodes.hub.inner.engine.read
      .selectFrom(table)
      .select((eb) => eb.fn.countAll<number>().as('many'))
      .executeTakeFirstOrThrow()
    return Number(many)
  }

  /** Addresses in an answer are those of the node that was called. */
  const shown = (answer?: { status: number; body: unknown }) => [
    answer?.status,
    JSON.stringify(answer?.body).replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, ''),
  ]
  const done = new Map<string, { again: () => Promise<Answer<unknown>>; first: unknown }>()

  it.each(posts)('%s happens once, however often and wherever it is called', async (name) => {
    await clear(own, as)
    await clear(theirs, 'demo-provider')
    const sample = await samples[name]?.()
    if (!sample) throw new Error('There is no sample.')
    const { path, counts, makes = 1, ...options } = sample
    const post = (body = options.body) =>
      nodes.call('POST', `/v2${path}`, {
        as,
        ...options,
        ...(body !== undefined && { body }),
        headers: { 'idempotency-key': `once-${name}` },
      })
    const before = await count(counts)
    const raced = await Promise.all(Array.from({ length: 6 }, () => post()))
    const made = raced.filter(({ status }) => status < 300)
    expect(made.length).toBeGreaterThan(0)
    for (const one of raced)
      if (one.status >= 300) expect([one.status, one.body.code]).toEqual([409, 'IDEMPOTENCY_IN_PROGRESS'])
    for (const one of made) expect(shown(one)).toEqual(shown(made[0]))
    await nodes.advance('1s')
    for (let node = 0; node < nodes.urls.length; node += 1) {
      const again = await post()
      expect(shown(again)).toEqual(shown(made[0]))
    }
    const other = await post({ ...(options.body as object), somethingElse: true })
    expect([other.status, other.body.code]).toEqual([422, 'IDEMPOTENCY_CONFLICT'])
    await nodes.advance('1s')
    await atRest()
    expect((await count(counts)) - before).toBe(makes)
    done.set(name, { again: () => post(), first: shown(made[0]) })
  })

  it('the first answers are given again after a restart', async () => {
    await nodes.hub.restart()
    expect(done.size).toBe(posts.length)
    for (const [name, { again, first }] of done) expect([name, shown(await again())]).toEqual([name, first])
  })

  // On SQLite nobody can ask while another writes.
  if (engine === 'postgres')
    it('a call that is still running refuses its repetition at the other node', async () => {
      const jobId = await newJob()
      const add = () =>
        nodes.call<{ code: string }>('POST', `/v2/jobs/${jobId}/requests/add`, {
          as,
          body: request(),
          headers: { 'idempotency-key': 'in-flight' },
        })
      const running: ReturnType<typeof add>[] = []
      // Whoever holds the row of the job keeps the call in the middle.
      await nodes.hub.inner.engine.transact(async (tx) => {
        await tx.selectFrom('jobs').select('job_id').where('job_id', '=', jobId).forUpdate().execute()
        running.push(add())
        for (let held = 0; held === 0; )
          held = (await tx.selectFrom('idempotency').select('key').where('key', '=', 'in-flight').execute()).length
        const second = await add()
        expect([second.status, second.body.code]).toEqual([409, 'IDEMPOTENCY_IN_PROGRESS'])
        expect(Number(second.headers.get('retry-after'))).toBeGreaterThan(0)
      })
      const first = await running[0]
      expect(first?.status).toBe(201)
      expect((await add()).body).toEqual(first?.body)
    })
})
