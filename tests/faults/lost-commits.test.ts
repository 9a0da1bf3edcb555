/**
 * The answer to a commit is lost: the hub cannot know whether the commit took effect. It undoes nothing then, and the same call again
 * completes what was asked for, once. On PostgreSQL alone: the commit of SQLite has no connection to lose.
 */
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { checkHub } from '../../packages/server/src/domain/integrity/check.ts'
import { startHub, type TestHub } from '../hub.ts'
import { until } from '../hub-place.ts'
import { type LostCommits, openLostCommits } from '../lost-commits.ts'
import { type Postgres, usePostgres } from '../postgres.ts'
import { onPostgres } from '../store-place.ts'

type Transfer = { fmsFileId: string; fmsPostMultipartUrl: string; fmsUploadUrl: string; fmsSASToken: string }
const as = 'demo-connector'

onPostgres('a lost answer to a commit', () => {
  let postgres: Postgres
  let database: string
  let proxy: LostCommits
  let hub: TestHub
  beforeAll(async () => {
    postgres = usePostgres(inject('postgresUrl'))
    database = await postgres.createDatabase()
    proxy = await openLostCommits(database)
    hub = await startHub({
      env: { DRAGOMAN_DATABASE_URL: proxy.url(database), DRAGOMAN_MASTER_KEY: randomBytes(32).toString('hex') },
    })
  })
  afterAll(async () => {
    await hub.close()
    await proxy.close()
    await postgres.dropDatabase(database)
  })

  const call = (method: string, path: string, body?: unknown, headers?: Record<string, string>) =>
    hub.call<Record<string, string>>(method, `/v2${path}`, {
      as,
      ...(body !== undefined && { body }),
      ...(headers && { headers }),
    })
  const newJob = async (): Promise<string> => String((await call('POST', '/jobs', { jobName: 'Lost' })).body.jobId)
  const begin = async (jobId: string): Promise<Transfer> =>
    (await call('POST', `/jobs/${jobId}/sourcefiles?fileName=page.html`)).body as unknown as Transfer
  const count = async (table: 'jobs' | 'requests'): Promise<number> => {
    const counted = hub.inner.engine.read.selectFrom(table).select(({ fn }) => fn.countAll().as('many'))
    return Number((await counted.executeTakeFirstOrThrow()).many)
  }
  /** The outcome of a call that may meet the loss; a broken connection counts as 503. */
  const statusOf = (sent: Promise<{ status: number }>): Promise<number> =>
    sent.then(
      ({ status }) => status,
      () => 503,
    )
  /** Repeats until the hub answers anything but "try again", as a client does. */
  const repeat = (send: () => Promise<{ status: number }>): Promise<number> =>
    until('an answer', async () => {
      const status = await statusOf(send())
      return [500, 502, 503].includes(status) ? undefined : status
    })

  /** Loses the answers to all commits of a call, then to all but the first, and so on. Returns what the first tries answered. */
  async function loseEach(act: (first: (send: () => Promise<{ status: number }>) => Promise<number>) => Promise<void>) {
    const answers: number[] = []
    for (const commits of [0, 1, 2]) {
      await act(async (send) => {
        proxy.loseAfter(commits)
        const status = await statusOf(send())
        proxy.loseAfter(Number.POSITIVE_INFINITY)
        answers.push(status)
        return status
      })
    }
    expect(answers[0], 'the first try met a loss').not.toBe(201)
  }

  it('keeps the bytes of an upload whose row may be there, and takes them again if it is not', async () => {
    await loseEach(async (tryFirst) => {
      const jobId = await newJob()
      const transfer = await begin(jobId)
      const post = () => {
        const form = new FormData()
        form.append('file', new Blob(['<p>bytes</p>']), 'page.html')
        return fetch(transfer.fmsPostMultipartUrl, { method: 'POST', body: form })
      }
      const first = await tryFirst(post)
      if (first !== 201) expect([201, 409]).toContain(await repeat(post))
      const located = await repeat(() => call('GET', `/jobs/${jobId}/sourcefiles/${transfer.fmsFileId}`))
      expect(located).toBe(307)
      const { headers } = await call('GET', `/jobs/${jobId}/sourcefiles/${transfer.fmsFileId}`)
      expect(await (await fetch(String(headers.get('location')))).text()).toBe('<p>bytes</p>')
    })
  })

  it('keeps a resumable upload whose row may be there', async () => {
    await loseEach(async (tryFirst) => {
      const jobId = await newJob()
      const transfer = await begin(jobId)
      const headers = { sastoken: transfer.fmsSASToken, 'tus-resumable': '1.0.0' }
      const create = () =>
        fetch(transfer.fmsUploadUrl, {
          method: 'POST',
          headers: { ...headers, 'upload-length': '5', 'content-type': 'application/offset+octet-stream' },
          body: 'bytes',
        })
      const first = await tryFirst(create)
      if (first !== 201) expect([201, 409]).toContain(await repeat(create))
      const located = await until('the file', async () => {
        const got = await call('GET', `/jobs/${jobId}/sourcefiles/${transfer.fmsFileId}`)
        return got.status === 307 ? got : undefined
      })
      expect(await (await fetch(String(located.headers.get('location')))).text()).toBe('bytes')
    })
  })

  const request = {
    requestName: 'kv',
    sourceNativeId: 's',
    sourceNativeLanguageCode: 'en-us',
    targetNativeLanguageCodes: ['de-de'],
    fields: [{ key: 'a', value: 'text' }],
  }
  it.each([
    ['jobs', async (): Promise<string> => '/jobs', { jobName: 'Lost answer' }],
    ['requests', async (): Promise<string> => `/jobs/${await newJob()}/requests/add`, request],
  ] as const)('adds to the %s once under a key', async (table, pathOf, body) => {
    await loseEach(async (tryFirst) => {
      const path = await pathOf()
      const before = await count(table)
      const key = randomBytes(8).toString('hex')
      const send = () => call('POST', path, body, { 'idempotency-key': key })
      await tryFirst(send)
      // While the key of the first try is held, the hub answers 409.
      await until('a created thing', async () => (await repeat(send)) === 201)
      expect(await count(table)).toBe(before + 1)
    })
  })

  it('leaves nothing that the check of the store calls wrong', async () => {
    const { findings } = await checkHub(hub.inner)
    expect(findings.filter(({ weight }) => weight === 'wrong')).toEqual([])
  })
})
