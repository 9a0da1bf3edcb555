/**
 * F1 for rows: the process is killed at random times while jobs are created. A ledger outside it
 * keeps what was answered; afterwards every acknowledged job is there, once.
 */
import { randomBytes, randomInt } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, inject, it } from 'vitest'
import { databases, startProcess, type TestProcess } from '../hub.ts'
import { cloneMigrated } from '../migrated.ts'
import { usePostgres } from '../postgres.ts'

const creations = 100

describe.each(databases)('kill -9 on %s', (database) => {
  it(`during ${creations} job creations at random times loses no acknowledged job and doubles none`, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'dragoman-kill-'))
    const postgres = database === 'postgres' ? usePostgres(inject('postgresUrl')) : undefined
    const databaseUrl = postgres && (await cloneMigrated())
    const env = {
      DRAGOMAN_DATA: join(folder, 'data'),
      ...(databaseUrl && {
        DRAGOMAN_DATABASE_URL: databaseUrl,
        DRAGOMAN_MASTER_KEY: randomBytes(32).toString('hex'),
      }),
    }
    let hub: TestProcess | undefined
    let kills = 0
    const acknowledged = new Map<string, string>()
    try {
      hub = await startProcess(env)
      let token = await tokenOf(hub)
      for (let at = 0; at < creations; at += 1) {
        const victim = hub
        if (at % 10 === 4 && at < creations - 10)
          setTimeout(() => victim.signal('SIGKILL'), randomInt(15))
        // As a careful connector would: the same key until there is an answer.
        const key = `creation-${at}`
        for (let tries = 0; !acknowledged.has(key); tries += 1) {
          expect(tries).toBeLessThan(5)
          try {
            const jobId = await create(hub, token, key)
            if (jobId) acknowledged.set(key, jobId)
          } catch {
            await hub.exited
            kills += 1
            hub = await startProcess(env)
            token = await tokenOf(hub)
          }
        }
      }
      const found = await listAll(hub, token)
      expect(acknowledged.size).toBe(creations)
      for (const [key, jobId] of acknowledged) expect(found.get(key), key).toEqual([jobId])
      expect(found.size).toBe(creations)
      expect(kills).toBeGreaterThan(0)
    } finally {
      await hub?.close()
      if (databaseUrl) await postgres?.dropDatabase(databaseUrl)
      rmSync(folder, { recursive: true, force: true })
    }
  })
})

async function tokenOf(hub: TestProcess): Promise<string> {
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: 'demo-connector',
    client_secret: 'demo-connector-secret',
  })
  const answer = await fetch(`${hub.url}/connect/token`, { method: 'POST', body: form })
  return ((await answer.json()) as { access_token: string }).access_token
}

async function create(hub: TestProcess, token: string, key: string): Promise<string | undefined> {
  const answer = await fetch(`${hub.url}/v2/jobs`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'idempotency-key': key,
    },
    body: JSON.stringify({ jobName: key, labels: ['ledger'] }),
  })
  if (answer.status === 409) {
    // The key of a process that died is held for a while: what it did is undone or done by then.
    await fetch(`${hub.url}/sandbox/clock/advance`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"by":"61s"}',
    })
    return undefined
  }
  return answer.status === 201 ? ((await answer.json()) as { jobId: string }).jobId : undefined
}

async function listAll(hub: TestProcess, token: string): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>()
  let next = ''
  do {
    const answer = await fetch(`${hub.url}/v2/jobs?navNext=${next}`, {
      headers: { authorization: `Bearer ${token}` },
    })
    const page = (await answer.json()) as {
      jobs: { jobId: string; jobName: string }[]
      next?: string
    }
    for (const job of page.jobs)
      found.set(job.jobName, [...(found.get(job.jobName) ?? []), job.jobId])
    next = page.next ?? ''
  } while (next)
  return found
}
