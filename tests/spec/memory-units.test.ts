/**
 * Contract, section 13: the memory for people and providers: looking up, units by hand, export and
 * import of TMX.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { MemoryImport, MemoryMatches, MemoryUnit } from '@dragoman/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { enrolClient } from '../../packages/server/src/domain/sites/enrol-client.ts'
import { type CallOptions, databases, startHub, type TestHub } from '../hub.ts'
import { quickFolder } from '../quick-folder.ts'
import { quoting, tmxOf } from '../quoting.ts'
import { runCommandLine } from '../run-command.ts'
import { enter } from '../visitor.ts'

type Units = { units: MemoryUnit[]; pagination: { navNext?: string } }
const pair = { sourceNativeLanguageCode: 'en-us', targetNativeLanguageCode: 'de-de' }
const spelled = { sourceNativeLanguageCode: 'EN_US', targetNativeLanguageCode: 'de-DE' }
const units = '/settings/memory/units'
const imports = '/settings/memory/imports'
const xml = { 'content-type': 'application/xml' }
const found = new Map<string, unknown>()

describe.each(databases)('the memory on %s', (database) => {
  let hub: TestHub
  let matches = ''
  beforeAll(async () => {
    hub = await startHub({ database })
    const other = await enrolClient(hub.inner, {
      clientId: 'other-site',
      siteId: 'other',
      scopes: ['settings'],
    })
    hub.secrets.set('other-site', other.secret)
    const { body } = await hub.call<{ providers: { id: string }[] }>('GET', '/v2/providers', {
      as: 'demo-provider',
    })
    matches = `/providers/${body.providers[0]?.id}/matches`
  })
  afterAll(() => hub.close())

  const must = async <T>(status: number, call: string, options: CallOptions = {}): Promise<T> => {
    const [method = '', path = ''] = call.split(' ')
    const got = await hub.call<T>(method, `/v2${path}`, { as: 'demo-settings', ...options })
    expect(got.status, `${call}: ${JSON.stringify(got.body).slice(0, 500)}`).toBe(status)
    return got.body
  }
  const add = (source: string, target: string, more: object = {}) =>
    must<MemoryUnit>(201, `POST ${units}`, { body: { ...pair, source, target, ...more } })
  const list = (query: Record<string, string | number> = {}) =>
    must<Units>(200, `GET ${units}`, { query })
  const everyUnit = async (query: Record<string, string | number> = {}): Promise<MemoryUnit[]> => {
    const all: MemoryUnit[] = []
    for (let navNext = ''; ; ) {
      const page = await list({ ...query, ...(navNext && { navNext }) })
      all.push(...page.units)
      navNext = page.pagination.navNext ?? ''
      if (!navNext) return all
    }
  }
  const lookUp = async (text: unknown, more: object = {}) => {
    const body = { ...spelled, text, ...more }
    return (await must<MemoryMatches>(200, `POST ${matches}`, { as: 'demo-provider', body }))
      .matches
  }
  const bring = async (
    file: string | Uint8Array,
    query: Record<string, string> = {},
  ): Promise<MemoryImport> => {
    const begun = await must<MemoryImport>(201, `POST ${imports}`, {
      body: file,
      headers: xml,
      query,
    })
    expect(begun).toMatchObject({ state: 'QUEUED', read: 0, added: 0 })
    await hub.advance('1s')
    return must<MemoryImport>(200, `GET ${imports}/${begun.importId}`)
  }

  describe('a look-up', () => {
    it('finds the same text and similar ones, the best first', async () => {
      const texts = [
        'Open the valve and wait until the green lamp is on.',
        'Open the valve and wait until the red lamp is on.',
        'Open the valve and wait until the red lamp is off.',
        'Close the tank.',
      ]
      expect(await bring(tmxOf(texts.map((text, at) => [text, `Satz ${at}`])), pair)).toMatchObject(
        {
          state: 'DONE',
          read: 4,
          added: 4,
          total: 4,
        },
      )
      const given = await lookUp(texts[1])
      expect(
        given.map(({ percent, kind, source, target }) => [percent, kind, source, target]),
      ).toEqual([
        [100, 'EXACT', texts[1], 'Satz 1'],
        [91, 'FUZZY', texts[0], 'Satz 0'],
        [91, 'FUZZY', texts[2], 'Satz 2'],
      ])
      expect(given[0]).toMatchObject({
        unitId: expect.stringMatching(/^\d+-\d+$/),
        changedTime: expect.any(String),
      })
      expect(await lookUp(texts[1], { limit: 2 })).toEqual(given.slice(0, 2))
      expect(await lookUp('Nothing here is like any of them at all.')).toEqual([])
      found.set(
        database,
        given.map(({ percent, source }) => [percent, source]),
      )
    })

    it('finds units that contain a text, the last added first', async () => {
      const parts = async (text: string, more: object = {}) =>
        (await lookUp(text, { contains: true, ...more })).map(({ percent, kind, target }) => [
          percent,
          kind,
          target,
        ])
      expect(await parts('RED lamp')).toEqual([
        [100, 'PART', 'Satz 2'],
        [100, 'PART', 'Satz 1'],
      ])
      expect(await parts('satz', { limit: 1 })).toEqual([[100, 'PART', 'Satz 3']])
      expect(await parts('lamp red')).toEqual([])
      expect(await parts(' ')).toEqual([])
    })

    it('compares texts of one to three words by character', async () => {
      for (const [source, target] of [
        ['Save file', 'Datei speichern'],
        ['Settings', 'Einstellungen'],
        ['Log in again', 'Neu anmelden'],
      ] as const)
        await add(source, target)
      const best = async (text: string) =>
        (await lookUp(text)).map(({ percent, source }) => [percent, source])
      expect(await best('Save files')).toEqual([[90, 'Save file']])
      expect(await best('Setting')).toEqual([[87, 'Settings']])
      expect(await best('Log on again')).toEqual([[91, 'Log in again']])
      expect(await best('SAVE FILE')).toEqual([[99, 'Save file']])
      expect(await best('Save')).toEqual([])
    })

    it('tells a match in context by its neighbours', async () => {
      const at = quoting(hub)
      const { providers } = await at.must<{ providers: { id: string; name: string }[] }>(
        200,
        'GET',
        '/providers',
      )
      const providerId = providers.find(({ name }) => name === 'Pseudo')?.id
      const jobId = await at.jobOf(['First of three', 'Second of three', 'Third of three'])
      await at.must(200, 'PUT', `/jobs/${jobId}/submit`, { providerId })
      await hub.advance('1m')
      const { requests } = await at.must<{ requests: { requestId: string }[] }>(
        200,
        'GET',
        `/jobs/${jobId}/requests`,
      )
      const requestIds = requests.map(({ requestId }) => requestId)
      await at.must(200, 'PUT', `/jobs/${jobId}/requests/approve`, { requestIds })
      await hub.advance('1m')
      const kindOf = async (more: object) => (await lookUp('Second of three', more))[0]?.kind
      expect(await kindOf({ before: 'First of three', after: ['Third of ', 'three'] })).toBe(
        'CONTEXT',
      )
      expect(await kindOf({ before: 'First of three' })).toBe('EXACT')
      expect(await kindOf({})).toBe('EXACT')
      expect((await lookUp('First of three', { after: 'Second of three' }))[0]?.kind).toBe(
        'CONTEXT',
      )
    })

    it('says where a match comes from: names of a job to its own provider only', async () => {
      const at = quoting(hub)
      const { providers } = await at.must<{ providers: { id: string; name: string }[] }>(
        200,
        'GET',
        '/providers',
      )
      const providerId = providers.find(({ name }) => name === 'Manual')?.id ?? ''
      const path = `/providers/${providerId}/matches`
      const originOf = async (text: string, more: object = {}) =>
        (
          await must<MemoryMatches>(200, `POST ${path}`, {
            as: 'demo-provider',
            body: { ...pair, text },
            ...more,
          })
        ).matches[0]?.origin
      expect(await originOf('Close the tank.')).toEqual({ kind: 'IMPORT' })
      await add('Written by a client', 'Von einem Client')
      expect(await originOf('Written by a client')).toEqual({ kind: 'MANUAL' })
      const manager = await enter(hub, ['manager'], 'demo')
      const { name } = manager.session.person
      const body = { ...pair, source: 'Written by a manager', target: 'Von einer Managerin' }
      expect((await manager.call('POST', units, { body })).status).toBe(201)
      expect(await originOf('Written by a manager')).toEqual({ kind: 'MANUAL', by: name })

      const translator = await enter(hub, ['viewer'], 'demo')
      const { personId } = translator.session.person
      const sites = [{ roles: ['translator'], providers: [providerId] }]
      await must(200, `PATCH /people/${personId}`, {
        as: 'demo-admin',
        body: { name: 'Ana Kim', sites },
      })
      const jobId = await at.jobOf(['Fourth of three'])
      await at.must(200, 'PUT', `/jobs/${jobId}/submit`, { providerId })
      await hub.advance('1m')
      const { requests } = await at.must<{ requests: { requestId: string }[] }>(
        200,
        'GET',
        `/jobs/${jobId}/requests`,
      )
      const requestIds = requests.map(({ requestId }) => requestId)
      const task = `/providers/${providerId}/jobs/${jobId}/assetTasks/${requestIds[0]}`
      expect((await translator.call('POST', `${task}/claim`)).status).toBe(200)
      type Rows = { segments: { segmentId: string; version: number }[] }
      const { segments } = (await translator.call<Rows>('GET', `${task}/segments`)).body
      const written = segments.map((one) => ({
        segmentId: one.segmentId,
        version: one.version,
        target: ['Viertes'],
        state: 'TRANSLATED',
      }))
      expect(
        (await translator.call('PUT', `${task}/segments`, { body: { segments: written } })).status,
      ).toBe(200)
      expect((await translator.call('POST', `${task}/segments/deliver`)).status).toBe(200)
      await at.must(200, 'PUT', `/jobs/${jobId}/requests/approve`, { requestIds })
      await hub.advance('1m')
      const own = {
        kind: 'REQUEST',
        jobId,
        jobName: 'A job',
        requestName: 'A request',
        by: 'Ana Kim',
      }
      expect(await originOf('Fourth of three')).toEqual(own)
      // That of the test before was for another provider.
      expect(await originOf('Second of three')).toEqual({ kind: 'REQUEST' })
      expect(await originOf('Second of three', { as: 'demo-admin' })).toMatchObject({
        jobName: 'A job',
      })
    })

    it('speaks in parts to those who ask in parts', async () => {
      await add('Press <b>Start</b> to continue, {name}.', 'Mit <b>Start</b> weiter, {name}.')
      const tags = [
        { tag: 1, kind: 'OPEN', pair: 2, shows: '<b>' },
        { tag: 2, kind: 'CLOSE', pair: 1, shows: '</b>' },
        { tag: 3, kind: 'PLACEHOLDER', shows: '{name}' },
      ]
      const source = ['Press ', { tag: 1 }, 'Start', { tag: 2 }, ' to continue, ', { tag: 3 }, '.']
      const target = ['Mit ', { tag: 1 }, 'Start', { tag: 2 }, ' weiter, ', { tag: 3 }, '.']
      expect((await lookUp(source, { tags }))[0]).toMatchObject({ percent: 100, source, target })
      // What the tags stand for is the unit's.
      expect((await lookUp(source))[0]).toMatchObject({ kind: 'EXACT', source, target })
      const other = ['Press ', { tag: 1 }, 'Start to continue, ', { tag: 2 }, { tag: 3 }, '.']
      expect((await lookUp(other))[0]).toMatchObject({
        kind: 'FUZZY',
        target: ['Mit <b>Start</b> weiter, {name}.'],
      })
      const bad = { ...pair, text: ['x', { tag: 9 }], tags }
      expect(await must(400, `POST ${matches}`, { as: 'demo-provider', body: bad })).toMatchObject({
        code: 'INVALID_REQUEST',
        message: expect.stringContaining('tag 9'),
      })
    })

    it('refuses what is wrong, and another site sees nothing', async () => {
      const send = (body: object, status: number, path = matches) =>
        must<{ code: string }>(status, `POST ${path}`, { as: 'demo-provider', body })
      expect(await send({ ...pair }, 400)).toMatchObject({ code: 'INVALID_REQUEST' })
      expect(await send({ ...pair, text: 'x', limit: 21 }, 400)).toMatchObject({
        code: 'INVALID_REQUEST',
      })
      expect(await send({ ...pair, text: 'x', targetNativeLanguageCode: 'xx' }, 400)).toMatchObject(
        {
          code: 'INVALID_LANGUAGE',
        },
      )
      const lone = await send({ ...pair, text: 'a \ud800' }, 400)
      expect(lone).toMatchObject({ code: 'INVALID_REQUEST' })
      expect(await send({ ...pair, text: 'x' }, 404, '/providers/nobody/matches')).toMatchObject({
        code: 'PROVIDER_NOT_FOUND',
      })
      expect(await lookUp('   ')).toEqual([])
    })
  })

  it('a translator looks up with their providers and into their languages only', async () => {
    const providerId = matches.split('/')[2] ?? ''
    const person = await enter(hub, ['translator'], 'demo')
    const { personId } = person.session.person
    const ask = async (path: string, targetNativeLanguageCode: string) => {
      const body = { ...pair, targetNativeLanguageCode, text: 'Save file' }
      const got = await person.call<{ code?: string; matches?: unknown[] }>('POST', path, { body })
      return [got.status, got.body.code ?? got.body.matches?.length]
    }
    expect(await ask(matches, 'de-DE')).toEqual([404, 'PROVIDER_NOT_FOUND'])
    const sites = [
      { siteId: 'demo', roles: ['translator'], providers: [providerId], languages: ['de-DE'] },
    ]
    await must(200, `PATCH /people/${personId}`, { as: 'demo-admin', body: { sites } })
    expect(await ask(matches, 'DE_de')).toEqual([200, 1])
    expect(await ask(matches, 'fr-FR')).toEqual([403, 'FORBIDDEN'])
    expect(await ask('/providers/another/matches', 'de-DE')).toEqual([404, 'PROVIDER_NOT_FOUND'])
    expect((await person.call('GET', units)).status).toBe(403)
  })

  describe('a unit', () => {
    it('is added, corrected by its version and removed', async () => {
      const one = await add('Grease the bearing', 'Lager schmieren')
      expect(one).toEqual({
        unitId: expect.any(String),
        source: 'Grease the bearing',
        target: 'Lager schmieren',
        ...{ sourceNativeLanguageCode: 'en-us', targetNativeLanguageCode: 'de-de' },
        origin: 'manual',
        version: 1,
        changedBy: 'demo-settings',
        changedTime: expect.any(String),
      })
      const path = `${units}/${one.unitId}`
      const two = await must<MemoryUnit>(200, `PATCH ${path}`, {
        body: { version: 1, target: 'Das Lager schmieren' },
      })
      expect(two).toMatchObject({ unitId: one.unitId, version: 2, target: 'Das Lager schmieren' })
      expect(await must(409, `PATCH ${path}`, { body: { version: 1, target: 'x' } })).toMatchObject(
        {
          code: 'VERSION_CONFLICT',
          current: two,
        },
      )
      expect(await must(409, `DELETE ${path}`, { query: { version: 1 } })).toMatchObject({
        current: two,
      })
      expect((await lookUp('Grease the bearing'))[0]).toMatchObject({
        percent: 100,
        target: 'Das Lager schmieren',
      })
      expect(await must(200, `DELETE ${path}`, { query: { version: 2 } })).toEqual(two)
      expect(await lookUp('Grease the bearing')).toEqual([])
      expect(await must(404, `PATCH ${path}`, { body: { version: 2, target: 'x' } })).toMatchObject(
        {
          code: 'MEMORY_UNIT_NOT_FOUND',
        },
      )
    })

    it('is found by its new source, and no longer by the old one', async () => {
      const { unitId } = await add('Tighten every single screw by hand', 'Schrauben anziehen')
      const body = { version: 1, source: 'Loosen all bolts with the large wrench' }
      await must(200, `PATCH ${units}/${unitId}`, { body })
      expect(await lookUp('Tighten every single screw by hands')).toEqual([])
      expect((await lookUp('Loosen all bolts with the small wrench'))[0]).toMatchObject({
        unitId,
        percent: 85,
      })
    })

    it('with the tokens of another takes its place when that goes', async () => {
      const [first, second] = [
        await add('Part number 17 is gone', 'A'),
        await add('Part number 18 is gone', 'B'),
      ]
      const asked = 'Part number 19 was gone'
      expect((await lookUp(asked)).map(({ unitId }) => unitId)).toEqual([first.unitId])
      await must(200, `DELETE ${units}/${first.unitId}`)
      expect((await lookUp(asked)).map(({ unitId }) => unitId)).toEqual([second.unitId])
      await must(200, `PATCH ${units}/${second.unitId}`, {
        body: { version: 1, source: 'Quite another text' },
      })
      expect(await lookUp(asked)).toEqual([])
    })

    it('is there once for each source', async () => {
      const one = await add('Only once', 'Nur einmal')
      const other = await add('Another one', 'Ein anderer')
      const twice = { body: { ...pair, source: ' Only once ', target: 'x' } }
      expect(await must(409, `POST ${units}`, twice)).toMatchObject({
        code: 'MEMORY_UNIT_EXISTS',
        message: expect.stringContaining(one.unitId),
      })
      const onto = { body: { version: 1, source: 'Only once' } }
      expect(await must(409, `PATCH ${units}/${other.unitId}`, onto)).toMatchObject({
        code: 'MEMORY_UNIT_EXISTS',
      })
      expect((await lookUp('Another one'))[0]).toMatchObject({ unitId: other.unitId, percent: 100 })
      const french = await add('Only once', 'Une fois', { targetNativeLanguageCode: 'fr-FR' })
      expect(french.targetNativeLanguageCode).toBe('fr-fr')
    })

    it.each<[name: string, body: object, code: string]>([
      ['a lone surrogate', { ...pair, source: 'a \ud800 b', target: 'x' }, 'INVALID_REQUEST'],
      ['an empty text', { ...pair, source: ' ', target: 'x' }, 'INVALID_REQUEST'],
      ['no target', { ...pair, source: 'x' }, 'INVALID_REQUEST'],
      [
        'an unknown language',
        { ...pair, sourceNativeLanguageCode: 'zz', source: 'x', target: 'y' },
        'INVALID_LANGUAGE',
      ],
    ])('with %s is refused', async (_, body, code) => {
      expect(await must(400, `POST ${units}`, { body })).toMatchObject({ code })
    })

    it('of another site does not exist, and a connector may not see any', async () => {
      const { unitId } = await add('Ours alone', 'Nur unseres')
      const theirs = { as: 'other-site' }
      expect((await must<Units>(200, `GET ${units}`, theirs)).units).toEqual([])
      for (const call of [
        `DELETE ${units}/${unitId}`,
        `DELETE ${units}/999999-1`,
        `DELETE ${units}/nonsense`,
      ])
        expect(await must(404, call, theirs)).toMatchObject({ code: 'MEMORY_UNIT_NOT_FOUND' })
      const body = { version: 1, target: 'x' }
      expect(await must(404, `PATCH ${units}/${unitId}`, { ...theirs, body })).toMatchObject({
        code: 'MEMORY_UNIT_NOT_FOUND',
      })
      await must(403, `GET ${units}`, { as: 'demo-connector' })
      await must(403, `POST ${matches}`, {
        as: 'demo-settings',
        body: { ...pair, text: 'Ours alone' },
      })
      expect((await lookUp('Ours alone'))[0]).toMatchObject({ unitId, percent: 100 })
    })
  })

  describe('the list of units', () => {
    it('goes by pages, by pair and by text on either side, case ignored', async () => {
      const italian = { ...pair, targetNativeLanguageCode: 'it-IT' }
      const texts = Array.from(
        { length: 7 },
        (_, at) => [`The ÄPFEL of tree ${at}`, `mela ${'abcdefg'[at]}`] as const,
      )
      expect(await bring(tmxOf(texts).replaceAll('de-DE', 'it-IT'))).toMatchObject({
        state: 'DONE',
        added: 7,
      })
      const of = async (query: Record<string, string | number>) =>
        (await everyUnit({ ...italian, ...query })).map(({ target }) => target.slice(-1)).join('')
      expect(await of({ pageSize: 3 })).toBe('abcdefg')
      expect(await of({ text: 'äpfel' })).toBe('abcdefg')
      expect(await of({ text: 'MELA C', pageSize: 1 })).toBe('c')
      expect(await of({ text: 'mela', in: 'source' })).toBe('')
      expect(await of({ text: 'tree 4', in: 'target' })).toBe('')
      expect(await of({ text: 'tree 4', in: 'source' })).toBe('e')
      expect((await everyUnit({ text: 'tree 4' })).map(({ target }) => target)).toEqual(['mela e'])
      const { pagination } = await list({ ...italian, pageSize: 3 })
      const other = { ...italian, text: 'x', navNext: pagination.navNext ?? '' }
      expect(await must(400, `GET ${units}`, { query: other })).toMatchObject({
        code: 'INVALID_CURSOR',
      })
      expect(await must(400, `GET ${units}`, { query: { in: 'both' } })).toMatchObject({
        code: 'INVALID_PARAMETER',
      })
    })
  })

  describe('an export', () => {
    const exported = async (query: Record<string, string> = {}, as = 'demo-settings') => {
      const url = new URL('/v2/settings/memory/export', hub.url)
      for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
      const answer = await fetch(url, {
        headers: { authorization: `Bearer ${await hub.token(as)}` },
      })
      return { answer, text: await answer.text() }
    }
    const textsOf = async (query: Record<string, string> = {}) =>
      (await everyUnit(query)).map(({ source, target, targetNativeLanguageCode: to }) => [
        source,
        target,
        to,
      ])

    it('is imported again as it was, whatever the texts hold', async () => {
      const greek = { ...pair, targetNativeLanguageCode: 'el-GR' }
      const odd = [
        ['Tags <b>bold</b> & {name} ]]> "quotes"', 'Y <b>bold</b> & {name}'],
        ['Control \u0001 \u000b \u001f \ufffe \uffff here', 'x\u0002y'],
        ['Lines\r\nand\ttabs', 'a\rb\nc'],
        ['Emoji 😀 and ideographs 東京', '😀'],
        ['A code that is text: &lt;b&gt; &amp; <ph>{0}</ph>', '&#13; &lt;'],
      ] as const
      for (const [source, target] of odd)
        await add(source, target, { targetNativeLanguageCode: 'el-GR' })
      const before = await textsOf(greek)
      expect(before).toHaveLength(odd.length)
      const { answer, text } = await exported(greek)
      expect(answer.headers.get('content-type')).toContain('application/x-tmx+xml')
      expect(answer.headers.get('content-disposition')).toContain('memory.en-us.el-GR.tmx')
      expect(text.startsWith('<?xml version="1.0" encoding="UTF-8"?>\n<tmx version="1.4">')).toBe(
        true,
      )
      expect(await bring(text)).toMatchObject({
        state: 'DONE',
        read: odd.length,
        added: 0,
        changed: 0,
      })
      for (const { unitId } of await everyUnit(greek)) await must(200, `DELETE ${units}/${unitId}`)
      expect(await bring(text, greek)).toMatchObject({
        state: 'DONE',
        read: odd.length,
        added: odd.length,
        changed: 0,
      })
      expect(await textsOf(greek)).toEqual(before)
    })

    it('without a pair has every language of the site, and its contexts', async () => {
      const before = (await textsOf()).toSorted()
      const { text } = await exported()
      expect(text).toContain('srclang="en-us"')
      const contexts = text.match(/x-dragoman-context/g)?.length
      expect(contexts).toBe(3)
      for (const { unitId } of await everyUnit()) await must(200, `DELETE ${units}/${unitId}`)
      expect((await exported()).text).not.toContain('<tu ')
      expect(await bring(text)).toMatchObject({
        state: 'DONE',
        read: before.length,
        added: before.length,
      })
      expect((await textsOf()).toSorted()).toEqual(before)
      expect((await exported()).text.match(/x-dragoman-context/g)).toHaveLength(3)
      expect((await exported({}, 'other-site')).text).not.toContain('<tu ')
      expect((await exported({}, 'demo-connector')).answer.status).toBe(403)
      expect((await exported({ sourceNativeLanguageCode: 'zz' })).answer.status).toBe(400)
    })
  })

  describe('an import', () => {
    const good = tmxOf([['Brought in', 'Hereingebracht']])
    it.each<[name: string, file: string | Uint8Array, says: RegExp]>([
      [
        'cut off',
        good.slice(0, -10),
        /^The file cannot be imported: it is not well-formed XML.*Nothing was imported\.$/,
      ],
      ['no TMX', '<html></html>', /its root is <html>, not <tmx>/],
      [
        'of other languages',
        good.replaceAll('de-DE', 'fr-FR'),
        /both en-us and de-de; its languages are en-US, fr-FR/,
      ],
      [
        'with entities',
        good.replace('<tmx', '<!DOCTYPE tmx [<!ENTITY a "b">]><tmx'),
        /DOCTYPE contains declarations/,
      ],
      ['with a lone surrogate', good.replace('Brought', '&#xD800;'), /not well-formed/],
      ['no UTF-8', Buffer.from(good.replace('Brought', 'Grüße'), 'latin1'), /not written in/],
    ])('of a file that is %s fails with a sentence, and leaves nothing', async (_, file, says) => {
      const before = await everyUnit()
      const over = await bring(file, pair)
      expect(over).toMatchObject({ state: 'FAILED', read: 0, added: 0 })
      expect(over.error).toMatch(says)
      expect(await everyUnit()).toEqual(before)
      const blobs = await hub.inner.db.read.selectFrom('memory_imports').select('blob_id').execute()
      expect(blobs.every(({ blob_id }) => blob_id === null)).toBe(true)
    })

    it('names the languages of a file that has none of ours', async () => {
      expect((await bring(good.replaceAll('en-US', 'en').replaceAll('de-DE', 'de'))).error).toMatch(
        /none of its units has two languages that the hub accepts; its languages are en, de/,
      )
    })

    it('takes a file that was uploaded, also one that is still on its way', async () => {
      const at = quoting(hub)
      const jobId = await at.newJob()
      const fmsFileId = await at.upload(
        jobId,
        'any.tmx',
        tmxOf([['From a transfer', 'Aus einer Übertragung']]),
      )
      const begun = await must<MemoryImport>(201, `POST ${imports}`, {
        body: { fmsFileId },
        query: pair,
      })
      await hub.advance('1s')
      expect(await must(200, `GET ${imports}/${begun.importId}`)).toMatchObject({
        state: 'DONE',
        added: 1,
      })
      const path = `/jobs/${jobId}/sourcefiles?fileName=late.tmx`
      const late = await at.must<Record<string, string>>(201, 'POST', path)
      const body = { fmsFileId: late.fmsFileId }
      const waiting = await must<MemoryImport>(201, `POST ${imports}`, { body, query: pair })
      await hub.advance('1m')
      expect(await must(200, `GET ${imports}/${waiting.importId}`)).toMatchObject({
        state: 'QUEUED',
      })
      const form = new FormData()
      form.append('file', new Blob([tmxOf([['A text that came late', 'Spät']])]), 'late.tmx')
      expect(
        (await fetch(late.fmsPostMultipartUrl ?? '', { method: 'POST', body: form })).status,
      ).toBe(201)
      await hub.advance('1s')
      expect(await must(200, `GET ${imports}/${waiting.importId}`)).toMatchObject({
        state: 'DONE',
        added: 1,
      })
      expect(
        await must(404, `POST ${imports}`, { body: { fmsFileId }, as: 'other-site' }),
      ).toMatchObject({
        code: 'FILE_NOT_FOUND',
      })
    })

    it('happens once with one Idempotency-Key, and keeps no bytes', async () => {
      const send = (file: string) =>
        hub.call<MemoryImport>('POST', `/v2${imports}`, {
          as: 'demo-settings',
          body: file,
          headers: { ...xml, 'idempotency-key': 'bring' },
        })
      const [one, again, other] = [
        await send(good),
        await send(good),
        await send(good.replace('Brought', 'Taken')),
      ]
      expect([one.status, again.body.importId, other.status]).toEqual([201, one.body.importId, 422])
      await hub.advance('1s')
      const blobs: string[] = []
      for await (const { blobId } of hub.inner.blobs.list()) blobs.push(blobId)
      const files = await hub.inner.db.read.selectFrom('files').select('blob_id').execute()
      expect(blobs.filter((blobId) => !files.some(({ blob_id }) => blob_id === blobId))).toEqual([])
    })

    it('that was cut off goes on where it was, and doubles nothing', async () => {
      const texts = Array.from({ length: 5_000 }, (_, one): [string, string] => [
        `Sentence ${'abcdefghij'[one % 10]} ${one.toString(36).replace(/\d/g, 'x')} ${one}`,
        `Satz ${one}`,
      ])
      const before = (await everyUnit(pair)).length
      const { db: store } = hub.inner
      // The first batch is committed, and the second one fails at its end.
      const transact = store.transact.bind(store)
      const read: number[] = []
      const failOnce: typeof transact = (work) =>
        transact(async (tx) => {
          const [running] = await tx
            .selectFrom('memory_imports')
            .selectAll()
            .where('state', '=', 'RUNNING')
            .execute()
          const given = await work(tx)
          const [now] = await tx
            .selectFrom('memory_imports')
            .selectAll()
            .where('state', '=', 'RUNNING')
            .execute()
          if (now?.units_read !== 4_000 || read.length > 0) return given
          read.push(running?.units_read ?? 0)
          throw new Error('the second batch fails')
        })
      Object.assign(store, { transact: failOnce })
      const begun = await must<MemoryImport>(201, `POST ${imports}`, {
        body: tmxOf(texts),
        headers: xml,
        query: pair,
      })
      await hub.advance('1m').finally(() => Object.assign(store, { transact }))
      expect(read).toEqual([2_000])
      expect(await must(200, `GET ${imports}/${begun.importId}`)).toMatchObject({
        state: 'DONE',
        ...{ read: 5_000, added: 5_000, changed: 0, skipped: 0, total: 5_000 },
      })
      expect(await everyUnit(pair)).toHaveLength(before + 5_000)
    })

    it('refuses what is no file, and is unknown to another site', async () => {
      const send = (options: CallOptions, status: number) =>
        must<{ code: string }>(status, `POST ${imports}`, options)
      expect(await send({ body: '', headers: xml }, 400)).toMatchObject({ code: 'INVALID_REQUEST' })
      expect(await send({ body: {} }, 400)).toMatchObject({ code: 'INVALID_REQUEST' })
      expect(
        await send({ body: good, headers: { 'content-type': 'text/csv' } }, 415),
      ).toMatchObject({
        code: 'UNSUPPORTED_MEDIA_TYPE',
      })
      const half = { sourceNativeLanguageCode: 'en-us' }
      expect(await send({ body: good, headers: xml, query: half }, 400)).toMatchObject({
        code: 'INVALID_PARAMETER',
      })
      const format = { format: 'xls' }
      expect(await send({ body: good, headers: xml, query: format }, 400)).toMatchObject({
        code: 'INVALID_PARAMETER',
      })
      const { importId } = await bring(good, { ...pair, format: 'tmx' })
      expect(await must(404, `GET ${imports}/${importId}`, { as: 'other-site' })).toMatchObject({
        code: 'MEMORY_IMPORT_NOT_FOUND',
      })
    })
  })
})

describe('dragoman memory', () => {
  let hub: TestHub
  const folder = quickFolder('dragoman-memory-')
  beforeAll(async () => {
    hub = await startHub()
  })
  afterAll(async () => {
    rmSync(folder, { recursive: true, force: true })
    await hub.close()
  })
  const memory = (...args: string[]) =>
    runCommandLine(['memory', ...args], { HUB_URL: hub.url, COLUMNS: '200' }, folder)

  it('imports, searches and exports', async () => {
    writeFileSync(
      join(folder, 'old.tmx'),
      tmxOf([
        ['Save file', 'Datei speichern'],
        ['Quit', 'Beenden'],
      ]),
    )
    expect(await memory('import', 'old.tmx')).toEqual({
      code: 0,
      out: 'old.tmx: 2 units, 2 added, 0 changed, 0 skipped.\n',
      err: '',
    })
    const { out } = await memory('search', 'SPEICHERN')
    expect(out).toMatch(
      /^UNIT +LANGUAGES +SOURCE +TARGET *\n\S+ +en-us de-de +Save file +Datei speichern *\n$/,
    )
    expect((await memory('search', 'speichern', '--in', 'source')).out).toBe(
      'No unit has this text.\n',
    )
    expect(JSON.parse((await memory('search', 'e', '--limit', '1', '--json')).out)).toHaveLength(1)
    expect((await memory('export', 'new.tmx', '--source', 'en-US')).out).toMatch(
      /^The memory was written to new\.tmx \(/,
    )
    expect(readFileSync(join(folder, 'new.tmx'), 'utf8')).toContain('<seg>Datei speichern</seg>')
    const again = await memory(
      'import',
      'new.tmx',
      '--source',
      'en-US',
      '--target',
      'de-DE',
      '--json',
    )
    expect(JSON.parse(again.out)).toMatchObject({ state: 'DONE', read: 2, added: 0, changed: 0 })
  })

  it('says why a file cannot be imported', async () => {
    writeFileSync(join(folder, 'bad.tmx'), '<html/>')
    expect(await memory('import', 'bad.tmx')).toMatchObject({
      code: 1,
      err: expect.stringContaining(
        'bad.tmx: The file cannot be imported: its root is <html>, not <tmx>',
      ),
    })
    expect(await memory('import', 'none.tmx')).toMatchObject({
      code: 1,
      err: expect.stringContaining('none.tmx'),
    })
  })
})

it('both databases find the same', () => {
  expect(new Set(Array.from(found.values(), (one) => JSON.stringify(one))).size).toBe(1)
})
