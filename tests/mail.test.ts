/**
 * Mail to people at the desk, through a real SMTP server on loopback: who asked for it is told
 * once, and nobody else.
 */
import type { Me, WorkItem } from '@dragoman/contract'
import { SMTPServer } from 'smtp-server'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { dueIn, makeJob, providersOf } from './console/some-jobs.ts'
import { freePort } from './free-port.ts'
import { databases, startHub, type TestHub } from './hub.ts'
import { until } from './hub-place.ts'
import { enter } from './visitor.ts'

type Message = {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly id: string
}
type Person = Awaited<ReturnType<typeof enter>>

/** The mail server that an operator has; it keeps what it gets. */
function openPost(port: number): Promise<{ readonly inbox: Message[]; close(): Promise<void> }> {
  const inbox: Message[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData: (stream, _session, done) => {
      let raw = ''
      stream.setEncoding('utf8')
      stream.on('data', (piece: string) => {
        raw += piece
      })
      stream.on('end', () => {
        const [head = '', ...body] = raw.split('\r\n\r\n')
        const field = (name: string) =>
          new RegExp(`^${name}: (.*)$`, 'im').exec(head.replace(/\r\n[ \t]/g, ' '))?.[1] ?? ''
        const text = body.join('\n\n').replace(/=\r\n/g, '').replaceAll('\r\n', '\n')
        inbox.push({ to: field('To'), subject: field('Subject'), id: field('Message-ID'), text })
        done()
      })
    },
  })
  return new Promise((resolve) => {
    server.listen(port, '127.0.0.1', () =>
      resolve({ inbox, close: () => new Promise<void>((closed) => server.close(() => closed())) }),
    )
  })
}

describe.each(databases)('mail on %s', (database) => {
  let hub: TestHub
  let port = 0
  let post: Awaited<ReturnType<typeof openPost>> | undefined
  let manual = ''
  let translator: Person
  let silent: Person
  let reviewer: Person

  beforeAll(async () => {
    port = await freePort()
    const own = await freePort()
    hub = await startHub({
      database,
      env: {
        DRAGOMAN_SMTP_URL: `smtp://127.0.0.1:${port}`,
        DRAGOMAN_MAIL_FROM: 'hub@example.org',
        DRAGOMAN_PORT: String(own),
        DRAGOMAN_PUBLIC_URL: `http://127.0.0.1:${own}`,
      },
    })
    const { Manual = '' } = await providersOf(hub)
    manual = Manual
  })
  // The clock moves far in these tests, and sessions end.
  beforeEach(async () => {
    translator = await someone()
    silent = await someone()
    reviewer = await enter(hub, ['reviewer'], 'demo')
  })
  afterEach(async () => {
    await post?.close()
    post = undefined
    await hub.inner.db.transact(async (tx) => {
      await tx.updateTable('people').set({ preferences: null }).execute()
      await tx.deleteFrom('tasks').where('name', '=', 'send-mail').execute()
    })
  })
  afterAll(() => hub.close())

  const someone = async (): Promise<Person> => {
    const person = await enter(hub, ['viewer'], 'demo')
    const sites = [{ roles: ['translator'], providers: [manual], languages: ['de-DE'] }]
    const { personId } = person.session.person
    expect(
      (await hub.call('PATCH', `/v2/people/${personId}`, { as: 'demo-admin', body: { sites } }))
        .status,
    ).toBe(200)
    return person
  }
  const ask = async (person: Person, mail: Record<string, boolean>): Promise<Me> => {
    const { status, body } = await person.call<Me>('PATCH', '/me', {
      body: { preferences: { mail } },
    })
    expect([status, body.sendsMail, body.preferences.mail]).toEqual([200, true, mail])
    return body
  }
  const itemOf = async (person: Person, view: string, jobId: string): Promise<WorkItem> => {
    const { body } = await person.call<{ work: WorkItem[] }>('GET', '/work', { query: { view } })
    const item = body.work.find((one) => one.jobId === jobId)
    if (!item) throw new Error(`${view} lacks ${jobId}`)
    return item
  }
  const pathOf = ({ providerId, jobId, requestId }: WorkItem) =>
    `/providers/${providerId}/jobs/${jobId}/assetTasks/${requestId}`
  /** No mail waits or is being sent. */
  const settled = () =>
    until('all mail is sent', async () => {
      const tasks = await hub.inner.db.read.selectFrom('tasks').select('name').execute()
      const sending = ['send-mail', 'mail-new-work', 'mail-news', 'mail-invitation', 'send-job']
      return !tasks.some(({ name }) => sending.includes(name))
    })
  const subjects = () =>
    post?.inbox.map(({ to, subject }) => [to.includes(translator.email), subject]).sort()

  it('tells of new work, work given and work rejected, once, to those who asked, without a word of the content', async () => {
    post = await openPost(port)
    await ask(translator, { newWork: true, rejected: true })
    const { jobId } = await makeJob(hub, { jobName: 'Spring campaign', submit: manual })
    await settled()
    expect(subjects()).toEqual([[true, 'New work: Spring campaign']])
    const item = await itemOf(translator, 'OPEN', jobId)
    const task = pathOf(item)
    const { personId } = translator.session.person
    expect(
      (await hub.call('POST', `/v2${task}/claim`, { as: 'demo-provider', body: { personId } }))
        .status,
    ).toBe(200)
    await settled()
    // What they do themselves is no news.
    expect((await translator.call('POST', `${task}/release`)).status).toBe(200)
    expect((await translator.call('POST', `${task}/claim`)).status).toBe(200)
    const fields = ['a', 'b', 'c'].map((letter, at) => ({
      key: `text.${at}`,
      value: `Text ${letter}`,
    }))
    await hub.call('PUT', `/v2${task}/translatedContent`, { as: 'demo-provider', body: { fields } })
    const delivery = { statusCode: 'TRANSLATION_SUBMITTED', force: true }
    expect(
      (await hub.call('PATCH', `/v2${task}`, { as: 'demo-provider', body: delivery })).status,
    ).toBe(200)
    const body = { requestIds: [item.requestId], note: 'A secret reason.' }
    expect((await reviewer.call('PUT', `/jobs/${jobId}/requests/reject`, { body })).status).toBe(
      200,
    )
    await settled()
    expect(subjects()).toEqual([
      [true, 'New work: Spring campaign'],
      [true, 'Rejected: Spring campaign'],
      [true, 'Work for you: Spring campaign'],
    ])
    for (const { text, id } of post.inbox) {
      expect(text).toContain(`${hub.url}/work`)
      expect(text).toContain(`${hub.url}/me`)
      expect(text).not.toMatch(/Pay now|basket|Text a|secret/)
      expect(id).toMatch(/^<dragoman-\d+@example\.org>$/)
    }
    expect(new Set(post.inbox.map(({ id }) => id)).size).toBe(3)
  })

  it('mails an invitation with its link, and keeps the link sealed until then', async () => {
    const email = 'invited@example.org'
    const body = { name: 'In Vited', email, sites: [{ roles: ['viewer'] }] }
    const made = await hub.call<{ link: string }>('POST', '/v2/people', { as: 'demo-admin', body })
    expect(made.status).toBe(201)
    const { payload } = await hub.inner.db.read
      .selectFrom('tasks')
      .select('payload')
      .where('name', '=', 'mail-invitation')
      .executeTakeFirstOrThrow()
    const token = made.body.link.split('/').at(-1) ?? ''
    expect(token.length).toBeGreaterThan(20)
    expect(payload).not.toContain(token)
    post = await openPost(port)
    await hub.advance('1h')
    await settled()
    const mails = post.inbox.filter(({ to }) => to.includes(email))
    expect(mails.map(({ subject }) => subject)).toEqual(['Your invitation to demo'])
    expect(mails[0]?.text).toContain(token)
  })

  it('tells in the morning what is due tomorrow, and how much there is', async () => {
    post = await openPost(port)
    await ask(translator, { dueTomorrow: true, digest: true })
    const days = (many: number) => dueIn(hub, many).slice(0, 10)
    const jobs = new Map<string, string>()
    for (const due of [1, 2, 3]) {
      const { jobId } = await makeJob(hub, { jobName: `Due ${days(due)}`, due, submit: manual })
      jobs.set(days(due), jobId)
    }
    await settled()
    for (const jobId of jobs.values()) {
      const item = await itemOf(translator, 'OPEN', jobId)
      expect((await translator.call('POST', `${pathOf(item)}/claim`)).status).toBe(200)
    }
    // The next morning, whatever the hour is now.
    const now = hub.inner.clock.now()
    const day = 86_400_000
    const today = now - (now % day) + 6 * 3_600_000
    const morning = today > now ? today : today + day
    await hub.advance(`${Math.ceil((morning - now) / 1_000) + 1}s`)
    await settled()
    const tomorrow = new Date(morning + day).toISOString().slice(0, 10)
    const due = post.inbox.filter(({ subject }) => subject.startsWith('Due tomorrow'))
    expect(due.map(({ subject }) => subject)).toEqual([`Due tomorrow: Due ${tomorrow}`])
    const digests = post.inbox.filter(({ subject }) => subject === 'Your work on demo')
    expect(digests).toHaveLength(1)
    expect(digests[0]?.text).toContain('Claimed by you: 3\n')
    expect(post.inbox).toHaveLength(2)
    expect(post.inbox.every(({ to }) => to.includes(translator.email))).toBe(true)
  })

  it('tries again while the server is away, holds nothing up, and says so in the findings at last', async () => {
    await ask(translator, { newWork: true })
    const waiting = async () =>
      (
        await hub.inner.db.read
          .selectFrom('tasks')
          .selectAll()
          .where('name', '=', 'send-mail')
          .execute()
      )[0]
    const first = await makeJob(hub, { jobName: 'While it is away', submit: manual })
    await until('a try has failed', async () => ((await waiting())?.last_error ?? null) !== null)
    // Work goes on.
    const item = await itemOf(translator, 'OPEN', first.jobId)
    expect(item.statusCode).toBe('SENT_TO_PROVIDER')
    post = await openPost(port)
    await hub.advance('1h')
    await settled()
    expect(subjects()).toEqual([[true, 'New work: While it is away']])
    await post.close()
    post = undefined
    await makeJob(hub, { jobName: 'For good', submit: manual })
    await until('the last try has failed', async () => {
      await hub.advance('12h')
      return (await waiting())?.parked === 1
    })
    const { body } = await hub.call<{ findings: { rule: string; message: string }[] }>(
      'GET',
      '/v2/findings',
      {
        as: 'demo-admin',
      },
    )
    expect(JSON.stringify(body)).toMatch(/send-mail/)
  })

  it('sends nothing for work that is gone by then, nor to who no longer wants it', async () => {
    await ask(translator, { newWork: true })
    const { jobId } = await makeJob(hub, { jobName: 'Claimed meanwhile', submit: manual })
    await until('a message waits', async () => {
      const tasks = await hub.inner.db.read
        .selectFrom('tasks')
        .select('last_error')
        .where('name', '=', 'send-mail')
        .execute()
      return tasks.some(({ last_error }) => last_error !== null)
    })
    const item = await itemOf(silent, 'OPEN', jobId)
    expect((await silent.call('POST', `${pathOf(item)}/claim`)).status).toBe(200)
    post = await openPost(port)
    await hub.advance('1h')
    await settled()
    expect(post.inbox).toEqual([])
  })
})

it('a hub without a mail server queues no mail, and says so', async () => {
  const hub = await startHub()
  try {
    const { Manual = '' } = await providersOf(hub)
    const person = await enter(hub, ['admin'], 'demo')
    const { body } = await person.call<Me>('PATCH', '/me', {
      body: { preferences: { mail: { newWork: true } } },
    })
    expect([body.sendsMail, body.preferences.mail]).toEqual([false, { newWork: true }])
    const { jobId } = await makeJob(hub, { jobName: 'Quiet', submit: Manual })
    await until('the job is sent', async () => {
      const job = await hub.call<{ statusCode: string }>('GET', `/v2/jobs/${jobId}`, {
        as: 'demo-connector',
      })
      return job.body.statusCode === 'SENT_TO_PROVIDER'
    })
    const tasks = await hub.inner.db.read.selectFrom('tasks').select('name').execute()
    expect(tasks.filter(({ name }) => name.includes('mail'))).toEqual([])
  } finally {
    await hub.close()
  }
})
