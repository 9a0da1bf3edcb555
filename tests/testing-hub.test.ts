/** `startHub` of dragoman/testing, as a connector developer uses it. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type RunningHub, startHub } from 'dragoman/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const push = (hub: RunningHub) =>
  hub.connect().push({
    jobName: 'tested',
    source: 'en-us',
    targets: ['de-de'],
    provider: 'Pseudo',
    items: [{ name: 'a', fields: { a: 'Some text' } }],
  })

describe('a hub inside a test', () => {
  let hub: RunningHub
  beforeAll(async () => {
    hub = await startHub()
  })
  afterAll(() => hub.close())

  it('answers calls with its credentials, for every role', async () => {
    const { clientId, clientSecret, url } = hub
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    expect(hub.clients.connector).toEqual({ clientId, clientSecret })
    expect((await hub.connect().listProviders()).providers.length).toBeGreaterThan(0)
    expect((await hub.connect({}, 'admin').listJobs()).jobs).toEqual([])
    expect((await hub.connect({}, 'provider').listProviders()).providers.length).toBeGreaterThan(0)
  })

  it('has a clock that can be moved, and what falls due happens', async () => {
    const before = await hub.clock.now()
    const after = await hub.clock.advance('2d')
    expect(after.getTime() - before.getTime()).toBeGreaterThanOrEqual(2 * 86_400_000)
    await expect(hub.clock.advance('soon')).rejects.toMatchObject({ code: 'INVALID_REQUEST' })
  })

  it('records deliveries, verified, and answers them as it is told', async () => {
    await hub.deliveries.listen()
    const job = await push(hub)
    const told = await hub.deliveries.next(
      ({ delivery }) => delivery.statusCode === 'REVIEW_TRANSLATION',
    )
    expect(told).toMatchObject({ verified: true, delivery: { jobId: job.jobId } })
    hub.deliveries.answer(500)
    hub.deliveries.clear()
    await push(hub)
    const failed = await hub.deliveries.next()
    hub.deliveries.answer(204)
    await hub.clock.advance('1h')
    expect(hub.deliveries.all.filter(({ id }) => id === failed.id).length).toBeGreaterThan(1)
  })

  it('makes faults happen on demand, which the SDK survives, and shows the calls', async () => {
    const names = (await hub.faults.scenarios()).map(({ name }) => name)
    expect(names).toContain('rate-limit-storm')
    await hub.faults.on('rate-limit-storm', { times: 2 })
    await hub.connect().listJobs()
    const refused = (await hub.calls()).filter(({ status }) => status === 429)
    expect(refused.length).toBe(2)
    await hub.faults.clear()
    await expect(hub.faults.on('no-such-fault')).rejects.toMatchObject({ code: 'INVALID_REQUEST' })
  })

  it('begins anew when it is reset', async () => {
    await push(hub)
    await hub.reset()
    expect((await hub.connect().listJobs()).jobs).toEqual([])
  })
})

it('keeps its jobs in a folder where it is given one', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'dragoman-kept-'))
  try {
    const first = await startHub({ folder })
    const { jobId } = await push(first)
    await first.close()
    const second = await startHub({ folder })
    expect((await second.connect().findJob({ params: { jobId } })).jobName).toBe('tested')
    await second.close()
    expect(existsSync(join(folder, 'data'))).toBe(true)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

it('says what is wrong with a setting, and leaves no folder', async () => {
  await expect(startHub({ env: { DRAGOMAN_TOKEN_SECONDS: 'long' } })).rejects.toThrow(
    /DRAGOMAN_TOKEN_SECONDS/,
  )
})

describe('in a process of its own', () => {
  const program = join(import.meta.dirname, 'many-hubs.mjs')
  it('50 hubs one after the other and five at a time leave no open handle and no folder', () => {
    const places = ['/dev/shm', tmpdir()].filter((place) => existsSync(place))
    const { pid, status, stdout, stderr } = spawnSync(process.execPath, [program, '50', '5'], {
      encoding: 'utf8',
    })
    expect(stderr).toBe('')
    expect(status).toBe(0)
    // That it ended by itself is the proof; the list says what would have held it.
    expect(JSON.parse(stdout)).toEqual({ answered: 50, open: [] })
    const left = places
      .flatMap((place) => readdirSync(place))
      .filter((name) => name.startsWith(`dragoman-test-${pid}-`))
    expect(left).toEqual([])
  })
})
