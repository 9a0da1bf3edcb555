/** Contract, section 12: an operator lists sites, and removes one with every row and byte. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkHub } from '../../packages/server/src/domain/operations/integrity/check.ts'
import { enrolClient } from '../../packages/server/src/domain/sites/enrol-client.ts'
import { exportOfSite } from '../../packages/server/src/domain/sites/export-rows.ts'
import { removeSite, removeSiteTask } from '../../packages/server/src/domain/sites/remove-site.ts'
import { fateOfSite } from '../../packages/server/src/domain/sites/site-removal-rows.ts'
import type { Tables } from '../../packages/server/src/store/tables.ts'
import { addTasks } from '../../packages/server/src/store/tasks/add-tasks.ts'
import { claimTasks } from '../../packages/server/src/store/tasks/claim-tasks.ts'
import { openStage, type Stage, stageEnv } from '../campaigns/isolation.ts'
import { databases, startHub, type TestHub } from '../hub.ts'
import { makePlace, until } from '../hub-place.ts'
import { type OutsideIssuer, startIssuer } from '../outside-issuer.ts'
import { everything, run, type ScenarioCall } from '../scenario.ts'

type Site = {
  siteId: string
  jobs: number
  clients: number
  bytes: number
  createdDate: string
  removalDate?: string
}
type Page = { sites: Site[]; pagination: { navNext?: string } }

describe.each(databases)('sites on %s', (database) => {
  let hub: TestHub
  beforeAll(async () => {
    hub = await startHub({ database })
    for (const siteId of ['one', 'two', 'three'])
      hub.secrets.set(
        `${siteId}-admin`,
        (await enrolClient(hub.inner, { siteId, clientId: `${siteId}-admin`, scopes: ['admin'] }))
          .secret,
      )
  })
  afterAll(() => hub.close())

  it('are listed with their sizes, in pages, newest first', async () => {
    for (let job = 0; job < 3; job += 1)
      await hub.call('POST', '/v2/jobs', { as: 'two-admin', body: { jobName: 'j' } })
    const { body: job } = await hub.call('POST', '/v2/jobs', {
      as: 'one-admin',
      body: { jobName: 'j' },
    })
    const content = { fields: [{ key: 'a', value: 'twelve bytes' }] }
    await hub.call('POST', `/v2/jobs/${job.jobId}/sourcecontent`, {
      as: 'one-admin',
      body: content,
    })
    const sites: Site[] = []
    for (let navNext: string | undefined = ''; navNext !== undefined; ) {
      const query: Record<string, string | number> = { pageSize: 3, ...(navNext && { navNext }) }
      const { status, body } = await hub.call<Page>('GET', '/v2/sites', {
        as: 'demo-operator',
        query,
      })
      expect(status).toBe(200)
      sites.push(...body.sites)
      navNext = body.pagination.navNext
    }
    expect(sites.map(({ siteId }) => siteId)).toEqual(['three', 'two', 'one', 'demo'])
    expect(sites.map(({ jobs, clients }) => [jobs, clients])).toEqual([
      [0, 1],
      [3, 1],
      [1, 1],
      [0, 4],
    ])
    expect(sites.find(({ siteId }) => siteId === 'one')?.bytes).toBeGreaterThanOrEqual(12)
  })

  it('refuse their clients as soon as their removal begins, and take no new ones', async () => {
    expect((await hub.call('GET', '/v2/jobs', { as: 'three-admin' })).status).toBe(200)
    const { status, body } = await hub.call<Site>('DELETE', '/v2/sites/three', {
      as: 'demo-operator',
    })
    expect([status, body]).toEqual([
      202,
      expect.objectContaining({ siteId: 'three', removalDate: expect.any(String) }),
    ])
    expect((await hub.call('GET', '/v2/jobs', { as: 'three-admin' })).status).toBe(401)
    await expect(hub.token('three-admin')).rejects.toThrow('401')
    const again = await hub.call<Site>('DELETE', '/v2/sites/three', { as: 'demo-operator' })
    expect([again.status, again.body.removalDate]).toEqual([202, body.removalDate])
    const late = { clientId: 'late', siteId: 'three', scopes: ['admin'] }
    await run(hub, {
      name: 'a client of a site that goes',
      call: 'POST /v2/clients',
      as: 'demo-operator',
      body: late,
      status: 409,
      code: 'SITE_REMOVED',
    })
    await hub.advance('11m')
    const { body: after } = await hub.call<Page>('GET', '/v2/sites', { as: 'demo-operator' })
    expect(after.sites.map(({ siteId }) => siteId)).not.toContain('three')
    expect((await hub.call('DELETE', '/v2/sites/three', { as: 'demo-operator' })).status).toBe(404)
    // One row says who removed it. The name can be used again, for a site without a past.
    const acts = await hub.inner.db.read
      .selectFrom('audit')
      .selectAll()
      .where('verb', '=', 'removed')
      .execute()
    expect(acts.filter(({ thing }) => thing === 'site')).toMatchObject([
      { actor: 'client', client_id: 'demo-operator', site_id: 'three', thing_id: 'three' },
    ])
    expect(
      (await hub.call('POST', '/v2/clients', { as: 'demo-operator', body: late })).status,
    ).toBe(201)
  })

  const rows: ScenarioCall[] = [
    { name: 'an admin that lists', call: 'GET /v2/sites', as: 'demo-admin', status: 403 },
    {
      name: 'an admin that removes its own',
      call: 'DELETE /v2/sites/demo',
      as: 'demo-admin',
      status: 403,
    },
    {
      name: 'an unknown site',
      call: 'DELETE /v2/sites/nowhere',
      status: 404,
      code: 'SITE_NOT_FOUND',
    },
    { name: 'a bad name', call: 'DELETE /v2/sites/-', status: 400, code: 'INVALID_PARAMETER' },
    { name: 'a bad cursor', call: 'GET /v2/sites?navNext=x', status: 400, code: 'INVALID_CURSOR' },
    { name: 'a bad page size', call: 'GET /v2/sites?pageSize=500', status: 400 },
  ]
  it.each(rows)('refuse $name, which changes nothing', async (row) => {
    const before = await everything(hub)
    await run(hub, { as: 'demo-operator', ...row })
    expect(await everything(hub)).toBe(before)
  })
})

describe.each(databases)('a site with one of everything on %s', (database) => {
  let hub: TestHub
  let issuer: OutsideIssuer
  let stage: Stage
  beforeAll(async () => {
    issuer = await startIssuer()
    hub = await startHub({ database, profile: 'production', env: stageEnv(issuer) })
    stage = await openStage(hub, issuer, 'another client id')
    const { secret } = await enrolClient(hub.inner, {
      siteId: '',
      clientId: 'op',
      scopes: ['operator'],
    })
    hub.secrets.set('op', secret)
  })
  afterAll(async () => {
    await stage.close()
    await hub.close()
    await issuer.close()
  })

  const tables = () => Object.keys(fateOfSite) as (keyof Tables)[]
  const dump = async (): Promise<Map<string, string>> => {
    const found = new Map<string, string>()
    for (const table of tables())
      found.set(
        table,
        JSON.stringify(await hub.inner.db.read.selectFrom(table).selectAll().execute()),
      )
    return found
  }
  const blobs = async (): Promise<number> => {
    let many = 0
    for await (const _ of hub.inner.blobs.list()) many += 1
    return many
  }

  it('has a fate for each table that names a site', async () => {
    for (const table of tables()) {
      const named = await hub.inner.db.read.selectFrom(table).selectAll().limit(1).execute()
      const hasSite = Object.keys(named[0] ?? {}).includes('site_id')
      if (hasSite && !['sites', 'calls', 'audit'].includes(table))
        expect([table, fateOfSite[table]]).not.toContain('kept')
      expect(exportOfSite).toHaveProperty(table)
    }
  })

  it('leaves no row and no byte behind, and nothing of another site goes', async () => {
    const { siteId, told } = stage
    await hub.inner.db.transact(async (tx) => {
      const languages = { source_language: 'en', target_language: 'de' }
      const { memory_id } = await tx
        .insertInto('memories')
        .values({ site_id: siteId, ...languages, last_unit: 1 })
        .returning('memory_id')
        .executeTakeFirstOrThrow()
      const unit = {
        source_hash: 'h',
        source: 'canary-source',
        target: 't',
        context: null,
        origin: 'o',
        changed_at: 1,
      }
      await tx
        .insertInto('memory_units')
        .values({ memory_id, unit_id: 1, ...unit })
        .execute()
      await tx
        .insertInto('memory_postings')
        .values({ memory_id, piece: 1, unit_id: 1, signature: 0 })
        .execute()
    })
    // Work that is under way when the removal begins.
    await stage.asKeeper('POST', `/v2/statusupdates/listeners/${stage.ids.listenerId}/test`)
    const before = await dump()
    expect([...before].filter(([, rows]) => rows.includes(siteId)).length).toBeGreaterThan(15)
    expect(await blobs()).toBeGreaterThan(0)
    const others = async () =>
      ((await stage.asStranger('GET', '/v2/jobs')).body.jobs as object[]).length
    await stage.asStranger('POST', '/v2/jobs', { body: { jobName: 'stays' } })
    const neighbours = await others()
    const { status } = await hub.call('DELETE', `/v2/sites/${siteId}`, { as: 'op' })
    expect(status).toBe(202)
    // The log is written in the order of the calls, a moment later: by a clock that is not moved,
    // long before the removal ends.
    await until('the calls are in the log', () =>
      hub.inner.db.read
        .selectFrom('calls')
        .select('call_id')
        .where('method', '=', 'DELETE')
        .where('route', 'like', '/v2/sites%')
        .executeTakeFirst(),
    )
    hub.inner.clock.setOffset(hub.inner.clock.offset() + 11 * 60_000)
    await until('the site is gone', async () => {
      const { body } = await hub.call<Page>('GET', '/v2/sites', { as: 'op' })
      return !body.sites.some((site) => site.siteId === siteId)
    })
    await until('its bytes are gone', async () => (await blobs()) === 0)
    // One act says who removed it, when, and how much there was; the operator's own calls name it.
    const { read } = hub.inner.db
    const acts = (await read.selectFrom('audit').selectAll().execute()).filter((row) =>
      [siteId, ...told].some((id) => JSON.stringify(row).includes(id)),
    )
    expect(acts).toMatchObject([
      { verb: 'removed', thing: 'site', thing_id: siteId, client_id: 'op' },
    ])
    expect(JSON.parse(acts[0]?.was ?? '{}')).toEqual({
      jobs: expect.any(Number),
      clients: expect.any(Number),
      bytes: expect.any(Number),
    })
    const calls = await read
      .selectFrom('calls')
      .selectAll()
      .where('route', 'not like', '/v2/sites%')
      .execute()
    expect(
      calls.filter((row) => [siteId, ...told].some((id) => JSON.stringify(row).includes(id))),
    ).toEqual([])
    expect((await checkHub(hub.inner)).findings).toEqual([])
    for (const [table, rows] of await dump()) {
      if (['calls', 'call_times', 'audit'].includes(table)) continue
      expect([table, rows.includes(siteId)]).toEqual([table, false])
      expect([table, rows.includes('canary-source')]).toEqual([table, false])
      for (const id of told) if (rows.includes(id)) expect([table, id]).toEqual([table, 'gone'])
    }
    expect(JSON.parse((await dump()).get('memory_postings') ?? '')).toEqual([])
    expect(await others()).toEqual(neighbours)
    expect(hub.logged()).not.toMatch(/"level":(50|60)/)
  })
})

it.each(databases)(
  'a removal that was held up looks for late rows once more before it ends, on %s',
  async (database) => {
    const place = await makePlace(database)
    const hub = await place.open()
    const now = hub.clock.now()
    await enrolClient(hub, { siteId: 'late', clientId: 'late-admin', scopes: ['admin'] })
    await hub.db.transact(async (tx) => {
      await tx
        .updateTable('sites')
        .set({ removing_at: now })
        .where('site_id', '=', 'late')
        .execute()
      await addTasks(hub.db, tx, 0, [
        { name: removeSiteTask, payload: { siteId: 'late' }, dueAt: 0, causeId: 'test' },
      ])
    })
    const [task] = await claimTasks(hub.db, {
      nodeId: 'node',
      now,
      leaseUntil: now + 20_000,
      many: 1,
    })
    if (!task) throw new Error('The removal is not due.')
    // Eleven minutes pass while the first row is looked for.
    let passed = 0
    const clock = { ...hub.clock, now: () => now + passed }
    const transact: typeof hub.db.transact = (work) => {
      passed = 11 * 60_000
      return hub.db.transact(work)
    }
    await removeSite({ ...hub, clock, db: { ...hub.db, transact } }, task)
    const sites = await hub.db.read
      .selectFrom('sites')
      .select('site_id')
      .where('site_id', '=', 'late')
      .execute()
    expect(sites).toHaveLength(1)
    await place.clear()
  },
)
