/**
 * A removal of a site that is killed goes on at the next start and ends whole: no row and no byte
 * is left.
 */
import { describe, expect, it } from 'vitest'
import { checkHub } from '../../packages/server/src/domain/operations/integrity/check.ts'
import { fateOfSite } from '../../packages/server/src/domain/sites/site-removal-rows.ts'
import type { Tables } from '../../packages/server/src/store/tables.ts'
import { databases, startProcess, type TestProcess } from '../hub.ts'
import { makePlace, until } from '../hub-place.ts'
import { jobRow } from '../store-fixtures.ts'

const jobs = 400

describe.each(databases)('kill -9 on %s', (database) => {
  it('during the removal of a site leaves nothing of it behind in the end', async () => {
    const place = await makePlace(database)
    let hub: TestProcess | undefined
    try {
      hub = await startProcess(place.env)
      const tool = await place.open({}, { as: 'tool' })
      const rows = Array.from({ length: jobs }, () => ({ ...jobRow(), site_id: 'demo' }))
      await tool.db.transact(async (tx) => {
        for (let from = 0; from < jobs; from += 100)
          await tx
            .insertInto('jobs')
            .values(rows.slice(from, from + 100))
            .execute()
      })
      const connector = await tokenOf(hub, 'demo-connector')
      const { jobId } = await call(hub, connector, 'POST', '/v2/jobs', { jobName: 'With a file' })
      const transfer = await call(
        hub,
        connector,
        'POST',
        `/v2/jobs/${jobId}/sourcefiles?fileName=a.txt`,
      )
      const form = new FormData()
      form.append('file', new Blob(['text']), 'a.txt')
      await fetch(String(transfer.fmsPostMultipartUrl), { method: 'POST', body: form })
      const left = async () =>
        (await tool.db.read.selectFrom('jobs').select('job_id').execute()).length
      expect(await left()).toBe(jobs + 1)
      expect(
        (await call(hub, await tokenOf(hub, 'demo-operator'), 'DELETE', '/v2/sites/demo')).siteId,
      ).toBe('demo')
      hub.signal('SIGKILL')
      await hub.exited
      expect(await left()).toBeGreaterThan(0)
      hub = await startProcess(place.env)
      await call(hub, '', 'POST', '/sandbox/clock/advance', { by: '11m' })
      const sites = () => tool.db.read.selectFrom('sites').select('site_id').execute()
      await until('the site is gone', async () => (await sites()).length === 0)
      await until('its bytes are gone', async () => {
        for await (const _ of tool.blobs.list()) return false
        return true
      })
      for (const table of Object.keys(fateOfSite) as (keyof Tables)[]) {
        const found = JSON.stringify(await tool.db.read.selectFrom(table).selectAll().execute())
        if (!['calls', 'call_times', 'audit'].includes(table))
          expect([table, found.includes('"demo"')]).toEqual([table, false])
      }
      expect((await checkHub(tool)).findings).toEqual([])
    } finally {
      await hub?.close()
      await place.clear()
    }
  })
})

async function tokenOf({ url }: TestProcess, client_id: string): Promise<string> {
  const form = { grant_type: 'client_credentials', client_id, client_secret: `${client_id}-secret` }
  const answer = await fetch(`${url}/connect/token`, {
    method: 'POST',
    body: new URLSearchParams(form),
  })
  return ((await answer.json()) as { access_token: string }).access_token
}

async function call(
  { url }: TestProcess,
  token: string,
  method: string,
  path: string,
  body?: unknown,
) {
  const headers = {
    authorization: `Bearer ${token}`,
    ...(body !== undefined && { 'content-type': 'application/json' }),
  }
  const sent = body === undefined ? {} : { body: JSON.stringify(body) }
  const answer = await fetch(`${url}${path}`, { method, headers, ...sent })
  return (await answer.json()) as Record<string, unknown>
}
