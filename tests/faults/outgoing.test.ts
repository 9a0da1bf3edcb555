/**
 * F8, F9 and the outgoing calls of faults.md: whatever a listener's address says or leads to, and
 * however badly its far end behaves, no call goes where it must not, and time and bytes are
 * bounded. Canaries stand where no call may arrive.
 */
import { execFileSync } from 'node:child_process'
import dns from 'node:dns'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Delivery, Job, Listener } from '@dragoman/contract'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { setClient } from '../../packages/server/src/domain/access/change-client.ts'
import { mustFindProvider } from '../../packages/server/src/domain/engines/providers.ts'
import { announce } from '../../packages/server/src/domain/listeners/announce.ts'
import { postGuarded } from '../../packages/server/src/outgoing/post.ts'
import { hasOpenssl, noOpenssl } from '../certificates.ts'
import { bootstrapId, databases, startHub, type TestHub } from '../hub.ts'
import { until } from '../hub-place.ts'
import { type Behaviour, type Receiver, startReceiver } from '../receiver.ts'

const path = '/v2/statusupdates/listeners'
type Client = { readonly hub: TestHub; readonly as: string }

const listen = async ({ hub, as }: Client, uri: string) =>
  (
    await hub.call<Listener & { code?: string }>('POST', path, {
      as,
      body: { uri, type: 'JOB_STATUS_UPDATED' },
    })
  ).body
const forget = ({ hub, as }: Client, listenerId: string) =>
  hub.call('DELETE', `${path}/${listenerId}`, { as })
const log = async ({ hub, as }: Client, listenerId: string): Promise<Delivery[]> =>
  (await hub.call<{ deliveries: Delivery[] }>('GET', `${path}/${listenerId}/deliveries`, { as }))
    .body.deliveries

/** A job's row, as if it were with the provider; events are told by hand. */
async function makeJob({ hub, as }: Client, providerId?: string) {
  const { body } = await hub.call<Job>('POST', '/v2/jobs', { as, body: { jobName: 'A job' } })
  const query = hub.inner.db.read.selectFrom('jobs').selectAll().where('job_id', '=', body.jobId)
  return {
    ...(await query.executeTakeFirstOrThrow()),
    ...(providerId && { provider_id: providerId }),
  }
}
type OutgoingCase = Awaited<ReturnType<typeof makeJob>>
const tell = ({ hub }: Client, jobs: readonly OutgoingCase[]): Promise<void> =>
  hub.inner.db.transact((tx) =>
    announce(
      { hub: hub.inner, tx, causeId: 'a-cause' },
      jobs.map((job) => ({
        kind: 'job',
        job,
        status: 'IN_TRANSLATION',
        archived: false,
        deleted: false,
      })),
    ),
  )
const tried = (client: Client, listenerId: string): Promise<Delivery> =>
  until('a try', async () =>
    (await log(client, listenerId)).find(({ attempts }) => attempts.length > 0),
  )

describe('addresses that no call may go to', () => {
  let client: Client
  let canary: Receiver
  let canary6: Receiver
  beforeAll(async () => {
    client = {
      hub: await startHub({ profile: 'production', env: { DRAGOMAN_RATE_LIMIT: 'off' } }),
      as: bootstrapId,
    }
    canary = await startReceiver()
    canary6 = await startReceiver({ host: '::1' })
  })
  afterEach(() => void vi.restoreAllMocks())
  afterAll(async () => {
    await client.hub.close()
    await canary.close()
    await canary6.close()
  })
  const untouched = () => expect([canary.calls, canary6.calls]).toEqual([[], []])

  it.each([
    '127.0.0.1',
    '127.1',
    '127.0.1',
    '2130706433',
    '0x7f000001',
    '0x7f.1',
    '0x7F.0x0.0x0.0x1',
    '0177.0.0.1',
    '0177.1',
    '017700000001',
    '127.0.0.1.',
    '１２７.0.0.1',
    '127。0。0。1',
    '%31%32%37.0.0.1',
    '0',
    '0.0.0.0',
    '0x0',
    '[::1]',
    '[0:0:0:0:0:0:0:1]',
    '[0000::0001]',
    '[::]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[0:0:0:0:0:ffff:7f00:0001]',
    '[::127.0.0.1]',
    '[::ffff:0:127.0.0.1]',
    '[64:ff9b::127.0.0.1]',
    '[64:ff9b::7f00:1]',
    '[2002:7f00:1::]',
    '[2001:0:7f00:1::1]',
    '[fe80::1]',
    '[fc00::1]',
    '[fd00:ec2::254]',
    '[fec0::1]',
    '[ff02::1]',
    '10.0.0.1',
    '0xa000001',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.0.1',
    '3232235521',
    '169.254.169.254',
    '0xa9fea9fe',
    '2852039166',
    '169.254.43518',
    '[::ffff:169.254.169.254]',
    '100.64.0.1',
    '100.100.100.200',
    '168.63.129.16',
    '192.0.0.192',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    // What the parser takes for no address at all.
    '127.0.0.1.1',
    '256.0.0.1',
    '[::1%25lo]',
    '[::ffff:127.0.0.1%lo]',
  ])('%s is refused when a listener is made', async (host) => {
    for (const scheme of ['http', 'https'])
      expect(await listen(client, `${scheme}://${host}:${canary.port}/`)).toMatchObject({
        code: 'LISTENER_URI_FORBIDDEN',
        message: expect.stringContaining('must not call'),
      })
    untouched()
  })

  it.each([
    'ftp://example.com/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'gopher://127.0.0.1/',
    'data:text/plain,x',
    'unix:/run/docker.sock',
    'ws://example.com/',
    'http://user@example.com/',
    'http://user:password@example.com/',
    'http://:password@example.com/',
    'http://',
    '//example.com/',
    'example.com',
    '127.0.0.1',
  ])('%s is refused when a listener is made', async (uri) => {
    expect(await listen(client, uri)).toMatchObject({ code: 'LISTENER_URI_FORBIDDEN' })
  })

  it('literals are judged at each call, too: the row may be older than the rule', async () => {
    for (const host of ['127.0.0.1', '2130706433', '[::1]', '[::ffff:7f00:1]', 'user@127.0.0.1'])
      for (const { port } of [canary, canary6]) {
        const posted = await postGuarded(client.hub.inner, {
          url: `http://${host}:${port}/`,
          body: '{}',
        })
        expect(posted).toMatchObject({
          answered: false,
          error: expect.stringContaining('The call was not made'),
        })
      }
    untouched()
  })

  it('a name is judged by what it leads to, whatever it led to before', async () => {
    const answers = [
      ['127.0.0.1'],
      ['::1'],
      ['10.0.0.1', '169.254.169.254'],
      ['::ffff:127.0.0.1'],
      ['127.0.0.1'],
    ]
    const asked = resolveWith(answers)
    const { listenerId } = await listen(client, `http://listener.example:${canary.port}/`)
    expect(asked()).toBe(0)
    const job = await makeJob(client)
    await tell(client, [job])
    const first = await tried(client, listenerId)
    expect(first.attempts[0]?.error).toMatch(
      /The call was not made: the name resolves to an address that is loopback/,
    )
    for (const _ of answers.slice(1)) {
      const posted = await postGuarded(client.hub.inner, {
        url: `http://listener.example:${canary.port}/`,
        body: '{}',
      })
      expect(posted).toMatchObject({
        answered: false,
        error: expect.stringContaining('resolves to an address that'),
      })
    }
    expect(asked()).toBe(answers.length)
    await forget(client, listenerId)
    untouched()
  })

  it('localhost is what the resolver says it is', async () => {
    const url = `http://localhost:${canary.port}/`
    expect(await postGuarded(client.hub.inner, { url, body: '{}' })).toMatchObject({
      answered: false,
    })
    untouched()
  })
})

/**
 * What the system's resolver answers, one list after the other; gives back how often it was asked.
 */
function resolveWith(answers: readonly (readonly string[])[]): () => number {
  let asked = 0
  const lookup = (
    _: string,
    __: object,
    done: (error: null, found: { address: string; family: number }[]) => void,
  ) => {
    const found = answers[Math.min(asked, answers.length - 1)] ?? []
    asked += 1
    done(
      null,
      found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    )
  }
  vi.spyOn(dns, 'lookup').mockImplementation(lookup as unknown as typeof dns.lookup)
  return () => asked
}

describe('a network that the operator allows', () => {
  it('is reached, and the socket goes to the very address that was judged', async () => {
    const hub = await startHub({
      profile: 'production',
      env: { DRAGOMAN_LISTENER_ALLOW: '127.0.0.2' },
    })
    const receiver = await startReceiver({ host: '127.0.0.2' })
    const canary = await startReceiver({ host: '127.0.0.1' })
    try {
      const asked = resolveWith([['127.0.0.1', '127.0.0.2'], ['127.0.0.1']])
      const post = (port: number) =>
        postGuarded(hub.inner, { url: `http://listener.example:${port}/`, body: '{}' })
      // Of two addresses only the allowed one is taken; what the resolver would say next is not
      // asked.
      expect(await post(receiver.port)).toMatchObject({ answered: true, status: 204 })
      expect([asked(), receiver.calls.length]).toEqual([1, 1])
      expect(await post(canary.port)).toMatchObject({ answered: false })
      expect([asked(), canary.calls.length]).toEqual([2, 0])
      const literal = await postGuarded(hub.inner, {
        url: `http://127.0.0.2:${receiver.port}/`,
        body: '{}',
      })
      expect(literal).toMatchObject({ answered: true })
    } finally {
      vi.restoreAllMocks()
      await hub.close()
      await receiver.close()
      await canary.close()
    }
  })
})

describe.each(databases)('bad far ends on %s', (database) => {
  let client: Client
  let canary: Receiver
  const receivers: Receiver[] = []
  const receive = async (behaviour?: Behaviour): Promise<Receiver> => {
    const receiver = await startReceiver()
    if (behaviour !== undefined) receiver.behave(behaviour)
    receivers.push(receiver)
    return receiver
  }
  beforeAll(async () => {
    client = { hub: await startHub({ database }), as: 'demo-connector' }
    canary = await receive()
  })
  afterAll(async () => {
    for (const receiver of receivers) await receiver.close()
    await client.hub.close()
  })

  /** Of the demo provider, more than a client has as a rule. */
  const listenAll = async (
    uris: readonly string[],
  ): Promise<{ providerId: string; ids: string[] }> => {
    const { hub } = client
    const as = 'demo-provider'
    await setClient(hub.inner, as, { quotas: { MaxProviderListeners: 100 } }, mustFindProvider)
    const { body } = await hub.call<{ providers: { id: string }[] }>('GET', '/v2/providers', { as })
    const ids: string[] = []
    for (const jobUri of uris)
      ids.push(
        (await hub.call<Listener>('POST', '/v2/listeners', { as, body: { jobUri } })).body
          .listenerId,
      )
    return { providerId: body.providers[1]?.id ?? '', ids }
  }
  const deliveriesOf = async (listenerId: string): Promise<Delivery[]> => {
    const to = `/v2/listeners/${listenerId}/deliveries`
    return (await client.hub.call<{ deliveries: Delivery[] }>('GET', to, { as: 'demo-provider' }))
      .body.deliveries
  }
  // Also after a failure: what one test left would keep the next ones busy.
  afterEach(() => client.hub.inner.db.transact((tx) => tx.deleteFrom('listeners').execute()))

  it('cost no more than ten seconds and a few bytes each', async () => {
    const before = process.memoryUsage.rss()
    const rows: { behaviour: Behaviour; state: string; attempt: object; most?: number }[] = [
      { behaviour: 'hang', state: 'PENDING', attempt: { error: 'No response within 10 s.' } },
      { behaviour: 'slow head', state: 'PENDING', attempt: { error: 'No response within 10 s.' } },
      { behaviour: 'endless', state: 'DELIVERED', attempt: { responseCode: 200 } },
      { behaviour: 'huge', state: 'DELIVERED', attempt: { responseCode: 200 } },
      { behaviour: 'bomb', state: 'DELIVERED', attempt: { responseCode: 200 } },
      {
        behaviour: 'reset',
        state: 'PENDING',
        attempt: { error: expect.stringContaining('closed') },
      },
      {
        behaviour: { status: 500, body: 'x'.repeat(1_000_000) },
        state: 'PENDING',
        attempt: { responseCode: 500 },
      },
      {
        behaviour: { status: 302, headers: { location: `${canary.url}/redirected` } },
        state: 'PENDING',
        attempt: { responseCode: 302, error: 'Redirects are not followed.' },
      },
      {
        behaviour: { status: 307, headers: { location: `${canary.url}/redirected` } },
        state: 'PENDING',
        attempt: { responseCode: 307 },
      },
    ]
    const ends = await Promise.all(rows.map(({ behaviour }) => receive(behaviour)))
    const { providerId, ids } = await listenAll(ends.map(({ url }) => url))
    await tell(client, [await makeJob(client, providerId)])
    // Without a limit some of them would never end.
    const found = await until('all were tried', async () => {
      const all = await Promise.all(ids.map(async (id) => (await deliveriesOf(id))[0]))
      return all.every((delivery) => (delivery?.attempts.length ?? 0) > 0) && all
    })
    for (const [index, { behaviour, state, attempt }] of rows.entries()) {
      expect(found[index], String(behaviour)).toMatchObject({ state, attempts: { 0: attempt } })
      expect(found[index]?.attempts[0]?.durationMs).toEqual(expect.any(Number))
    }
    // Sockets buffer some; a gigabyte is far from it.
    for (const end of ends) expect(end.sent()).toBeLessThan(20 * 1024 ** 2)
    expect(process.memoryUsage.rss() - before).toBeLessThan(400 * 1024 ** 2)
    expect(canary.calls).toEqual([])
  })

  it('never keep a good listener waiting, fifty of them with a pile of work each', async () => {
    const [bad, good] = [await receive('hang'), await receive()]
    const { providerId, ids } = await listenAll([
      ...Array.from({ length: 50 }, (_, at) => `${bad.url}/${at}`),
      `${good.url}/good`,
    ])
    const jobs = await Promise.all(Array.from({ length: 20 }, () => makeJob(client, providerId)))
    await tell(client, jobs)
    await until('the good one has all', () => good.calls.length === 20)
    // In a line with the others it would have come last, after a thousand calls of ten seconds,
    // fifty at a time.
    expect(bad.calls.length).toBeLessThanOrEqual(100)
    await until(
      'each of the bad ones is tried',
      () => new Set(bad.calls.map((one) => one.path)).size === 50,
    )
    expect(bad.most()).toBeLessThanOrEqual(50)
    await tell(client, jobs)
    await until('the good one has all again', () => good.calls.length === 40)
    const states = async () => (await deliveriesOf(ids.at(-1) ?? '')).map(({ state }) => state)
    await until('all of it is noted', async () =>
      (await states()).every((state) => state === 'DELIVERED'),
    )
    bad.behave(204)
  })

  it('have one call of a job under way at a time, and several of different jobs', async () => {
    const receiver = await receive()
    const running = new Map<unknown, number>()
    let together = 0
    const overlaps: unknown[] = []
    receiver.behave(async ({ body }) => {
      const { jobId } = body
      if (running.has(jobId)) overlaps.push(jobId)
      running.set(jobId, 1)
      together = Math.max(together, running.size)
      // Long enough for the calls of other jobs to come; the hub holds back a listener that answers
      // much later.
      await new Promise((next) => setTimeout(next, 5))
      running.delete(jobId)
      return 200
    })
    const { listenerId } = await listen(client, receiver.url)
    const jobs = await Promise.all(Array.from({ length: 12 }, () => makeJob(client)))
    await tell(client, [...jobs, ...jobs, ...jobs, ...jobs])
    await until('all arrived', () => receiver.calls.length === 48)
    expect(overlaps).toEqual([])
    expect(together).toBeGreaterThan(1)
    await forget(client, listenerId)
  })

  it('with a certificate that nobody vouches for get no call', async ({ skip }) => {
    skip(!hasOpenssl, noOpenssl)
    const folder = mkdtempSync(join(tmpdir(), 'dragoman-tls-'))
    const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
    const make =
      'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost'
    execFileSync('openssl', [...make.split(' '), '-keyout', key, '-out', cert], { stdio: 'ignore' })
    const tls = { cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') }
    const receiver = await startReceiver({ tls })
    receivers.push(receiver)
    const { listenerId } = await listen(client, receiver.url)
    await tell(client, [await makeJob(client)])
    expect((await tried(client, listenerId)).attempts[0]?.error).toMatch(/^TLS failed\./)
    expect(receiver.calls).toEqual([])
    await forget(client, listenerId)
    rmSync(folder, { recursive: true })
  })

  it('leave no secret in the log', async () => {
    const body = {
      uri: `${canary.url}/?token=in-the-uri`,
      type: 'JOB_STATUS_UPDATED',
      secret: 'a-very-secret-secret',
    }
    const { body: made } = await client.hub.call<Listener>('POST', path, { as: client.as, body })
    await tell(client, [await makeJob(client)])
    await until('it arrived', () => canary.calls.length > 0)
    const logged = client.hub.logged()
    expect(logged).not.toContain('a-very-secret-secret')
    expect(logged).not.toContain('in-the-uri')
    await forget(client, made.listenerId)
    canary.calls.length = 0
  })
})
