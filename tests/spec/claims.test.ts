/**
 * Contract, section 15: a claim holds at every door, a person's languages are compared as
 * languages, and states follow the work.
 */
import type { Role } from '@dragoman/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { databases, startHub, type TestHub } from '../hub.ts'
import { edited, packagesOf, packed, translated } from '../packages-kit.ts'
import { enter, type Visitor } from '../visitor.ts'

type Row = Record<string, unknown>
type Answered = { status: number; body: Row }
type Segment = { segmentId: string; version: number; target?: unknown; tags: unknown[] }
const provider = 'demo-provider'
const connector = 'demo-connector'
const admin = 'demo-admin'
const fields = [{ key: 'a', value: 'Guten Morgen' }]
const submitted = { statusCode: 'TRANSLATION_SUBMITTED', force: true }

describe.each(databases)('claims on %s', (database) => {
  let hub: TestHub
  let kit: ReturnType<typeof packagesOf>
  let manual = ''
  const people = new Map<string, Visitor & { readonly personId: string }>()
  const who = (name: string) => people.get(name) as Visitor & { readonly personId: string }

  const someone = async (name: string, roles: readonly Role[], languages?: readonly string[]) => {
    const isAdmin = roles.includes('admin')
    const person = await enter(hub, isAdmin ? roles : ['viewer'], 'demo')
    const { personId } = person.session.person
    people.set(name, Object.assign(person, { personId }))
    if (isAdmin) return
    const sites = [{ roles, providers: [manual], ...(languages && { languages }) }]
    const { status, body } = await kit.call(admin, 'PATCH', `/people/${personId}`, { sites })
    expect(status, JSON.stringify(body)).toBe(200)
  }
  beforeAll(async () => {
    hub = await startHub({ database })
    kit = packagesOf(hub)
    manual = (await kit.sent([{ fields: { a: 'x' } }])).job.split('/')[2] ?? ''
    await someone('holder', ['translator'])
    await someone('other', ['translator'])
    await someone('manager', ['provider-manager'])
    await someone('admin of all', ['admin'])
    await someone('German', ['translator'], ['de-DE'])
  })
  afterAll(() => hub.close())

  const statusOf = async (jobId: string, at = 0) => {
    const { body } = await kit.call<{ requests: { statusCode: string }[] }>(
      connector,
      'GET',
      `/jobs/${jobId}/requests`,
    )
    return body.requests[at]?.statusCode
  }
  const upload = async (transfer: Answered) => {
    const form = new FormData()
    form.append('file', new Blob(['<p>Hallo</p>']), 'x.html')
    const sent = await fetch(String(transfer.body.fmsPostMultipartUrl), {
      method: 'POST',
      body: form,
    })
    expect(sent.status).toBe(201)
  }

  describe('a task that somebody holds', () => {
    let text: Awaited<ReturnType<typeof kit.sent>>
    let file: Awaited<ReturnType<typeof kit.sent>>
    const paths = () => ({
      text: text.task(text.ids[0] ?? ''),
      file: file.task(file.ids[0] ?? ''),
      tasks: `${text.job}/assetTasks`,
      whole: text.job,
    })
    beforeEach(async () => {
      text = await kit.sent([{ fields: { a: 'Good morning' } }])
      file = await kit.sent([{ name: 'page.html', file: '<p>Hello</p>' }])
      for (const task of [paths().text, paths().file])
        expect((await who('holder').call('POST', `${task}/claim`)).status).toBe(200)
    })

    type Door = readonly [string, (by: Visitor) => Promise<Answered>]
    const doors: readonly Door[] = [
      [
        'content',
        (by) => by.call('PUT', `${paths().text}/translatedContent`, { body: { fields } }),
      ],
      ['a file', (by) => by.call('POST', `${paths().file}/translatedFile`)],
      [
        'a start',
        (by) => by.call('PATCH', paths().text, { body: { statusCode: 'IN_TRANSLATION' } }),
      ],
      ['an error', (by) => by.call('PATCH', paths().text, { body: { hasError: true } })],
      [
        'a reference',
        (by) => by.call('PATCH', paths().text, { body: { providerReference: 'mine' } }),
      ],
      [
        'a delivery of many',
        (by) =>
          by.call('PATCH', paths().tasks, {
            body: { assetTaskIds: text.ids, assetTasksUpdate: { statusCode: 'IN_TRANSLATION' } },
          }),
      ],
    ]
    it.each(doors)(
      'takes %s from its holder, a manager, an admin and a program, nobody else',
      async (_, door) => {
        const refused = await door(who('other'))
        expect([refused.status, refused.body.code, refused.body.by]).toEqual([
          409,
          'ALREADY_CLAIMED',
          { personId: who('holder').personId, name: expect.any(String) },
        ])
        for (const name of ['holder', 'manager', 'admin of all'])
          expect([name, (await door(who(name))).status < 300]).toEqual([name, true])
      },
    )

    it('is not delivered by somebody else, and what they sent is not kept', async () => {
      const { body } = await kit.call(provider, 'PUT', `${paths().text}/translatedContent`, {
        fields,
      })
      expect(body.assetTaskId).toBe(text.ids[0])
      const refused = await who('other').call('PATCH', paths().text, { body: submitted })
      expect([refused.status, refused.body.code]).toEqual([409, 'ALREADY_CLAIMED'])
      expect(await statusOf(text.jobId)).toBe('IN_TRANSLATION')
      expect((await who('holder').call('PATCH', paths().text, { body: submitted })).status).toBe(
        200,
      )
      expect(await statusOf(text.jobId)).toBe('REVIEW_TRANSLATION')
    })

    it('is delivered by a program, which is the provider itself', async () => {
      await upload(await kit.call(provider, 'POST', `${paths().file}/translatedFile`))
      expect((await kit.call(provider, 'PATCH', paths().file, submitted)).status).toBe(200)
      expect(await statusOf(file.jobId)).toBe('REVIEW_TRANSLATION')
    })

    it('is cancelled by managers and programs, never by a translator', async () => {
      const cancel = { body: { statusCode: 'CANCELLED' } }
      for (const name of ['holder', 'other', 'German'])
        for (const path of [paths().text, paths().whole]) {
          const { status, body } = await who(name).call('PATCH', path, cancel)
          expect([name, status, body.code]).toEqual([name, 403, 'FORBIDDEN'])
        }
      expect(await statusOf(text.jobId)).toBe('IN_TRANSLATION')
      expect((await who('manager').call('PATCH', paths().text, cancel)).status).toBe(200)
      expect(await statusOf(text.jobId)).toBe('CANCELLED')
      expect((await kit.call(provider, 'PATCH', paths().file, cancel.body)).status).toBe(200)
    })
  })

  it('a package with a task of somebody else delivers nothing', async () => {
    const { ids, path, task, jobId } = await kit.sent([
      { fields: { a: 'One' } },
      { fields: { b: 'Two' } },
    ])
    expect((await who('holder').call('POST', `${task(ids[0] ?? '')}/claim`)).status).toBe(200)
    const zip = packed(
      edited(await kit.download(path), (text, name) =>
        name.endsWith('.xlf') ? translated(text, { One: 'Eins', Two: 'Zwei' }) : text,
      ),
    )
    const headers = { 'content-type': 'application/zip' }
    const refused = await who('other').call('POST', path, { body: zip, headers })
    expect([refused.status, refused.body.code], JSON.stringify(refused.body)).toEqual([
      409,
      'ALREADY_CLAIMED',
    ])
    expect([await statusOf(jobId, 0), await statusOf(jobId, 1)]).toEqual([
      'IN_TRANSLATION',
      'SENT_TO_PROVIDER',
    ])
  })

  const spellings = ['de-DE', 'de-de', 'DE_de'] as const
  it.each(spellings)(
    'work that was sent as %s is for somebody who translates into de-DE',
    async (code) => {
      const { ids, task } = await kit.sent([{ fields: { a: 'One' } }], [code])
      const claimed = await who('German').call('POST', `${task(ids[0] ?? '')}/claim`)
      expect([claimed.status, claimed.body.assignee], JSON.stringify(claimed.body)).toMatchObject([
        200,
        { personId: who('German').personId },
      ])
      expect((await who('German').call('POST', `${task(ids[0] ?? '')}/release`)).status).toBe(200)
      const given = await kit.call(provider, 'POST', `${task(ids[0] ?? '')}/claim`, {
        personId: who('German').personId,
      })
      expect(given.status, JSON.stringify(given.body)).toBe(200)
    },
  )

  describe('states follow the work', () => {
    const write = async (task: string, target: string[], by?: Visitor) => {
      const { body } = await kit.call<{ segments: Segment[] }>(provider, 'GET', `${task}/segments`)
      const [segment] = body.segments
      const path = `${task}/segments/${segment?.segmentId}`
      const sent = { target, state: 'DRAFT', version: segment?.version ?? 0 }
      return by ? by.call('PUT', path, { body: sent }) : kit.call(provider, 'PUT', path, sent)
    }
    const jobStatus = async (jobId: string) =>
      (await kit.call(connector, 'GET', `/jobs/${jobId}`)).body.statusCode

    it('a claim starts the request and its job; releasing it does not undo that', async () => {
      const { ids, task, jobId } = await kit.sent([
        { fields: { a: 'One' } },
        { fields: { b: 'Two' } },
      ])
      const path = task(ids[0] ?? '')
      expect((await who('holder').call('POST', `${path}/claim`)).status).toBe(200)
      expect([await jobStatus(jobId), await statusOf(jobId, 0), await statusOf(jobId, 1)]).toEqual([
        'IN_TRANSLATION',
        'IN_TRANSLATION',
        'SENT_TO_PROVIDER',
      ])
      await who('holder').call('POST', `${path}/release`)
      expect(await statusOf(jobId)).toBe('IN_TRANSLATION')
      const { body } = await kit.call<{ statusupdates: unknown[] }>(
        connector,
        'GET',
        `/statusupdates?jobId=${jobId}`,
      )
      expect(body.statusupdates, 'a start is told to nobody').toEqual([])
    })

    it('so does the first written target, by a person or a program, but not an empty one', async () => {
      for (const by of [who('other'), undefined]) {
        const { ids, task, jobId } = await kit.sent([{ fields: { a: 'One' } }])
        const path = task(ids[0] ?? '')
        expect((await write(path, [], by)).status).toBe(200)
        expect(await statusOf(jobId)).toBe('SENT_TO_PROVIDER')
        expect((await write(path, ['Eins'], by)).status).toBe(200)
        expect([await statusOf(jobId), await jobStatus(jobId)]).toEqual([
          'IN_TRANSLATION',
          'IN_TRANSLATION',
        ])
        const moves = await hub.inner.db.read
          .selectFrom('moves')
          .select('move')
          .where('job_id', '=', jobId)
          .where('move', '=', 'start')
          .execute()
        expect(moves).toHaveLength(2)
        expect((await write(path, ['Eins!'], by)).status).toBe(200)
      }
    })

    it('a target that is refused starts nothing', async () => {
      const { ids, task, jobId } = await kit.sent([{ fields: { a: 'One' } }])
      const path = task(ids[0] ?? '')
      const { body } = await kit.call<{ segments: Segment[] }>(provider, 'GET', `${path}/segments`)
      const late = await kit.call(
        provider,
        'PUT',
        `${path}/segments/${body.segments[0]?.segmentId}`,
        {
          target: ['Eins'],
          state: 'DRAFT',
          version: 7,
        },
      )
      expect(late.status).toBe(409)
      expect(await statusOf(jobId)).toBe('SENT_TO_PROVIDER')
    })

    it('rejected work starts again when its holder writes', async () => {
      const { ids, task, jobId } = await kit.sent([{ fields: { a: 'One' } }])
      const path = task(ids[0] ?? '')
      await who('holder').call('POST', `${path}/claim`)
      await kit.call(provider, 'PUT', `${path}/translatedContent`, { fields })
      await kit.call(provider, 'PATCH', path, submitted)
      const rejected = await kit.call(connector, 'PUT', `/jobs/${jobId}/requests/reject`, {
        requestIds: ids,
        note: 'Again.',
      })
      expect([rejected.status, await statusOf(jobId)]).toEqual([200, 'TRANSLATION_REJECTED'])
      expect((await write(path, ['Eins'], who('holder'))).status).toBe(200)
      expect(await statusOf(jobId)).toBe('IN_TRANSLATION')
    })
  })
})
