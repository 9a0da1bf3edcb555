/**
 * Contract, section 15: a text is shared between people by positions, work is handed over many at
 * once, and the list of work tells who has what.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { databases, startHub, type TestHub } from '../hub.ts'
import { edited, packed, translated } from '../packages-kit.ts'
import { type Member, teamOf } from '../team-stage.ts'
import type { Visitor } from '../visitor.ts'

type Row = Record<string, unknown>
type Work = {
  assetTaskId: string
  state: string
  assignee?: { personId: string }
  shares?: { personId: string; name: string; from: number; to: number; words: number }[]
  segments: { total: number; done: number }
  words: { total: number; done: number }
  isLate: boolean
  dueDate?: string
  claimedTime?: string
  deliveredTime?: string
  changedTime?: string
}
const provider = 'demo-provider'
const connector = 'demo-connector'

describe.each(databases)('a team on %s', (database) => {
  let hub: TestHub
  let team: Awaited<ReturnType<typeof teamOf>>
  const who = (name: string): Member => team.who(name)
  beforeAll(async () => {
    hub = await startHub({ database })
    team = await teamOf(hub)
    await team.join('Ann', ['translator'])
    await team.join('Ben', ['translator'])
    await team.join('Cleo', ['translator'])
    await team.join('French', ['translator'], ['fr-FR'])
    await team.join('manager', ['provider-manager'])
  })
  afterAll(() => hub.close())

  const sent = async (segments = 6) => {
    const one = await team.kit.sent([team.text(segments)])
    return { ...one, at: one.task(one.ids[0] ?? '') }
  }
  const share = (
    at: string,
    shares: readonly (readonly [string, number, number])[],
    by = 'manager',
  ) =>
    who(by).call('POST', `${at}/shares`, {
      body: {
        shares: shares.map(([name, from, to]) => ({ personId: who(name).personId, from, to })),
      },
    })
  const halves = [
    ['Ann', 1, 3],
    ['Ben', 4, 6],
  ] as const
  const workOf = async (by: string, query: Record<string, string> = {}): Promise<Work[]> => {
    const { status, body } = await who(by).call<{ work: Work[] }>(
      'GET',
      `/providers/${team.manual}/work`,
      { query },
    )
    expect(status, JSON.stringify(body)).toBe(200)
    return body.work
  }
  const codeOf = ({ status, body }: { status: number; body: Row }) => [status, body.code]

  describe('shares', () => {
    it('each person writes in their own, everybody sees them, and the work is begun', async () => {
      const { at, jobId, ids } = await sent()
      const shared = await share(at, halves)
      expect(shared.status, JSON.stringify(shared.body)).toBe(200)
      expect(shared.body.shares).toEqual([
        { personId: who('Ann').personId, name: expect.any(String), from: 1, to: 3, words: 9 },
        { personId: who('Ben').personId, name: expect.any(String), from: 4, to: 6, words: 9 },
      ])
      expect(shared.body.statusCode).toBe('IN_TRANSLATION')
      expect((await team.write(at, 1, {}, who('Ann'))).status).toBe(200)
      expect(codeOf(await team.write(at, 4, {}, who('Ann')))).toEqual([409, 'NOT_IN_SHARE'])
      expect(codeOf(await team.write(at, 1, {}, who('Cleo')))).toEqual([409, 'NOT_IN_SHARE'])
      expect((await team.write(at, 4, {}, who('Ben'))).status).toBe(200)
      expect((await team.write(at, 2, {}, who('manager'))).status).toBe(200)
      expect((await team.write(at, 3)).status, 'a program').toBe(200)
      const [work] = (await workOf('Ben')).filter(({ assetTaskId }) => assetTaskId === ids[0])
      expect(work).toMatchObject({
        ...{ state: 'RUNNING', segments: { total: 6, done: 4 }, words: { total: 18, done: 12 } },
        shares: shared.body.shares,
      })
      expect((await workOf('Cleo')).some(({ assetTaskId }) => assetTaskId === ids[0])).toBe(false)
      expect(jobId).toBeTruthy()
    })

    it('several targets in one call are all in it, or none is written', async () => {
      const { at } = await sent()
      await share(at, halves)
      const segments = (await team.segmentsOf(at)).slice(2, 4)
      const body = {
        segments: segments.map(({ segmentId, version }) => ({
          ...{ segmentId, version, target: ['Z'], state: 'TRANSLATED' },
        })),
      }
      expect(codeOf(await who('Ann').call('PUT', `${at}/segments`, { body }))).toEqual([
        409,
        'NOT_IN_SHARE',
      ])
      expect((await team.segmentsOf(at)).map(({ state }) => state)).toEqual(Array(6).fill('NEW'))
    })

    it('anyone of them delivers when all is done, nobody else', async () => {
      const { at, jobId } = await sent()
      await share(at, halves)
      for (const position of [1, 2, 3]) await team.write(at, position, {}, who('Ann'))
      const open = await who('Ann').call('POST', `${at}/segments/deliver`)
      expect(codeOf(open)).toEqual([409, 'SEGMENTS_OPEN'])
      for (const position of [4, 5, 6]) await team.write(at, position, {}, who('Ben'))
      const other = await who('Cleo').call('POST', `${at}/segments/deliver`)
      expect(codeOf(other)).toEqual([409, 'NOT_IN_SHARE'])
      expect((await who('Ann').call('POST', `${at}/segments/deliver`)).status).toBe(200)
      const { body } = await team.kit.call<{ requests: Row[] }>(
        connector,
        'GET',
        `/jobs/${jobId}/requests`,
      )
      expect(body.requests[0]?.statusCode).toBe('REVIEW_TRANSLATION')
    })

    it('a file, content, a change of the task and a package need the whole', async () => {
      const file = await team.kit.sent([{ name: 'page.html', file: '<p>One</p><p>Two</p>' }])
      const page = file.task(file.ids[0] ?? '')
      await share(page, [
        ['Ann', 1, 1],
        ['Ben', 2, 2],
      ])
      const { at } = await sent()
      await share(at, halves)
      const fields = [{ key: 'Text 1', value: 'Z' }]
      const doors: [string, string, object?][] = [
        ['POST', `${page}/translatedFile`],
        ['PUT', `${at}/translatedContent`, { fields }],
        ['PATCH', at, { statusCode: 'IN_TRANSLATION' }],
        ['PATCH', at, { hasError: true }],
        ['POST', `${at}/release`],
        ['POST', `${at}/claim`],
      ]
      for (const [method, path, body = {}] of doors)
        for (const name of ['Ann', 'Cleo']) {
          const answer = await who(name).call(method, path, { body })
          expect([method, path, name, ...codeOf(answer)]).toEqual([
            ...[method, path, name, 409, 'NOT_IN_SHARE'],
          ])
        }
      const entries = await team.kit.download(file.path)
      const zip = packed(
        edited(entries, (text, name) =>
          name.endsWith('.xlf') ? translated(text, { One: 'Eins', Two: 'Zwei' }) : text,
        ),
      )
      const own = async (by: Visitor) => {
        const headers = {
          'content-type': 'application/zip',
          cookie: [...by.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
          origin: new URL(hub.url).origin,
          'x-dragoman-csrf': by.csrf,
        }
        const answer = await fetch(`${hub.url}/console/api${file.path}`, {
          ...{ method: 'POST', headers, body: zip as BodyInit },
        })
        return { status: answer.status, body: (await answer.json()) as Row }
      }
      expect(codeOf(await own(who('Ann')))).toEqual([409, 'NOT_IN_SHARE'])
      expect((await own(who('manager'))).status).toBe(200)
    })

    const wrong: [string, (readonly [string, number, number])[], number, string][] = [
      [
        'that overlap',
        [
          ['Ann', 1, 3],
          ['Ben', 3, 6],
        ],
        400,
        'INVALID_REQUEST',
      ],
      ['beyond the end', [['Ann', 1, 7]], 400, 'INVALID_REQUEST'],
      ['that end before they begin', [['Ann', 3, 2]], 400, 'INVALID_REQUEST'],
      ['from position 0', [['Ann', 0, 2]], 400, 'INVALID_REQUEST'],
      [
        'of somebody without the language',
        [
          ['Ann', 1, 3],
          ['French', 4, 6],
        ],
        403,
        'FORBIDDEN',
      ],
    ]
    it.each(wrong)('%s are refused, and nothing changes', async (_, shares, status, code) => {
      const { at } = await sent()
      expect(codeOf(await share(at, shares))).toEqual([status, code])
      expect((await team.kit.call(provider, 'GET', at)).body).not.toHaveProperty('shares')
    })

    it('are set by provider-managers, admins and programs, for people of the provider', async () => {
      const { at } = await sent()
      expect(codeOf(await share(at, halves, 'Ann'))).toEqual([403, 'FORBIDDEN'])
      const shares = [{ personId: who('Ann').personId, from: 1, to: 6 }]
      for (const by of [provider, 'demo-admin'])
        expect((await team.kit.call(by, 'POST', `${at}/shares`, { shares })).status).toBe(200)
      const nobody = [{ personId: 'A'.repeat(22), from: 1, to: 6 }]
      const unknown = await team.kit.call(provider, 'POST', `${at}/shares`, { shares: nobody })
      expect(codeOf(unknown)).toEqual([404, 'PERSON_NOT_FOUND'])
    })

    it('end a claim, and end with [], a claim or a hand-over; what is written stays', async () => {
      const { at } = await sent()
      await who('Cleo').call('POST', `${at}/claim`)
      const { body } = await share(at, halves)
      expect(body).not.toHaveProperty('assignee')
      await team.write(at, 1, {}, who('Ann'))
      const ended = await share(at, [])
      expect([ended.body.shares, ended.body.assignee]).toEqual([undefined, undefined])
      expect((await team.segmentsOf(at))[0]).toMatchObject({ state: 'TRANSLATED' })
      expect((await team.write(at, 1, {}, who('Cleo'))).status, 'open to everybody').toBe(200)
      await share(at, halves)
      const claimed = await who('manager').call('POST', `${at}/claim`, {
        body: { personId: who('Ben').personId },
      })
      expect(claimed.body).toMatchObject({ assignee: { personId: who('Ben').personId } })
      expect(claimed.body).not.toHaveProperty('shares')
      expect(codeOf(await team.write(at, 1, {}, who('Ann')))).toEqual([409, 'ALREADY_CLAIMED'])
      const same = await share(at, [])
      expect(same.body.assignee, 'there is no share to end').toMatchObject({
        personId: who('Ben').personId,
      })
    })

    it('of a rejected delivery are worked on again by those who have them', async () => {
      const { at, jobId, ids } = await sent()
      await share(at, halves)
      for (const position of [1, 2, 3, 4, 5, 6]) await team.write(at, position)
      await who('Ann').call('POST', `${at}/segments/deliver`)
      const body = { requestIds: ids, note: 'Again' }
      await team.kit.call(connector, 'PUT', `/jobs/${jobId}/requests/reject`, body)
      const [work] = (await workOf('Ann')).filter(({ assetTaskId }) => assetTaskId === ids[0])
      expect(work).toMatchObject({ state: 'REJECTED', segments: { total: 6, done: 6 } })
      expect((await team.write(at, 2, { target: ['Neu'] }, who('Ann'))).status).toBe(200)
      expect(codeOf(await team.write(at, 5, {}, who('Ann')))).toEqual([409, 'NOT_IN_SHARE'])
    })

    it('count as load of those who have them', async () => {
      const loadOf = async (name: string) => {
        const { body } = await who('manager').call<{
          people: { personId: string; tasks: number; words: number }[]
        }>('GET', '/work/people', { query: { providerId: team.manual } })
        const found = body.people.find(({ personId }) => personId === who(name).personId)
        return [found?.tasks ?? 0, found?.words ?? 0] as const
      }
      const { at } = await sent()
      const [tasks, words] = await loadOf('Ann')
      await share(at, halves)
      expect(await loadOf('Ann')).toEqual([tasks + 1, words + 9])
      await share(at, [])
      expect(await loadOf('Ann')).toEqual([tasks, words])
    })

    it('of a file that the hub cannot read: there are no positions', async () => {
      const { ids, task } = await team.kit.sent([{ name: 'a.bin', file: 'x\u0000y' }])
      const answer = await share(task(ids[0] ?? ''), [['Ann', 1, 1]])
      expect(codeOf(answer)).toEqual([409, 'NO_SEGMENTS'])
    })
  })

  describe('many at once', () => {
    const hand = (body: object, by: Member | string = who('manager')) => {
      const path = `/providers/${team.manual}/claims`
      return typeof by === 'string'
        ? team.kit.call(by, 'POST', path, body)
        : by.call('POST', path, { body })
    }
    it('are handed over, of several jobs', async () => {
      const [one, two] = [await sent(2), await sent(2)]
      await share(two.at, [['Ben', 1, 2]])
      const assetTaskIds = [...two.ids, ...one.ids]
      const { status, body } = await hand({ personId: who('Ann').personId, assetTaskIds })
      expect(status, JSON.stringify(body)).toBe(200)
      const tasks = body.assetTasks as Row[]
      expect(tasks.map(({ assetTaskId }) => assetTaskId)).toEqual(assetTaskIds)
      for (const task of tasks)
        expect(task).toMatchObject({
          assignee: { personId: who('Ann').personId },
          statusCode: 'IN_TRANSLATION',
        })
      const again = await hand({ personId: who('Ben').personId, assetTaskIds }, provider)
      expect(again.status, 'a program').toBe(200)
    })
    it('or none of them: an unknown one, or a person without the language', async () => {
      const { ids, at } = await sent(2)
      const { personId } = who('Ann')
      const unknown = await hand({ personId, assetTaskIds: [...ids, 'A'.repeat(22)] })
      expect(codeOf(unknown)).toEqual([404, 'REQUEST_NOT_FOUND'])
      const french = await hand({ personId: who('French').personId, assetTaskIds: ids })
      expect(codeOf(french)).toEqual([403, 'FORBIDDEN'])
      expect(codeOf(await hand({ personId, assetTaskIds: [] }))).toEqual([400, 'INVALID_REQUEST'])
      expect(codeOf(await hand({ personId, assetTaskIds: ids }, who('Ann')))).toEqual([
        403,
        'FORBIDDEN',
      ])
      expect((await team.kit.call(provider, 'GET', at)).body).not.toHaveProperty('assignee')
    })
  })

  describe('work', () => {
    it('tells state, person, progress, words and times, by due date', async () => {
      const { at, ids, jobId } = await sent(3)
      const find = async (by: string, query = {}) =>
        (await workOf(by, query)).find(({ assetTaskId }) => assetTaskId === ids[0])
      expect(await find('Ann')).toMatchObject({
        ...{ state: 'OPEN', segments: { total: 3, done: 0 }, words: { total: 9, done: 0 } },
        ...{ isLate: false, jobId, jobName: 'Package', targetNativeLanguageCode: 'de-de' },
      })
      expect(await find('French')).toBeUndefined()
      await who('Ann').call('POST', `${at}/claim`)
      await team.write(at, 1, {}, who('Ann'))
      await team.write(at, 2, { state: 'DRAFT' }, who('Ann'))
      const running = await find('manager', { state: 'RUNNING', personId: who('Ann').personId })
      expect(running).toMatchObject({
        ...{ state: 'RUNNING', assignee: { personId: who('Ann').personId } },
        ...{ segments: { total: 3, done: 1 }, words: { total: 9, done: 3 } },
        ...{ claimedTime: expect.any(String), changedTime: expect.any(String) },
      })
      expect(await find('Ben'), 'a colleague does not see it').toBeUndefined()
      expect(await find('manager', { personId: who('Ben').personId })).toBeUndefined()
      expect(await find('manager', { language: 'fr-fr' })).toBeUndefined()
      expect(await find('manager', { language: 'de_DE' })).toBeDefined()
      await team.write(at, 2, {}, who('Ann'))
      await team.write(at, 3, {}, who('Ann'))
      await who('Ann').call('POST', `${at}/segments/deliver`)
      const delivered = await find('Ann', { state: 'DELIVERED' })
      expect(delivered).toMatchObject({
        ...{ state: 'DELIVERED', segments: { total: 3, done: 3 }, words: { total: 9, done: 9 } },
      })
      const then = Date.parse(delivered?.deliveredTime ?? '')
      const time = (ms: number) => new Date(ms).toISOString()
      expect(await find('Ann', { since: time(then), until: time(then + 1) })).toBeDefined()
      expect(await find('Ann', { since: time(then + 1) })).toBeUndefined()
      expect(await find('Ann', { state: 'DELIVERED', until: time(then) })).toBeUndefined()
      await team.kit.call(connector, 'PUT', `/jobs/${jobId}/complete`)
      expect(await find('Ann', { state: 'DELIVERED' }), 'of a completed job, too').toBeDefined()
    })

    it('pages without losing or doubling anything, by due date and by delivery', async () => {
      const all = new Map<string, string[]>()
      for (const state of ['OPEN', 'DELIVERED']) {
        const seen: string[] = []
        let navNext: string | undefined
        do {
          const query = { state, pageSize: '2', ...(navNext && { navNext }) }
          const { body } = await who('manager').call<{ work: Work[]; next?: string }>(
            'GET',
            `/providers/${team.manual}/work`,
            { query },
          )
          seen.push(...body.work.map(({ assetTaskId }) => assetTaskId))
          navNext = body.next
        } while (navNext)
        expect(new Set(seen).size).toBe(seen.length)
        all.set(state, seen)
        const whole = await workOf('manager', { state, pageSize: '50' })
        expect(whole.map(({ assetTaskId }) => assetTaskId)).toEqual(seen.slice(0, 50))
      }
      expect(all.get('OPEN')?.length).toBeGreaterThan(2)
    })

    it('a bad filter, and another provider', async () => {
      const get = (path: string, query: Record<string, string> = {}) =>
        who('manager').call('GET', path, { query })
      const path = `/providers/${team.manual}/work`
      expect((await get(path, { state: 'HALF' })).status).toBe(400)
      expect((await get(path, { since: 'yesterday' })).status).toBe(400)
      expect((await get(path, { language: 'xx-yy-zz' })).status).toBe(400)
      expect((await get(path, { navNext: 'x' })).status).toBe(400)
      expect(codeOf(await get(`/providers/${'A'.repeat(22)}/work`))).toEqual([
        ...[404, 'PROVIDER_NOT_FOUND'],
      ])
    })
  })
})
