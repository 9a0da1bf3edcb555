/**
 * F14 for every POST of the interface, from the endpoint table: under one Idempotency-Key it
 * happens once, at whichever node, at the same time, and after the effect has changed; another body
 * under the key is refused.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openReceiver, type Receiver } from '../campaigns/round-receiver.ts'
import { type Answer, databases } from '../hub.ts'
import { type Nodes, startNodes } from '../two-nodes.ts'
import { openSamples, posts } from './post-samples.ts'

const as = 'demo-connector'

describe.each(databases)('Idempotency-Key on %s', (database) => {
  let nodes: Nodes
  let receiver: Receiver
  let stage: ReturnType<typeof openSamples>
  beforeAll(async () => {
    nodes = await startNodes(database)
    receiver = await openReceiver()
    stage = openSamples({ hub: nodes.hub, receiver, advance: nodes.advance })
  })
  afterAll(async () => {
    await nodes.close()
    await receiver.close()
  })

  it('is tried with every POST of the table', () => {
    expect(Object.keys(stage.samples).sort()).toEqual([...posts].sort())
  })

  /** Addresses in an answer are those of the node that was called. */
  const shown = (answer?: { status: number; body: unknown }) => [
    answer?.status,
    JSON.stringify(answer?.body).replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, ''),
  ]
  const done = new Map<string, { again: () => Promise<Answer<unknown>>; first: unknown }>()

  it.each(posts)('%s happens once, however often and wherever it is called', async (name) => {
    await stage.clear()
    const sample = await stage.samples[name]?.()
    if (!sample) throw new Error('There is no sample.')
    const { path, counts, makes = 1, other: otherBody, ...options } = sample
    const post = (body = options.body) =>
      nodes.call('POST', `/v2${path}`, {
        as,
        ...options,
        ...(body !== undefined && { body }),
        headers: { ...options.headers, 'idempotency-key': `once-${name}` },
      })
    const before = await stage.count(counts)
    const raced = await Promise.all(Array.from({ length: 6 }, () => post()))
    const made = raced.filter(({ status }) => status < 300)
    expect(made.length).toBeGreaterThan(0)
    for (const one of raced)
      if (one.status >= 300)
        expect([one.status, one.body.code]).toEqual([409, 'IDEMPOTENCY_IN_PROGRESS'])
    for (const one of made) expect(shown(one)).toEqual(shown(made[0]))
    await nodes.advance('1s')
    for (let node = 0; node < nodes.urls.length; node += 1) {
      const again = await post()
      expect(shown(again)).toEqual(shown(made[0]))
    }
    const { body } = options
    const changed =
      typeof body === 'string' ? `${body}more\n` : { ...(body as object), somethingElse: true }
    const other = await post(otherBody ?? changed)
    expect([other.status, other.body.code]).toEqual([422, 'IDEMPOTENCY_CONFLICT'])
    await nodes.advance('1s')
    await stage.atRest()
    expect((await stage.count(counts)) - before).toBe(makes)
    done.set(name, { again: () => post(), first: shown(made[0]) })
  })

  it('the first answers are given again after a restart', async () => {
    await nodes.hub.restart()
    expect(done.size).toBe(posts.length)
    for (const [name, { again, first }] of done)
      expect([name, shown(await again())]).toEqual([name, first])
  })

  // On SQLite nobody can ask while another writes.
  if (database === 'postgres')
    it('a call that is still running refuses its repetition at the other node', async () => {
      const jobId = await stage.newJob()
      const add = () =>
        nodes.call<{ code: string }>('POST', `/v2/jobs/${jobId}/requests/add`, {
          as,
          body: stage.request(),
          headers: { 'idempotency-key': 'in-flight' },
        })
      const running: ReturnType<typeof add>[] = []
      // Whoever holds the row of the job keeps the call in the middle.
      await nodes.hub.inner.db.transact(async (tx) => {
        await tx
          .selectFrom('jobs')
          .select('job_id')
          .where('job_id', '=', jobId)
          .forUpdate()
          .execute()
        running.push(add())
        for (let held = 0; held === 0; )
          held = (
            await tx
              .selectFrom('idempotency')
              .select('key')
              .where('key', '=', 'in-flight')
              .execute()
          ).length
        const second = await add()
        expect([second.status, second.body.code]).toEqual([409, 'IDEMPOTENCY_IN_PROGRESS'])
        expect(Number(second.headers.get('retry-after'))).toBeGreaterThan(0)
      })
      const first = await running[0]
      expect(first?.status).toBe(201)
      expect((await add()).body).toEqual(first?.body)
    })
})
