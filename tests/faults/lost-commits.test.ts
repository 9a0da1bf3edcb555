/**
 * The answer to a commit is lost: the hub cannot know whether the commit took effect. It undoes
 * nothing then, and the same call again completes what was asked for, once. On PostgreSQL alone:
 * the commit of SQLite has no connection to lose.
 */
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { checkHub } from '../../packages/server/src/domain/operations/integrity/check.ts'
import { openReceiver, type Receiver } from '../campaigns/round-receiver.ts'
import { startHub, type TestHub } from '../hub.ts'
import { until } from '../hub-place.ts'
import { type LostCommits, openLostCommits } from '../lost-commits.ts'
import { cloneMigrated } from '../migrated.ts'
import { type Postgres, usePostgres } from '../postgres.ts'
import { inside } from '../soap/soap-call.ts'
import { onPostgres } from '../store-place.ts'
import { openSamples, posts } from './post-samples.ts'
import { openWrites, soapWriters, type Write, writers } from './write-samples.ts'

type Transfer = {
  fmsFileId: string
  fmsPostMultipartUrl: string
  fmsUploadUrl: string
  fmsSASToken: string
}
const as = 'demo-connector'

onPostgres('a lost answer to a commit', () => {
  let postgres: Postgres
  let database: string
  let proxy: LostCommits
  let hub: TestHub
  let receiver: Receiver
  let stage: ReturnType<typeof openSamples>
  let writes: ReturnType<typeof openWrites>
  beforeAll(async () => {
    postgres = usePostgres(inject('postgresUrl'))
    database = await cloneMigrated()
    proxy = await openLostCommits(database)
    hub = await startHub({
      env: {
        DRAGOMAN_DATABASE_URL: proxy.url(database),
        DRAGOMAN_MASTER_KEY: randomBytes(32).toString('hex'),
      },
    })
    receiver = await openReceiver()
    stage = openSamples({ hub, receiver, advance: hub.advance })
    writes = openWrites(hub, stage, receiver.url)
  })
  afterAll(async () => {
    await hub.close()
    await receiver.close()
    await proxy.close()
    await postgres.dropDatabase(database)
  })

  const call = (method: string, path: string, body?: unknown, headers?: Record<string, string>) =>
    hub.call<Record<string, string>>(method, `/v2${path}`, {
      as,
      ...(body !== undefined && { body }),
      ...(headers && { headers }),
    })
  const newJob = async (): Promise<string> =>
    String((await call('POST', '/jobs', { jobName: 'Lost' })).body.jobId)
  const begin = async (jobId: string): Promise<Transfer> =>
    (await call('POST', `/jobs/${jobId}/sourcefiles?fileName=page.html`))
      .body as unknown as Transfer
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

  /** What the call answers if the answers to its commits after the first `commits` are lost. */
  const lose = async (
    commits: number,
    send: () => Promise<{ status: number }>,
  ): Promise<number> => {
    proxy.loseAfter(commits)
    const status = await statusOf(send())
    proxy.loseAfter(Number.POSITIVE_INFINITY)
    return status
  }

  /**
   * Loses the answers to all commits of a call, then to all but the first, and so on. Returns what
   * the first tries answered.
   */
  async function loseEach(
    act: (first: (send: () => Promise<{ status: number }>) => Promise<number>) => Promise<void>,
  ) {
    const answers: number[] = []
    for (const commits of [0, 1, 2]) {
      await act(async (send) => {
        const status = await lose(commits, send)
        answers.push(status)
        return status
      })
    }
    expect([200, 201], 'the first try met a loss').not.toContain(answers[0])
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
      const located = await repeat(() =>
        call('GET', `/jobs/${jobId}/sourcefiles/${transfer.fmsFileId}`),
      )
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
          headers: {
            ...headers,
            'upload-length': '5',
            'content-type': 'application/offset+octet-stream',
          },
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

  it.each(posts)('%s takes effect once under a key', async (name) => {
    await loseEach(async (tryFirst) => {
      await stage.clear()
      const sample = await stage.samples[name]?.()
      if (!sample) throw new Error('There is no sample.')
      const { path, counts, makes = 1, other: _, ...options } = sample
      await stage.atRest()
      const before = await stage.count(counts)
      const headers = { ...options.headers, 'idempotency-key': randomBytes(8).toString('hex') }
      const send = () => hub.call('POST', `/v2${path}`, { as, ...options, headers })
      await tryFirst(send)
      await until('its effect', async () => (await repeat(send)) < 300)
      await hub.advance('1s')
      await stage.atRest()
      expect((await stage.count(counts)) - before).toBe(makes)
    })
  })

  it('is tried with every call that writes', () => {
    expect(Object.keys(stage.samples).sort()).toEqual([...posts].sort())
    expect(Object.keys(writes.rest).sort()).toEqual([...writers].sort())
    expect(Object.keys(writes.soap).sort()).toEqual([...soapWriters].sort())
  })

  /** Moves, status updates and deliveries: a call that takes effect twice leaves more of them. */
  const traces = async (): Promise<number[]> => {
    await hub.advance('1s')
    await stage.atRest()
    return Promise.all((['moves', 'status_updates', 'deliveries'] as const).map(stage.count))
  }
  const madeBy = async (act: () => Promise<unknown>): Promise<number[]> => {
    const before = await traces()
    await act()
    return (await traces()).map((many, at) => many - (before[at] ?? 0))
  }

  it.each(writers)('%s takes effect once when it is repeated', async (name) => {
    const make = async (): Promise<Write> => {
      await stage.clear()
      const write = await writes.rest[name]?.()
      if (!write) throw new Error('There is no such call.')
      expect(await write.holds(), 'before the call').toBe(false)
      return write
    }
    const undisturbed = await make()
    const usual = await madeBy(async () => {
      expect((await writes.send(name, undisturbed)).status).toBeLessThan(300)
      await until('its effect', undisturbed.holds)
    })
    for (const commits of [0, 1]) {
      const write = await make()
      const made = await madeBy(async () => {
        const first = await lose(commits, () => writes.send(name, write))
        const again = first < 300 ? first : await repeat(() => writes.send(name, write))
        if (again >= 300) expect(again).toBe(write.again)
        await until('its effect', write.holds)
      })
      const wanted = write.tellsEachTime
        ? usual.map((many, at) => Math.max(many, made[at] ?? 0))
        : usual
      expect(made, 'moves, status updates, deliveries').toEqual(wanted)
    }
  })

  it.each(soapWriters)('%s takes effect once when it is repeated', async (name) => {
    for (const commits of [0, 1]) {
      const write = await writes.soap[name]?.()
      if (!write) throw new Error('There is no such operation.')
      expect(await write.holds(), 'before the call').toBe(false)
      const headers = { 'idempotency-key': randomBytes(8).toString('hex') }
      const send = async () => {
        const answer = await writes.sendSoap(name, write, headers)
        return {
          status: inside(answer.text, 'Code') === 'ANALYSIS_CODE_NOT_FOUND' ? 200 : answer.status,
        }
      }
      const before = await stage.count('price_lists')
      const first = await lose(commits, send)
      if (first !== 200) await until('its effect', async () => (await repeat(send)) === 200)
      expect(await write.holds()).toBe(true)
      expect((await stage.count('price_lists')) - before).toBe(
        name === 'SetOrganisationPriceList' ? 1 : 0,
      )
    }
  })

  it('leaves nothing that the check of the store calls wrong', async () => {
    const { findings } = await checkHub(hub.inner)
    expect(findings.filter(({ weight }) => weight === 'wrong')).toEqual([])
  })
})
