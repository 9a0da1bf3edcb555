/**
 * `dragoman calls`, `timeline` and `audit`: against a running hub, and with --local on its
 * database.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AuditEntry, LoggedCall, TimelineEntry } from '@dragoman/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { databases, type Env, startHub, type TestHub } from './hub.ts'
import { until } from './hub-place.ts'
import { runCommandLine } from './run-command.ts'

describe.each(databases)('on %s', (database) => {
  let hub: TestHub
  /** The commands keep their log here. */
  let cwd: string
  let jobId: string
  let trace: string
  beforeAll(async () => {
    hub = await startHub({ database })
    cwd = mkdtempSync(join(tmpdir(), 'dragoman-commands-'))
    const made = await hub.call<{ jobId: string }>('POST', '/v2/jobs', {
      as: 'demo-connector',
      body: { jobName: 'a' },
    })
    jobId = made.body.jobId
    trace = made.headers.get('x-request-id') ?? ''
    await until('the call is in the log', async () => {
      return (await hub.call('GET', `/v2/calls/${trace}`, { as: 'demo-operator' })).status === 200
    })
  })
  afterAll(async () => {
    await hub.close()
    rmSync(cwd, { recursive: true })
  })

  const run = (args: readonly string[], env: Env) =>
    runCommandLine(args, { ...env, COLUMNS: '300' }, cwd)
  const ways = [
    ['over HTTP', () => ({ HUB_URL: hub.url }), [] as string[]],
    ['with --local', () => hub.env, ['--local']],
  ] as const

  describe.each(ways)('%s', (_, env, flags) => {
    const json = async <T>(...line: string[]): Promise<T> => {
      const { code, out, err } = await run([...line, '--json', ...flags], env())
      expect({ code, err }).toEqual({ code: 0, err: '' })
      return JSON.parse(out) as T
    }

    it('calls are listed, filtered and limited', async () => {
      const found = await json<LoggedCall[]>('calls', '--job', jobId, '--status', '201')
      expect(found).toMatchObject([{ traceId: trace, route: '/v2/jobs', jobId }])
      expect(await json<LoggedCall[]>('calls', '--limit', '1')).toHaveLength(1)
      expect(await json<LoggedCall[]>('calls', '--job', jobId, '--status', '4xx')).toEqual([])
      expect(await json<LoggedCall[]>('calls', '--job', jobId, '--status', 'failed')).toEqual([])
      const { out } = await run(['calls', '--job', jobId, '--site', 'demo', ...flags], env())
      expect(out).toMatch(
        new RegExp(
          `^TIME +STATUS +CALL[^]* 201 +POST /v2/jobs +${jobId} +demo-connector .*${trace}$`,
          'm',
        ),
      )
      expect((await run(['calls', '--client', 'nobody', ...flags], env())).out).toBe(
        'There are no such calls in the call log.\n',
      )
    })

    it('one call is shown', async () => {
      expect(await json('calls', trace)).toMatchObject({ traceId: trace, statusCode: 201 })
      const { out } = await run(['calls', trace, ...flags], env())
      expect(out).toMatch(/^statusCode +201$/m)
      expect(out).toMatch(new RegExp(`^jobId +${jobId}$`, 'm'))
      const missing = await run(['calls', 'nothing', ...flags], env())
      expect(missing).toMatchObject({
        code: 1,
        err: expect.stringContaining('There is no call nothing in the call log'),
      })
    })

    it('the timeline of a job is shown', async () => {
      const found = await json<TimelineEntry[]>('timeline', jobId)
      expect(found[0]).toMatchObject({ kind: 'call', id: trace, causeId: trace })
      const { out } = await run(['timeline', jobId, ...flags], env())
      expect(out).toMatch(new RegExp(`call +POST /v2/jobs 201 +${trace} +${trace}`))
      expect(await run(['timeline', ...flags], env())).toMatchObject({
        code: 2,
        err: /Specify JOB\./,
      })
      expect(await run(['timeline', 'AAAAAAAAAA', ...flags], env())).toMatchObject({
        code: 1,
        err: /no job AAAAAAAAAA/,
      })
    })

    it('acts are listed and exported, one on each line', async () => {
      const found = await json<AuditEntry[]>('audit', '--thing', 'client', '--id', 'demo-connector')
      expect(found).toMatchObject([{ actor: 'hub', verb: 'added', is: { scopes: ['content'] } }])
      const { out } = await run(['audit', '--id', 'demo-connector', ...flags], env())
      expect(out).toMatch(/hub +demo +client demo-connector +added .*scopes=\["content"\]/)
      const lines = (await run(['audit', '--export', ...flags], env())).out.trim().split('\n')
      const all = await hub.inner.db.read.selectFrom('audit').select('audit_id').execute()
      expect(
        lines.map((line) => (JSON.parse(line) as AuditEntry).auditId).sort((a, b) => a - b),
      ).toEqual(all.map(({ audit_id }) => audit_id).sort((a, b) => a - b))
    })

    it.each([
      [['calls', '--status', 'many'], 1, /statusCode/],
      [['calls', '--since', 'yesterday'], 1, /since/],
      [['audit', '--limit', '0'], 2, /--limit must be/],
      [['audit', 'x'], 2, /"x" is not understood here/],
      [['calls', '--nonsense'], 2, /--nonsense/],
    ] as const)('%o is refused', async (line, code, says) => {
      expect(await run([...line, ...flags], env())).toMatchObject({
        code,
        err: expect.stringMatching(says),
      })
    })
  })
})
