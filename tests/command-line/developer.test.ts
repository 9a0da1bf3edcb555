import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pages } from '../../packages/cli/src/developer/open.ts'
import { triggers } from '../../packages/cli/src/developer/triggers.ts'
import { jobStatuses, requestStatuses } from '../../packages/contract/src/lifecycle.ts'
import { eventTypes } from '../../packages/contract/src/schemas/listener.ts'
import { verifyDelivery } from '../../packages/sdk/src/verify-delivery.ts'
import { buildProgram } from '../build-program.ts'
import { startHub, type TestHub } from '../hub.ts'
import { until } from '../hub-place.ts'
import { newProject, type Project } from '../project.ts'

const root = join(import.meta.dirname, '../..')
let hub: TestHub
let project: Project
beforeAll(async () => {
  await buildProgram()
  hub = await startHub()
  project = newProject(hub.url)
})
afterAll(async () => {
  project?.remove()
  await hub?.close()
})

type Job = { statusCode: string; archiveStatus: string; hasError: boolean }
type Listed = { requests: { requestId: string; statusCode: string; hasError: boolean }[] }
type Done = { jobId: string; requestIds: string[]; statusCode: string; steps: string[] }
const json = async <T>(args: readonly string[], env?: Record<string, string>): Promise<T> => {
  const { code, out, err } = await project.run([...args, '--json'], env)
  expect(code, err).toBe(0)
  return JSON.parse(out) as T
}

describe('trigger', () => {
  test('its table has every status of jobs and requests and every event', async () => {
    const named = (of: (one: (typeof triggers)[number]) => string | undefined) =>
      new Set(triggers.flatMap((one) => of(one) ?? []))
    expect([...named(({ job }) => job)].sort()).toEqual([...jobStatuses].sort())
    expect([...named(({ request }) => request)].sort()).toEqual([...requestStatuses].sort())
    expect([...named(({ event }) => event)].sort()).toEqual([...eventTypes].sort())
    const listed = await json<{ name: string }[]>(['trigger', '--list'])
    expect(listed.map(({ name }) => name)).toEqual(triggers.map(({ name }) => name))
  })

  test('brings a job and its requests into every status, by real calls', async () => {
    const states = triggers.filter(({ event }) => event === undefined)
    const { code, out, err } = await project.run([
      'trigger',
      ...states.map(({ name }) => name),
      '--json',
    ])
    expect(code, err).toBe(0)
    const all = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Done)
    expect(all.length).toBe(states.length)
    for (const [at, { name, job, request }] of states.entries()) {
      const { jobId, requestIds } = all[at] as Done
      const found = await hub.call<Job>('GET', `/v2/jobs/${jobId}`, { as: 'demo-connector' })
      if (job) expect(found.body.statusCode, name).toBe(job)
      if (name === 'job.archived') {
        expect(found.body.archiveStatus).toBe('ARCHIVED')
        continue
      }
      const { body } = await hub.call<Listed>('GET', `/v2/jobs/${jobId}/requests`, {
        as: 'demo-connector',
      })
      expect(body.requests.map(({ requestId }) => requestId).sort()).toEqual([...requestIds].sort())
      if (request) {
        const some = body.requests.filter(({ statusCode }) => statusCode === request)
        expect(some.length, name).toBe(request === 'CANCELLED' ? 1 : 2)
      }
      const isFailed = found.body.hasError || body.requests.some(({ hasError }) => hasError)
      expect(isFailed, name).toBe(name.endsWith('.failed'))
    }
  })

  test('a name in another spelling is found, an unknown one gets the nearest', async () => {
    expect((await json<Done>(['trigger', 'Job.Created'])).statusCode).toBe('CREATED')
    const { code, err } = await project.run(['trigger', 'job.compelted'])
    expect([code, err]).toEqual([
      2,
      expect.stringContaining('There is no event "job.compelted". Did you mean "job.completed"?'),
    ])
  })

  test('a hub that is not a sandbox is refused with a sentence, and no job is created', async () => {
    const real = await startHub({ profile: 'staging' })
    try {
      const { code, out, err } = await project.run(['trigger', 'job.created'], {
        HUB_URL: real.url,
      })
      expect([code, out]).toEqual([1, ''])
      expect(err).toContain('is not a sandbox: trigger makes jobs and plays their provider')
    } finally {
      await real.close()
    }
  })
})

describe('listen', () => {
  test('shows the secret, each event on a line with the response of the receiver, and removes its listeners', async () => {
    const bodies: { headers: Record<string, string>; body: string }[] = []
    const receiver = createServer(async (call, reply) => {
      let body = ''
      for await (const piece of call) body += piece
      bodies.push({ headers: call.headers as Record<string, string>, body })
      reply.writeHead(bodies.length === 1 ? 200 : 202).end()
    })
    await new Promise<void>((ready) => receiver.listen(0, '127.0.0.1', ready))
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`
    const listening = project.start(['listen', '--forward', url])
    try {
      await until('it listens', () => listening.err().includes('Signing secret: '))
      const secret = /Signing secret: (\S+)/.exec(listening.err())?.[1] ?? ''
      const events = ['JOB_UPDATE', 'REQUEST_UPDATE', 'SUPPORT_ASSET_CREATE', 'TM_UPDATE_CREATE']
      const { out } = await project.run(['trigger', ...events, '--json'])
      const made = out
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Done)
      for (const [at, event] of events.entries()) {
        const time = '\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d'
        const line = new RegExp(
          `^${time}  ${event}  ${made[at]?.jobId}  \\S.* -> 20[02] \\(\\d+ ms\\)$`,
          'm',
        )
        await until(`${event} is printed`, () => line.test(listening.out()))
      }
      const [first] = bodies
      const verified = await verifyDelivery(first?.headers ?? {}, first?.body ?? '', { secret })
      expect(verified.delivery.eventType).toBe('JOB_UPDATE')
      expect(
        (
          await hub.call<{ listeners: unknown[] }>('GET', '/v2/statusupdates/listeners', {
            as: 'demo-connector',
          })
        ).body.listeners,
      ).toHaveLength(2)
    } finally {
      listening.child.kill('SIGINT')
      receiver.close()
    }
    expect((await listening.ran).code).toBe(0)
    expect(
      (
        await hub.call<{ listeners: unknown[] }>('GET', '/v2/statusupdates/listeners', {
          as: 'demo-connector',
        })
      ).body.listeners,
    ).toEqual([])
  })

  test('--json: the address and the secret, then a line for each delivery; HUB_LISTENER_SECRET is used', async () => {
    const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
    const listening = project.start(['listen', '--json', '--count', '1'], {
      HUB_LISTENER_SECRET: secret,
    })
    await until('it listens', () => listening.out().includes('"secret"'))
    await json<Done>(['trigger', 'JOB_UPDATE'])
    const { code, out } = await listening.ran
    expect(code).toBe(0)
    const [ready, delivery] = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
    expect(ready).toEqual({ listening: expect.stringContaining('http://127.0.0.1:'), secret })
    expect(delivery).toMatchObject({ verified: true, delivery: { eventType: 'JOB_UPDATE' } })
  })
})

describe('logs', () => {
  const admin = { HUB_CLIENT_ID: 'demo-admin', HUB_CLIENT_SECRET: 'demo-admin-secret' }
  test('follows the calls as they come, of one client, only those that failed', async () => {
    const args = [
      'logs',
      '--follow',
      '--status',
      'failed',
      '--client',
      'demo-connector',
      '--count',
      '1',
      '--json',
      '--limit',
      '1',
    ]
    const before = project.start(args, admin)
    await until('it waits', () => before.err().includes('Waiting for calls (until Ctrl-C)'))
    const shown = before.out()
    await hub.call('GET', '/v2/jobs', { as: 'demo-connector' })
    const refused = await hub.call('GET', '/v2/jobs/nosuchjob9', { as: 'demo-connector' })
    expect(refused.status).toBe(404)
    const { code, out } = await before.ran
    expect(code).toBe(0)
    expect(JSON.parse(out.slice(shown.length))).toMatchObject({
      statusCode: 404,
      code: 'JOB_NOT_FOUND',
      clientId: 'demo-connector',
    })
  })

  test('prints the latest calls about a job with colours by status class, and Ctrl-C ends it with 0', async () => {
    const { jobId } = await json<Done>(['trigger', 'job.created'])
    const args = ['logs', '-f', '--job', jobId, '--hub', hub.url]
    const following = project.start(args, { ...admin, FORCE_COLOR: '1' })
    await until('the call that made it is there', () => following.out().includes('POST /v2/jobs'))
    expect(following.out()).toMatch(
      new RegExp(`\u001b\\[32m201\u001b\\[0m {2}POST /v2/jobs .*job ${jobId}`),
    )
    await until('it waits', () => following.err().includes('Waiting for calls'))
    following.child.kill('SIGINT')
    expect((await following.ran).code).toBe(0)
    const { code } = await project.run(['logs', '--status', 'bad'], admin)
    expect(code).toBe(2)
  })
})

describe('open', () => {
  test('every page of the console has a name', () => {
    const text = readFileSync(join(root, 'packages/console/src/routes.tsx'), 'utf8')
    const named = [...text.matchAll(/name: '([\w-]+)',[^{}]*?path: '([^':]*)/g)].map(
      ([, name = '', path = '']) => [name, path],
    )
    // The page of one thing is opened by the id of the thing.
    const paths = named
      .filter(([name = '']) => !['job', 'workbench'].includes(name))
      .map(([name, path = '']) => [name, path === '/' ? path : path.replace(/\/$/, '')])
    expect(paths.length).toBeGreaterThan(10)
    expect(Object.entries(pages).sort()).toEqual(paths.sort())
  })

  test('finds out what an id is, and prints the address where no browser can be opened', async () => {
    const { jobId } = await json<Done>(['trigger', 'job.created'])
    expect(await project.run(['open', jobId, '--print'])).toEqual({
      code: 0,
      out: `${hub.url}/console/jobs/${jobId}\n`,
      err: '',
    })
    const call = await hub.call('GET', '/v2/jobs/nosuchjob8', { as: 'demo-connector' })
    const { traceId } = call.body as { traceId: string }
    const address = `${hub.url}/console/calls/${traceId}\n`
    await until(
      'the call is in the log',
      async () => (await project.run(['open', traceId])).out === address,
    )
    expect((await project.run(['open', 'deliveries'])).out).toBe(`${hub.url}/console/deliveries\n`)
    expect((await project.run(['open', 'listener', 'x y'])).out).toBe(
      `${hub.url}/console/listeners/x%20y\n`,
    )
    expect(await json(['open'])).toEqual({ url: `${hub.url}/console/` })
    const none = await project.run(['open', 'deliverys'])
    expect([none.code, none.err]).toEqual([
      1,
      expect.stringContaining('Did you mean "deliveries"?'),
    ])
  })
})

describe('doctor', () => {
  type Checks = {
    passed: boolean
    checks: { check: string; result: string; says: string; remedy?: string }[]
  }
  const yml = 'source: en-US\ntargets: [de-DE]\nfiles: [content/*.json]\n'
  test('all is well: each check passed, and no listener stays behind', async () => {
    const sound = newProject(hub.url, { 'dragoman.yml': yml, 'content/a.json': '{"a":"Hello"}' })
    const { code, out, err } = await sound.run(['doctor'])
    expect(code, out + err).toBe(0)
    for (const name of [
      'config',
      'hub',
      'version',
      'clock',
      'credentials',
      'scopes',
      'languages',
      'formats',
      'listener',
    ])
      expect(out).toMatch(new RegExp(`^passed {3}${name} `, 'm'))
    expect(out).toMatch(/1 file: json[\s\S]*Nothing failed\.\n$/)
    const { body } = await hub.call<{ listeners: unknown[] }>(
      'GET',
      '/v2/statusupdates/listeners',
      {
        as: 'demo-connector',
      },
    )
    expect(body.listeners).toEqual([])
    sound.remove()
  })

  const broken: [string, Record<string, string>, Record<string, string>, string, RegExp][] = [
    ['no hub', {}, { HUB_URL: 'http://127.0.0.1:9' }, 'hub', /is not reachable: \w/],
    [
      'a wrong secret',
      {},
      { HUB_CLIENT_ID: 'demo-connector', HUB_CLIENT_SECRET: 'no' },
      'credentials',
      /./,
    ],
    [
      'too few scopes',
      {},
      { HUB_CLIENT_ID: 'demo-provider', HUB_CLIENT_SECRET: 'demo-provider-secret' },
      'scopes',
      /scope/,
    ],
    [
      'an unknown language',
      { 'dragoman.yml': 'source: en-US\ntargets: [xx-YY]\n' },
      {},
      'languages|config',
      /xx-YY/,
    ],
    [
      'a file of no format',
      { 'dragoman.yml': yml.replace('json', 'xyz'), 'content/a.xyz': '\0\0' },
      {},
      'formats',
      /a\.xyz/,
    ],
    ['a file that is no YAML', { 'dragoman.yml': 'targets: [' }, {}, 'config', /dragoman\.yml:/],
  ]
  test.each(broken)('%s fails, with what to do', async (_, files, env, check, says) => {
    const faulty = newProject(hub.url, files)
    const { code, out } = await faulty.run(['doctor', '--json'], env)
    expect(code, out).toBe(1)
    const report = JSON.parse(out) as Checks
    expect(report.passed).toBe(false)
    const [found, ...more] = report.checks.filter(({ result }) => result === 'failed')
    expect(more).toEqual([])
    expect(found?.check).toMatch(new RegExp(`^(${check})$`))
    expect(found?.says).toMatch(says)
    expect(found?.remedy).toMatch(/\w/)
    faulty.remove()
  })

  test('a clock that was moved is reported, with how to set it back', async () => {
    const moved = await startHub()
    try {
      await moved.advance('2d')
      const { code, out } = await project.run(['doctor', '--hub', moved.url])
      expect(code).toBe(1)
      expect(out).toMatch(
        /^failed {3}clock .*172\d\d\d s ahead of this one\n +The clock of the sandbox was moved/m,
      )
    } finally {
      await moved.close()
    }
  })
})
