/** Contract, section 13: the terms of a site, one by one, and as lists in TBX and CSV. */
import type { Term } from '@dragoman/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { enrolClient } from '../../packages/server/src/domain/sites/enrol-client.ts'
import { type CallOptions, databases, startHub, type TestHub } from '../hub.ts'
import { run, type ScenarioCall } from '../scenario.ts'

const terms = '/settings/terms'
const en = (text: string) => ({ language: 'en', text })
const de = (text: string, more: object = {}) => ({ language: 'de', text, ...more })
const rich = {
  definition: 'A bill, "sent"\nafter <work> & more',
  entries: [
    { language: 'en', text: 'invoice', status: 'PREFERRED' },
    {
      language: 'en',
      text: 'bill | note',
      status: 'ALLOWED',
      forms: ['bills | notes'],
      note: 'colloquial\n=1+1',
    },
    {
      language: 'de-AT',
      text: '=SUM(1)',
      status: 'PREFERRED',
      forms: ["'=a", 'Fakturen, alt', '請求書'],
    },
    { language: 'de-AT', text: '@Konto', status: 'FORBIDDEN', note: 'say "Rechnung"' },
  ],
}

describe.each(databases)('terms on %s', (database) => {
  let hub: TestHub
  const as = 'demo-settings'
  beforeAll(async () => {
    hub = await startHub({ database })
    const { secret } = await enrolClient(hub.inner, {
      siteId: 'other',
      clientId: 'other-admin',
      scopes: ['admin'],
    })
    hub.secrets.set('other-admin', secret)
  })
  afterAll(() => hub.close())

  const must = async <T>(status: number, call: string, options: CallOptions = {}): Promise<T> => {
    const [method = '', path = ''] = call.split(' ')
    const got = await hub.call<T>(method, `/v2${path}`, { as, ...options })
    expect(got.status, JSON.stringify(got.body).slice(0, 500)).toBe(status)
    return got.body
  }
  const add = (...entries: object[]) => must<Term>(201, `POST ${terms}`, { body: { entries } })
  const list = async (query: Record<string, string | number> = {}, who = as): Promise<Term[]> =>
    (await must<{ terms: Term[] }>(200, `GET ${terms}`, { query, as: who })).terms
  const all = async (who = as): Promise<Term[]> => {
    const found: Term[] = []
    for (let navNext = ''; ; ) {
      const page = await must<{ terms: Term[]; next?: string }>(200, `GET ${terms}`, {
        as: who,
        query: navNext ? { navNext } : {},
      })
      found.push(...page.terms)
      if (!page.next) return found
      navNext = page.next
    }
  }
  const clear = async (who = as) => {
    for (const { termId, version } of await all(who))
      await must(200, `DELETE ${terms}/${termId}`, { query: { version }, as: who })
  }
  type Counts = { added: number; changed: number; unchanged: number }
  const put = (format: string, body: string | Uint8Array, more: CallOptions = {}) =>
    hub.call<Counts & { code: string; message: string }>('POST', `/v2${terms}/import`, {
      as,
      body,
      ...more,
      query: { format, ...more.query },
      headers: { 'content-type': 'application/octet-stream', ...more.headers },
    })
  const take = (query: Record<string, string>) =>
    must<string>(200, `GET ${terms}/export`, { query })
  const textsOf = (some: readonly Term[]) =>
    some.map(({ entries }) => entries.map(({ text }) => text).join('/'))

  describe('one by one', () => {
    it('are added, read, changed and deleted, each change with the version it was made for', async () => {
      const made = await add(
        { ...en('  credit \n card '), forms: ['cards', 'credit card'] },
        de('Kreditkarte'),
      )
      expect(made).toEqual({
        termId: expect.any(String),
        version: 1,
        entries: [
          { language: 'en', text: 'credit card', forms: ['cards'], status: 'PREFERRED' },
          { language: 'de', text: 'Kreditkarte', status: 'PREFERRED' },
        ],
      })
      const at = `${terms}/${made.termId}`
      expect(await must(200, `GET ${at}`)).toEqual(made)
      const changed = await must<Term>(200, `PATCH ${at}`, {
        body: { version: 1, definition: 'Plastic' },
      })
      expect(changed).toEqual({ ...made, definition: 'Plastic', version: 2 })
      const late = await must<object>(409, `PATCH ${at}`, {
        body: { version: 1, entries: [en('x')] },
      })
      expect(late).toMatchObject({ code: 'VERSION_CONFLICT', current: changed })
      expect(await must(409, `DELETE ${at}`, { query: { version: 1 } })).toMatchObject({
        current: changed,
      })
      expect(
        await must(200, `PATCH ${at}`, { body: { version: 2, definition: 'Plastic' } }),
      ).toEqual(changed)
      const bare = await must<Term>(200, `PATCH ${at}`, {
        body: { version: 2, definition: '', entries: [en('card')] },
      })
      expect(bare).toEqual({
        termId: made.termId,
        version: 3,
        entries: [{ language: 'en', text: 'card', status: 'PREFERRED' }],
      })
      expect(await must(200, `DELETE ${at}`, { query: { version: 3 } })).toEqual(bare)
      expect(await must(404, `GET ${at}`)).toMatchObject({ code: 'TERM_NOT_FOUND' })
    })

    it('are listed in order, by language and by a part of a text, and two may have the same text', async () => {
      const bank = await add(en('Bank'), de('Bank'))
      const shore = await add(en('bank'), { language: 'de_AT', text: 'Ufer', forms: ['GESTADE'] })
      const apple = await add({ language: 'fr-FR', text: 'École' })
      expect(textsOf(await list())).toEqual(
        expect.arrayContaining(['Bank/Bank', 'bank/Ufer', 'École']),
      )
      const ids = (some: readonly Term[]) => some.map(({ termId }) => termId).sort()
      expect(ids(await list({ language: 'de' }))).toEqual(ids([bank, shore]))
      expect(ids(await list({ language: 'DE-at' }))).toEqual(ids([shore]))
      expect(ids(await list({ text: 'BAN' }))).toEqual(ids([bank, shore]))
      expect(ids(await list({ text: 'gesta', language: 'de' }))).toEqual(ids([shore]))
      expect(ids(await list({ text: 'e\u0301cOLe' }))).toEqual(ids([apple]))
      expect(await list({ text: '%' })).toEqual([])
      const first = await must<{ terms: Term[]; next: string }>(200, `GET ${terms}`, {
        query: { pageSize: 2 },
      })
      const rest = await must<{ terms: Term[] }>(200, `GET ${terms}`, {
        query: { pageSize: 2, navNext: first.next },
      })
      expect(textsOf([...first.terms, ...rest.terms])).toEqual(textsOf(await list()))
      await clear()
    })

    it('take effect once with an Idempotency-Key', async () => {
      const options = {
        body: { entries: [en('once')] },
        headers: { 'idempotency-key': 'terms-once' },
      }
      const made = await must<Term>(201, `POST ${terms}`, options)
      expect(await must(201, `POST ${terms}`, options)).toEqual(made)
      expect(await list({ text: 'once' })).toEqual([made])
      await clear()
    })

    const entries = [en('x')]
    const bad: ScenarioCall[] = [
      {
        name: 'no entry',
        call: `POST ${terms}`,
        body: { entries: [] },
        status: 400,
        code: 'INVALID_REQUEST',
      },
      { name: 'a blank text', call: `POST ${terms}`, body: { entries: [en(' ')] }, status: 400 },
      {
        name: 'half a character',
        call: `POST ${terms}`,
        body: '{"entries":[{"language":"en","text":"\\ud800"}]}',
        status: 400,
      },
      {
        name: 'a control character',
        call: `POST ${terms}`,
        body: { entries: [en('a\u0001')] },
        status: 400,
        says: /U\+0001/,
      },
      {
        name: 'an entry twice',
        call: `POST ${terms}`,
        body: { entries: [en('x'), { language: 'EN', text: ' x' }] },
        status: 400,
        says: /"x" is there twice/,
      },
      {
        name: 'no language',
        call: `POST ${terms}`,
        body: { entries: [{ language: 'Deutsch!', text: 'x' }] },
        status: 400,
      },
      {
        name: 'another status',
        call: `POST ${terms}`,
        body: { entries: [{ ...en('x'), status: 'BAD' }] },
        status: 400,
      },
      {
        name: 'a long text',
        call: `POST ${terms}`,
        body: { entries: [en('é'.repeat(251))] },
        status: 400,
        says: /at most 500 are allowed/,
      },
      {
        name: 'a large term',
        call: `POST ${terms}`,
        body: { entries: Array.from({ length: 40 }, (_, n) => en(`${n}${'x'.repeat(480)}`)) },
        status: 400,
        says: /at most 16384/,
      },
      {
        name: 'a change without a version',
        call: `PATCH ${terms}/nobody`,
        body: { entries },
        status: 400,
      },
      {
        name: 'a change of nothing',
        call: `PATCH ${terms}/nobody`,
        body: { version: 1, entries },
        status: 404,
        code: 'TERM_NOT_FOUND',
      },
      {
        name: 'a deletion without a version',
        call: `DELETE ${terms}/nobody`,
        status: 400,
        code: 'INVALID_PARAMETER',
      },
      { name: 'a deletion of nothing', call: `DELETE ${terms}/nobody?version=1`, status: 404 },
      {
        name: 'another scope',
        call: `GET ${terms}`,
        as: 'demo-connector',
        status: 403,
        code: 'FORBIDDEN',
      },
      {
        name: 'an export in another format',
        call: `GET ${terms}/export?format=xlsx`,
        status: 400,
        code: 'INVALID_PARAMETER',
      },
      {
        name: 'an import as JSON',
        call: `POST ${terms}/import?format=csv`,
        body: {},
        status: 415,
        code: 'UNSUPPORTED_MEDIA_TYPE',
      },
    ]
    it.each(bad)('$name is refused, and nothing has changed', async (row) => {
      const before = await all()
      const [method = '', path = ''] = row.call.split(' ')
      await run(hub, { as, ...row, call: `${method} /v2${path}` })
      expect(await all()).toEqual(before)
    })

    it('of another site are neither seen nor touched', async () => {
      const { termId } = await add(en('ours'))
      const other = 'other-admin'
      expect(await list({}, other)).toEqual([])
      for (const call of [`GET ${terms}/${termId}`, `DELETE ${terms}/${termId}?version=1`])
        expect(await must(404, call, { as: other })).toMatchObject({ code: 'TERM_NOT_FOUND' })
      await must(404, `PATCH ${terms}/${termId}`, { as: other, body: { version: 1, entries } })
      const csv = await take({ format: 'csv' })
      expect(csv).toContain(termId)
      // An id of another site means nothing here.
      expect((await put('csv', csv, { as: other })).body).toEqual({
        added: 1,
        changed: 0,
        unchanged: 0,
      })
      expect((await list({}, other))[0]?.termId).not.toBe(termId)
      expect(
        await must<string>(200, `GET ${terms}/export`, { query: { format: 'csv' }, as: other }),
      ).not.toContain(termId)
      await clear(other)
      await clear()
    })
  })

  describe('as lists', () => {
    it.each([{ format: 'tbx' }, { format: 'tbx', version: '2' }, { format: 'csv' }])(
      'what is exported as $format $version is imported again unchanged, here and on another site',
      async (query) => {
        await must(201, `POST ${terms}`, { body: rich })
        await must(201, `POST ${terms}`, { body: { ...rich, definition: 'Another meaning' } })
        await add({ language: 'zh-Hans-CN', text: '账户' })
        const before = await all()
        const file = await take(query)
        expect((await put(query.format, file)).body).toEqual({ added: 0, changed: 0, unchanged: 3 })
        expect(await all()).toEqual(before)
        const other = 'other-admin'
        expect((await put(query.format, file, { as: other })).body).toEqual({
          added: 3,
          changed: 0,
          unchanged: 0,
        })
        expect((await put(query.format, file, { as: other })).body).toEqual({
          added: 0,
          changed: 0,
          unchanged: 3,
        })
        const plain = (some: readonly Term[]) =>
          some.map(({ termId: _, ...term }) => JSON.stringify(term)).sort()
        expect(plain(await all(other))).toEqual(plain(before))
        await clear(other)
        await clear()
      },
    )

    it('an import changes what has its id or its texts, adds the rest, and counts the same row once', async () => {
      const known = await add(en('invoice'), de('Rechnung'))
      const rows = [
        'termId,language,text,status,note',
        `${known.termId},en,invoice,preferred,`,
        `${known.termId},de,Faktura,Allowed,`,
        'a,en,card,,',
        'a,de,Karte,FORBIDDEN,"no, ""not"" here"',
        ',en,alone,,',
        ',en,alone,,',
      ]
      expect((await put('csv', rows.join('\n'))).body).toEqual({
        added: 2,
        changed: 1,
        unchanged: 1,
      })
      expect(await must(200, `GET ${terms}/${known.termId}`)).toMatchObject({
        version: 2,
        entries: [{ text: 'invoice' }, { text: 'Faktura', status: 'ALLOWED' }],
      })
      const [card] = await list({ text: 'karte' })
      expect(card?.entries[1]).toEqual({
        language: 'de',
        text: 'Karte',
        status: 'FORBIDDEN',
        note: 'no, "not" here',
      })
      // The same texts with another status, in another order.
      const again = 'en;de;status\ncard;Karte;allowed\n'
      expect((await put('csv', again)).body).toEqual({ added: 0, changed: 1, unchanged: 0 })
      expect((await list({ text: 'karte' }))[0]).toMatchObject({ termId: card?.termId, version: 2 })
      await clear()
    })

    it.each([
      [
        'a column for each language',
        'en,de_DE,definition\ninvoice,Rechnung,A bill\n,Konto,\n',
        {},
        ['invoice/Rechnung', 'Konto'],
      ],
      [
        'tabs, and UTF-16',
        Buffer.from('\ufeffen\tde\ninvoice\tRechnung\n', 'utf16le'),
        {},
        ['invoice/Rechnung'],
      ],
      [
        'term and translation',
        'Term;Translation\r\ninvoice;"Rechnung"\r\n\r\n',
        { sourceNativeLanguageCode: 'en', targetNativeLanguageCode: 'de' },
        ['invoice/Rechnung'],
      ],
      [
        'a language of its own in each row',
        'language,term,forms\nes,luz,luces | Luces\n',
        {},
        ['luz'],
      ],
    ])('CSV with %s is read', async (_, file, query, expected) => {
      expect((await put('csv', file, { query })).status).toBe(200)
      expect(textsOf(await all()).sort()).toEqual(expected.sort())
      await clear()
    })

    const entry = (inner: string) =>
      `<conceptEntry id="c1"><langSec xml:lang="en">${inner}</langSec></conceptEntry>`
    const tbx = (inner: string) =>
      `<tbx type="TBX-Basic" style="dca"><text><body>${inner}</body></text></tbx>`
    it.each([
      [
        'version 2 with a DOCTYPE, ntig and a prefix',
        `<?xml version="1.0"?><!DOCTYPE martif SYSTEM "TBXcdv04.dtd"><x:martif xmlns:x="urn:x" type="TBX"><x:text><x:body>
          <x:termEntry id="1"><x:descripGrp><x:descrip type="definition">A &lt;bill&gt;</x:descrip></x:descripGrp>
          <x:langSet xml:lang="en"><x:ntig><x:termGrp><x:term>in<x:hi>voice</x:hi></x:term>
          <x:termNote type="partOfSpeech">noun</x:termNote></x:termGrp></x:ntig></x:langSet>
          <x:langSet lang="de"><x:tig><x:term>Rechnung</x:term><x:termNote type="administrativeStatus">admittedTerm-admn-sts</x:termNote></x:tig>
          <x:tig><x:term>Konto</x:term><x:termNote type="administrativeStatus">deprecatedTerm-admn-sts</x:termNote><x:note>never</x:note></x:tig></x:langSet>
          </x:termEntry></x:body></x:text></x:martif>`,
        ['invoice PREFERRED', 'Rechnung ALLOWED', 'Konto FORBIDDEN'],
      ],
      [
        'version 3 with data categories as elements',
        tbx(
          entry(
            '<min:definition xmlns:min="m">A bill</min:definition><termSec><term>invoice</term><min:administrativeStatus xmlns:min="m">superseded</min:administrativeStatus></termSec><termSec><term>colour</term></termSec><termSec><term>color</term><termNote type="termType">variant</termNote></termSec>',
          ),
        ),
        ['invoice FORBIDDEN', 'colour PREFERRED color'],
      ],
      [
        'UTF-16',
        Buffer.from(
          `\ufeff<?xml version="1.0" encoding="UTF-16"?>${tbx(entry('<termSec><term>счёт</term></termSec>'))}`,
          'utf16le',
        ),
        ['счёт PREFERRED'],
      ],
    ])('TBX %s is read by local names', async (_, file, expected) => {
      expect((await put('tbx', file)).body).toEqual({ added: 1, changed: 0, unchanged: 0 })
      const [found] = await all()
      expect(
        found?.entries.map(({ text, status, forms = [] }) => [text, status, ...forms].join(' ')),
      ).toEqual(expected)
      await clear()
    })

    const laughs = '<!DOCTYPE tbx [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]>'
    it.each<[string, string, string | Uint8Array, RegExp]>([
      ['a row without a text', 'csv', 'en,de\na,b\n,\n\n" ",\n', /^$/],
      [
        'a row without a text in it',
        'csv',
        'language,text\nen,a\nen,\n',
        /line 3: the row has no text/,
      ],
      [
        'a status that is none',
        'csv',
        'en,status\n"a\nb",allowed\nc,maybe\n',
        /line 4: "maybe" is no status/,
      ],
      [
        'a language that is none',
        'csv',
        'language,text\nklingon!,a\n',
        /line 2: .*"klingon!" is no language/,
      ],
      ['a column that is none', 'csv', 'en,price\na,1\n', /line 1: the column "price"/],
      ['no header', 'csv', 'invoice,Rechnung\n', /line 1: the column "invoice"/],
      [
        'term and translation without languages',
        'csv',
        'term,translation\na,b\n',
        /sourceNativeLanguageCode/,
      ],
      ['a quote that never ends', 'csv', 'en\nok\n"a\n', /line 3/],
      ['text after a closing quote', 'csv', 'en\n"a"b\n', /line 2: a cell goes on/],
      ['a long text', 'csv', `en\nok\n${'x'.repeat(501)}\n`, /line 3: .*500 bytes/],
      ['only a header', 'csv', 'en,de\n', /it has no terms/],
      ['nothing', 'csv', '', /it has no terms/],
      ['bytes that are no UTF-8', 'csv', Buffer.from([0x65, 0x6e, 0x0a, 0xff, 0xc0]), /not valid/i],
      [
        'entities of its own',
        'tbx',
        `${laughs}${tbx(entry('<termSec><term>&b;</term></termSec>'))}`,
        /line 1: the DOCTYPE contains declarations/,
      ],
      [
        'an entity of nobody',
        'tbx',
        tbx(entry('<termSec><term>&nbsp;</term></termSec>')),
        /line 1: .*undefined entity/,
      ],
      [
        'an external entity',
        'tbx',
        `<!DOCTYPE tbx [<!ENTITY e SYSTEM "file:///etc/passwd">]>${tbx('')}`,
        /DOCTYPE/,
      ],
      ['deep nesting', 'tbx', `<tbx>${'<a>'.repeat(200_000)}`, /nest deeper than 100/],
      [
        'half a character',
        'tbx',
        tbx(entry('<termSec><term>&#xD800;</term></termSec>')),
        /line 1: the XML is not well-formed/,
      ],
      ['another root', 'tbx', '<tmx/>', /the root is <tmx>/],
      [
        'a cut end',
        'tbx',
        `${tbx(entry('<termSec><term>a</term></termSec>')).slice(0, -6)}`,
        /not well-formed/,
      ],
      [
        'no language',
        'tbx',
        tbx('\n<conceptEntry><langSec><termSec><term>a</term></termSec></langSec></conceptEntry>'),
        /line 2: <langSec> does not say/,
      ],
      [
        'an empty term',
        'tbx',
        tbx(
          `${entry('<termSec><term>ok</term></termSec>')}\n${entry('<termSec><term> </term></termSec>')}`,
        ),
        /line 2: .*has no text/,
      ],
      ['no concept', 'tbx', tbx(''), /it has no terms/],
    ])(
      'a list with %s is refused with its line, and nothing of it is imported',
      async (name, format, file, says) => {
        const { status, body } = await put(format, file)
        if (name === 'a row without a text') {
          // Empty rows are no terms.
          expect([status, body]).toEqual([200, { added: 1, changed: 0, unchanged: 0 }])
          return clear()
        }
        expect([status, body.code]).toEqual([422, 'TERM_LIST_INVALID'])
        expect(body.message).toMatch(says)
        expect(await all()).toEqual([])
      },
    )

    // No row is touched.
    if (database === databases[0])
      it('a list beyond the quota is refused before it is read to its end, and one that is too large as well', async () => {
        const rows = `en\n${Array.from({ length: 1_000_000 }, (_, n) => `t${n}`).join('\n')}\n`
        const { status, body } = await put('csv', rows)
        expect([status, body.code]).toEqual([409, 'QUOTA_EXCEEDED'])
        expect(body).toMatchObject({ quota: { name: 'MaxTermsPerSite', limit: 100_000 } })
        const large = await put('csv', Buffer.alloc(64 * 1024 ** 2 + 1, 'x'))
        expect([large.status, large.body.code]).toEqual([413, 'CONTENT_TOO_LARGE'])
        expect(await all()).toEqual([])
      })

    it('an import with an Idempotency-Key takes effect once, and the key stands for its file', async () => {
      const headers = { 'idempotency-key': 'terms-import' }
      expect((await put('csv', 'en\na\n', { headers })).body.added).toBe(1)
      expect((await put('csv', 'en\na\n', { headers })).body.added).toBe(1)
      expect((await put('csv', 'en\nb\n', { headers })).body.code).toBe('IDEMPOTENCY_CONFLICT')
      expect(textsOf(await all())).toEqual(['a'])
      await clear()
    })

    it('a provider gets the terms in the languages of its job, and nobody else of it', async () => {
      await put(
        'csv',
        'en,de,fr,definition\ninvoice,Rechnung,facture,A bill\ncard,,carte,\n,Handy,,\n',
      )
      const call = (method: string, path: string, body?: object, who = 'demo-connector') =>
        hub.call<Record<string, string>>(method, `/v2${path}`, { as: who, ...(body && { body }) })
      const { body } = await hub.call<{ providers: { id: string; name: string }[] }>(
        'GET',
        '/v2/providers',
        {
          as: 'demo-connector',
        },
      )
      const providerId = body.providers.find(({ name }) => name === 'Manual')?.id
      const jobId = (await call('POST', '/jobs', { jobName: 'Terms' })).body.jobId
      const texts = { sourceNativeId: 's', fields: [{ key: 'a', value: 'An invoice' }] }
      const languages = { sourceNativeLanguageCode: 'en-us', targetNativeLanguageCodes: ['de-de'] }
      await call('POST', `/jobs/${jobId}/requests/add`, {
        requestName: 'r',
        ...texts,
        ...languages,
      })
      const path = `/providers/${providerId}/jobs/${jobId}/terms?format=csv`
      expect((await call('GET', path, undefined, 'demo-provider')).status).toBe(404)
      await call('PUT', `/jobs/${jobId}/submit`, { providerId })
      await hub.advance('1s')
      const given = await hub.call<string>('GET', `/v2${path}`, { as: 'demo-provider' })
      const rows = given.body.split('\r\n').map((row) => row.split(',').slice(1).join(','))
      expect(rows.slice(1).sort()).toEqual([
        '',
        'de,Handy,PREFERRED,,,',
        'de,Rechnung,PREFERRED,,,',
        'en,invoice,PREFERRED,,,A bill',
      ])
      expect((await call('GET', path, undefined, 'demo-settings')).status).toBe(403)
      expect((await call('GET', path, undefined, 'other-admin')).status).toBe(404)
      await clear()
    })

    it('an export of many terms has each of them once', async () => {
      const rows = Array.from({ length: 1_203 }, (_, n) => `same ${n % 7},t${n}`)
      expect((await put('csv', `en,de\n${rows.join('\n')}\n`)).body.added).toBe(1_203)
      const answer = await hub.call<string>('GET', `/v2${terms}/export`, {
        as,
        query: { format: 'csv' },
      })
      expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8')
      expect(answer.headers.get('content-disposition')).toContain('terms.csv')
      const found = [...answer.body.matchAll(/,de,(t\d+),/g)].map(([, text]) => text)
      expect(new Set(found).size).toBe(1_203)
      expect(found).toHaveLength(1_203)
      await hub.inner.db.transact((tx) => tx.deleteFrom('terms').execute())
    })
  })
})
