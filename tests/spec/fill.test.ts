/**
 * Contract, section 15: segments are filled in from the memory, repetitions and an engine, by a call
 * or at the hand-over. What a person wrote is never touched.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { databases, startHub, type TestHub } from '../hub.ts'
import { teamOf } from '../team-stage.ts'
import { startEngine, type TranslationEngine } from '../translation-engine.ts'

const provider = 'demo-provider'
const admin = 'demo-admin'
type Row = Record<string, unknown>

const memory: Record<string, string> = {
  'Good morning': 'Guten Morgen',
  'Save 3 files': '3 Dateien speichern',
  'Pay 1,250.50 now': 'Jetzt 1.250,50 zahlen',
  'Press <b>Save</b> to go on': '<b>Speichern</b> drücken und weiter',
  'Hello {name}, welcome back': 'Hallo {name}, schön dich zu sehen',
  'Delete the file now': 'Die Datei jetzt löschen',
}

describe.each(databases)('fill on %s', (database) => {
  let hub: TestHub
  let team: Awaited<ReturnType<typeof teamOf>>
  let engine: TranslationEngine
  let engineId = ''
  const pair = { sourceNativeLanguageCode: 'en-us', targetNativeLanguageCode: 'de-de' }

  beforeAll(async () => {
    hub = await startHub({ database })
    engine = await startEngine()
    team = await teamOf(hub)
    await team.join('Ann', ['translator'])
    await team.join('Ben', ['translator'])
    await team.join('manager', ['provider-manager'])
    for (const [source, target] of Object.entries(memory)) {
      const body = { ...pair, source, target }
      const made = await team.kit.call(admin, 'POST', '/settings/memory/units', body)
      expect(made.status, JSON.stringify(made.body)).toBe(201)
    }
    const made = await team.kit.call(admin, 'POST', '/providers', {
      ...{ name: 'Engine', typeId: 'machine-translation', config: { url: engine.url } },
    })
    engineId = String(made.body.id)
  })
  afterAll(async () => {
    await hub.close()
    await engine.close()
  })
  beforeEach(() => engine.be())

  const sent = async (...sources: readonly string[]) => {
    const fields = Object.fromEntries(sources.map((source, at) => [`key ${at + 1}`, source]))
    const one = await team.kit.sent([{ fields }])
    return { ...one, at: one.task(one.ids[0] ?? '') }
  }
  const fill = (at: string, body: object, query = '') =>
    team.kit.call(provider, 'POST', `${at}/segments/fill${query}`, body)
  const statusOf = async (jobId: string) =>
    (await team.kit.call<Row>(provider, 'GET', `/providers/${team.manual}/jobs/${jobId}`)).body
      .statusCode
  const written = async (at: string) =>
    (await team.segmentsOf(at)).map(({ state, target, filled, origin }) => ({
      ...{ state, target, filled, origin },
    }))

  it('takes matches of 100 %, confirms them if asked, and moves nothing', async () => {
    const { at, jobId } = await sent('Good morning', 'Unknown words')
    const drafted = await fill(at, { from: ['MEMORY'] })
    expect([drafted.status, drafted.body]).toEqual([
      200,
      { filled: 1, confirmed: 0, left: 1, by: { memory: 1, repeats: 0, engine: 0 } },
    ])
    expect(await written(at)).toEqual([
      {
        ...{ state: 'DRAFT', target: ['Guten Morgen'], origin: 'MEMORY' },
        filled: { from: 'MEMORY', percent: 100 },
      },
      { state: 'NEW' },
    ])
    expect(await statusOf(jobId)).toBe('SENDING_READY_FOR_RETRIEVE')
    const confirmed = await fill(at, { from: ['MEMORY'], confirm: true })
    expect(confirmed.body).toMatchObject({ filled: 0, confirmed: 1, left: 1 })
    expect((await team.segmentsOf(at))[0]?.state).toBe('TRANSLATED')
    const again = await fill(at, { from: ['MEMORY'], confirm: true })
    expect(again.body).toMatchObject({ filled: 0, confirmed: 0, left: 1 })
  })

  const adapted: [string, unknown[]][] = [
    ['Save 12 files', ['12 Dateien speichern']],
    ['Pay 3,700.25 now', ['Jetzt 3.700,25 zahlen']],
    ['Press <i>Save</i> to go on', [{ tag: 1 }, 'Speichern', { tag: 2 }, ' drücken und weiter']],
    ['Press Save to go on', ['Speichern drücken und weiter']],
    ['Hello {user}, welcome back', ['Hallo ', { tag: 1 }, ', schön dich zu sehen']],
  ]
  it.each(adapted)('adapts a match to %s, and never confirms it', async (source, target) => {
    const { at } = await sent(source)
    const done = await fill(at, { from: ['MEMORY'], minimum: 95, confirm: true })
    expect(done.body).toMatchObject({ filled: 1, confirmed: 0, left: 0 })
    expect(await written(at)).toEqual([
      {
        ...{ state: 'DRAFT', target, origin: 'MEMORY' },
        filled: { from: 'MEMORY', percent: 99, adapted: true },
      },
    ])
    const { body } = await team.kit.call<{ matches: Row[] }>(
      provider,
      'POST',
      `/providers/${team.manual}/matches`,
      { ...pair, text: source },
    )
    expect(body.matches[0]).toMatchObject({ percent: 99, kind: 'FUZZY', adapted: true })
  })

  it('takes fuzzy matches from the minimum on, as drafts', async () => {
    const { at } = await sent('Delete the file later')
    expect((await fill(at, { from: ['MEMORY'] })).body).toMatchObject({ filled: 0, left: 1 })
    const done = await fill(at, { from: ['MEMORY'], minimum: 75, confirm: true })
    expect(done.body).toMatchObject({ filled: 1, confirmed: 0 })
    expect((await team.segmentsOf(at))[0]?.filled).toEqual({ from: 'MEMORY', percent: 75 })
  })

  it('repeats what was finished in the same content, and confirms it if asked', async () => {
    const { at } = await sent('A lonely text', 'Twice here', 'Twice here', 'Twice here')
    expect((await fill(at, { from: ['REPEATS'], confirm: true })).body).toMatchObject({
      ...{ filled: 0, left: 4 },
    })
    await team.write(at, 2, { target: ['Zweimal hier'], state: 'DRAFT' })
    expect((await fill(at, { from: ['REPEATS'] })).body, 'a draft is not done').toMatchObject({
      filled: 0,
    })
    await team.write(at, 2, { target: ['Zweimal hier'] })
    expect((await fill(at, { from: ['REPEATS'], confirm: true })).body).toEqual({
      ...{ filled: 2, confirmed: 2, left: 1, by: { memory: 0, repeats: 2, engine: 0 } },
    })
    expect((await written(at)).slice(2)).toEqual(
      Array(2).fill({
        ...{ state: 'TRANSLATED', target: ['Zweimal hier'], origin: 'MEMORY' },
        filled: { from: 'REPEATS' },
      }),
    )
  })

  it('asks the engine for the rest, whose drafts are never confirmed', async () => {
    const { at } = await sent('Good morning', 'Brand new words')
    const from = ['MEMORY', 'REPEATS', 'ENGINE']
    const done = await fill(at, { from, confirm: true, providerId: engineId })
    expect(done.body).toEqual({
      ...{ filled: 2, confirmed: 1, left: 0, by: { memory: 1, repeats: 0, engine: 1 } },
    })
    const [, segment] = await team.segmentsOf(at)
    expect(segment).toMatchObject({
      ...{ state: 'DRAFT', target: ['BRAND NEW WORDS'], origin: 'MACHINE' },
      ...{ filled: { from: 'ENGINE' }, engine: { providerId: engineId } },
    })
    expect(engine.calls.flatMap(({ q }) => q)).toEqual(['Brand new words'])
  })

  it('the only engine of the site needs no name; a limit or a fault leaves segments', async () => {
    const { at } = await sent('First of all', 'Second of all')
    engine.be(() => ({ status: 400, body: { error: 'no' } }))
    const failed = await fill(at, { from: ['ENGINE'] })
    expect(failed.body).toMatchObject({ filled: 0, left: 2, because: expect.any(String) })
    engine.be()
    const set = (limits: object) =>
      team.kit.call(admin, 'PATCH', `/providers/${engineId}`, { limits })
    await set({ charactersPerJob: 1 })
    const calls = engine.calls.length
    const held = await fill(at, { from: ['ENGINE'] })
    expect(held.body).toMatchObject({ filled: 0, left: 2, because: expect.any(String) })
    expect(engine.calls.length).toBe(calls)
    await set({})
    expect((await fill(at, { from: ['ENGINE'] })).body).toMatchObject({ filled: 2, left: 0 })
  })

  it('a dry run counts, writes nothing and asks no engine', async () => {
    const { at } = await sent('Good morning', 'Save 8 files', 'Nobody knows this')
    const asked = { from: ['MEMORY', 'ENGINE'], minimum: 95, confirm: true, providerId: engineId }
    const dry = await fill(at, asked, '?dryRun=true')
    expect(dry.body).toEqual({
      ...{ filled: 3, confirmed: 1, left: 0, by: { memory: 2, repeats: 0, engine: 1 } },
    })
    expect(engine.calls).toEqual([])
    expect((await team.segmentsOf(at)).map(({ state }) => state)).toEqual(['NEW', 'NEW', 'NEW'])
    const done = await fill(at, asked)
    expect(done.body).toEqual(dry.body)
  })

  it('never touches a target of a person, and whoever types meets the new version', async () => {
    const { at } = await sent('Good morning', 'Good morning')
    const mine = { target: ['Moin'], state: 'DRAFT' }
    expect((await team.write(at, 1, mine, team.who('Ann'))).status).toBe(200)
    const [, before] = await team.segmentsOf(at)
    await fill(at, { from: ['MEMORY', 'REPEATS'], confirm: true })
    expect((await team.segmentsOf(at))[0]).toMatchObject({ target: ['Moin'], origin: 'PERSON' })
    const late = await team.write(at, 2, { ...mine, version: before?.version }, team.who('Ann'))
    expect([late.status, late.body.code, late.body.current]).toMatchObject([
      ...[409, 'VERSION_CONFLICT'],
      { target: ['Guten Morgen'], version: 1 },
    ])
    expect((await team.write(at, 2, mine, team.who('Ann'))).body).toMatchObject({
      ...{ target: ['Moin'], origin: 'PERSON', version: 2 },
    })
    expect((await team.segmentsOf(at))[1]).not.toHaveProperty('filled')
  })

  it('somebody is faster than the engine: their text stays', async () => {
    const { at } = await sent('Race me', 'Race you')
    engine.be(async () => {
      await team.write(at, 1, { target: ['Ich war schneller'] }, team.who('Ann'))
      return undefined
    })
    const done = await fill(at, { from: ['ENGINE'], providerId: engineId })
    expect(done.body).toMatchObject({ filled: 1, left: 0 })
    expect((await team.segmentsOf(at)).map(({ target }) => target)).toEqual([
      ['Ich war schneller'],
      ['RACE YOU'],
    ])
  })

  it('in a shared text fills the own share; a task of somebody else is refused', async () => {
    const { at } = await sent('Good morning', 'Good morning')
    const [ann, ben] = [team.who('Ann'), team.who('Ben')]
    const by = (visitor: typeof ann, path = '') =>
      visitor.call('POST', `${at}/segments/fill${path}`, { body: { from: ['MEMORY'] } })
    const shares = [
      { personId: ann.personId, from: 1, to: 1 },
      { personId: ben.personId, from: 2, to: 2 },
    ]
    await team.kit.call(provider, 'POST', `${at}/shares`, { shares })
    expect((await by(ann)).body).toMatchObject({ filled: 1, left: 0 })
    expect((await team.segmentsOf(at)).map(({ state }) => state)).toEqual(['DRAFT', 'NEW'])
    await team.kit.call(provider, 'POST', `${at}/shares`, { shares: [] })
    await ann.call('POST', `${at}/claim`)
    expect((await by(ben)).body.code).toBe('ALREADY_CLAIMED')
    expect((await by(team.who('manager'))).body).toMatchObject({ filled: 1, left: 0 })
  })

  const wrong: [string, object][] = [
    ['nothing to take it from', { from: [] }],
    ['an unknown source', { from: ['GUESS'] }],
    ['a minimum below 75', { from: ['MEMORY'], minimum: 74 }],
    ['an engine that is none', { from: ['ENGINE'], providerId: 'demo-provider' }],
    ['an engine that is not there', { from: ['ENGINE'], providerId: 'A'.repeat(22) }],
  ]
  it.each(wrong)('%s is refused', async (_, body) => {
    const { at } = await sent('Good morning')
    const answer = await fill(at, body)
    expect([answer.status, answer.body.code]).toEqual([400, 'INVALID_REQUEST'])
  })

  describe('at the hand-over', () => {
    const set = (fill: object) =>
      team.kit.call(admin, 'PATCH', `/providers/${team.manual}`, { fill })

    it('a provider of people has its jobs filled, by a task', async () => {
      const asked = { from: ['MEMORY', 'ENGINE'], minimum: 95, confirm: true, providerId: engineId }
      expect((await set(asked)).body).toMatchObject({ fill: asked })
      const { at, jobId } = await sent('Good morning', 'Save 5 files', 'Fresh words')
      await hub.advance('1s')
      expect((await written(at)).map(({ state, target }) => [state, target])).toEqual([
        ['TRANSLATED', ['Guten Morgen']],
        ['DRAFT', ['5 Dateien speichern']],
        ['DRAFT', ['FRESH WORDS']],
      ])
      expect(await statusOf(jobId)).toBe('SENDING_READY_FOR_RETRIEVE')
      expect((await set({ from: [] })).body).not.toHaveProperty('fill')
      const plain = await sent('Good morning')
      expect((await team.segmentsOf(plain.at))[0]?.state).toBe('NEW')
    })

    it('an engine that does not respond is asked again later', async () => {
      await set({ from: ['ENGINE'], providerId: engineId })
      engine.be((_, nth) => (nth < 3 ? { status: 503, body: {} } : undefined))
      const { at } = await sent('Patience please')
      await hub.advance('10m')
      expect((await team.segmentsOf(at))[0]).toMatchObject({ target: ['PATIENCE PLEASE'] })
      await set({ from: [] })
    })

    it.each([
      ['of a driver', { typeId: 'pseudo', fill: { from: ['MEMORY'] } }],
      ['from nowhere', { typeId: 'manual', fill: { from: ['NOWHERE'] } }],
      ['with a member too many', { typeId: 'manual', fill: { from: ['MEMORY'], at: 'once' } }],
      ['by an engine that is none', { typeId: 'api', fill: { from: ['ENGINE'], providerId: 'x' } }],
    ])('a fill %s is refused', async (_, given) => {
      const answer = await team.kit.call(admin, 'POST', '/providers', { name: 'F', ...given })
      expect([answer.status, answer.body.code]).toEqual([400, 'INVALID_REQUEST'])
    })
  })
})
