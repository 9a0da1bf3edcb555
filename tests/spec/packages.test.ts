/** Contract, section 13: packages. What goes out, what comes back, and what is refused. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { databases, startHub, type TestHub } from '../hub.ts'
import { type Entries, edited, packagesOf, packed, translated, unpack } from '../packages-kit.ts'
import { enter } from '../visitor.ts'

type JsonObject = Record<string, unknown>
const html = '<!doctype html>\n<p>Save <b>{count} files</b> now.</p>\n<p>Second   text</p>\n'
const words = {
  'Save <g id="1" equiv-text="&lt;b&gt;"><x id="2" equiv-text="{count}"/> files</g> now.':
    '<g id="1"><x id="2"/> Dateien</g> jetzt sichern.',
  'Second   text': 'Zweiter Text',
  'Hello {name}': 'Hallo {name}',
  'Hello <x id="1" equiv-text="{name}"/>': 'Hallo <x id="1"/>',
  Bye: 'Tschüs',
}
const done = (entries: Entries) =>
  edited(entries, (text, name) => (name.endsWith('.xlf') ? translated(text, words) : text))

describe.each(databases)('packages on %s', (database) => {
  let hub: TestHub
  let kit: ReturnType<typeof packagesOf>
  beforeAll(async () => {
    hub = await startHub({ database })
    kit = packagesOf(hub)
  })
  afterAll(() => hub.close())
  const sources = [
    { name: 'page.html', file: html },
    { fields: { hello: 'Hello {name}', bye: 'Bye' } },
  ] as const
  const manifestIn = (entries: Entries) =>
    JSON.parse(entries.get('manifest.json')?.toString() ?? '{}')

  describe('as XLIFF 1.2', () => {
    it('goes out with every task that is open, and comes back as a whole', async () => {
      const { jobId, ids, path, task } = await kit.sent(sources)
      const out = await kit.download(path)
      expect([...out.keys()]).toEqual([
        'de-de/page.html.xlf',
        'de-de/text 2.xml.xlf',
        'manifest.json',
      ])
      expect(manifestIn(out)).toMatchObject({
        ...{ package: 'dragoman', format: 'xliff12', jobId, leftOut: [] },
        assetTasks: [
          {
            assetTaskId: ids[0],
            path: 'de-de/page.html.xlf',
            fileName: 'page.html',
            targetNativeLanguageCode: 'de-de',
          },
          { assetTaskId: ids[1], path: 'de-de/text 2.xml.xlf', fileName: 'text 2.xml' },
        ],
      })
      const [page = ''] = [...out.values()].map(String)
      expect(page).toContain('<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2">')
      expect(page).toContain(`original="dragoman:${jobId}/${ids[0]}/page.html"`)
      expect(page).toContain('<target state="needs-translation">Second   text</target>')
      const back = packed(done(out))
      const judged = await kit.deliver(path, back, '?dryRun=true')
      expect(judged, JSON.stringify(judged.body)).toMatchObject({
        status: 200,
        body: { delivered: ids, unchanged: [] },
      })
      expect(await kit.statusOf(task(ids[0] ?? ''))).toBe('SENDING')
      expect((await kit.deliver(path, back)).body).toEqual({ delivered: ids, unchanged: [] })
      expect(await kit.translationOf(jobId, ids[0] ?? '')).toBe(
        html
          .replace('Save <b>{count} files</b> now.', '<b>{count} Dateien</b> jetzt sichern.')
          .replace('Second   text', 'Zweiter Text'),
      )
      expect(await kit.statusOf(task(ids[1] ?? ''))).toBe('TRANSLATION_SUBMITTED')
      const { body } = await kit.call<{ segments: JsonObject[] }>(
        'demo-provider',
        'GET',
        `${task(ids[1] ?? '')}/segments`,
      )
      expect(
        body.segments.map(({ target, state, changedBy }) => [target, state, changedBy]),
      ).toEqual([
        [['Hallo ', { tag: 1 }], 'TRANSLATED', 'demo-provider'],
        [['Tschüs'], 'TRANSLATED', 'demo-provider'],
      ])
      // Again, as after a lost answer.
      expect((await kit.deliver(path, back)).body).toEqual({ delivered: [], unchanged: ids })
    })

    it('delivers what was changed and leaves untouched files alone', async () => {
      const { ids, path, task } = await kit.sent(sources)
      const out = await kit.download(path)
      const back = packed(
        edited(out, (text, name) => (name.includes('page') ? translated(text, words) : text)),
      )
      const key = { 'idempotency-key': `package-${ids[0]}` }
      const first = await kit.deliver(path, back, '', key)
      expect(first.body).toEqual({ delivered: [ids[0]], unchanged: [ids[1]] })
      expect(await kit.statusOf(task(ids[1] ?? ''))).toBe('SENDING')
      expect((await kit.deliver(path, back, '', key)).body).toEqual(first.body)
      const other = await kit.deliver(path, packed(out), '', key)
      expect(other.body.code).toBe('IDEMPOTENCY_CONFLICT')
    })

    const only = (
      entries: Entries,
      name: string,
      edit: (text: string) => string | Uint8Array | undefined,
    ) => edited(entries, (text, at) => (at.includes(name) ? edit(translated(text, words)) : text))
    const withZip = (zip: (entries: Entries) => Uint8Array) => ({ zip })
    const inPage = (edit: (text: string) => string | Uint8Array | undefined) =>
      withZip((entries) => packed(only(entries, 'page', edit)))
    const bomb = `<!DOCTYPE x [<!ENTITY a "${'a'.repeat(100)}">]>`
    const refusals: [string, { zip: (entries: Entries) => Uint8Array }, RegExp, string?][] = [
      [
        'another job in the file',
        inPage((text) => text.replace(/dragoman:\w{10}/, 'dragoman:ABCDEFGHIJ')),
        /belongs to the job ABCDEFGHIJ/,
      ],
      [
        'another job in the manifest',
        withZip((entries) =>
          packed(
            edited(entries, (text) => text.replace(/"jobId": "\w+"/, '"jobId": "ABCDEFGHIJ"')),
          ),
        ),
        /package of the job ABCDEFGHIJ/,
      ],
      [
        'another source in the manifest',
        withZip((entries) =>
          packed(edited(entries, (text) => text.replace(/"source": "[^"]+"/, '"source": "x"'))),
        ),
        /source of this file has changed/,
      ],
      [
        'another task',
        inPage((text) => text.replace(/(dragoman:\w{10}\/)[\w-]+/, '$1AAAAAAAAAAAAAAAAAAAAAA')),
        /not one that you can deliver/,
      ],
      [
        'a source text that was changed',
        inPage((text) => text.replace('<source>Second', '<source>Third')),
        /Its source text is not the one/,
      ],
      ['a file that is missing', inPage(() => undefined), /The file is missing/],
      [
        'a file too many',
        withZip((entries) => packed(done(entries), [{ name: 'readme.txt', content: 'x' }])),
        /not XLIFF|not well-formed/,
      ],
      [
        'a file twice',
        withZip((entries) =>
          packed(done(entries), [
            { name: 'copy.xlf', content: String(entries.get('de-de/page.html.xlf')) },
          ]),
        ),
        /same file as de-de\/page.html.xlf/,
      ],
      [
        'a name twice',
        withZip((entries) => packed(done(entries), [{ name: 'manifest.json', content: 'x' }])),
        /two entries/,
      ],
      [
        'an unsafe name',
        withZip((entries) => packed(done(entries), [{ name: '../x.xlf', content: 'x' }])),
        /unsafe name/,
      ],
      [
        'an encrypted file',
        withZip((entries) => packed(done(entries), [{ name: 'x', content: 'x', flags: 0x801 }])),
        /encrypted/,
      ],
      [
        'a size that lies',
        withZip((entries) => packed(done(entries), [{ name: 'x.xlf', content: 'xx', size: 1 }])),
        /not what the directory says/,
      ],
      ['no archive', withZip(() => Buffer.from('PK nothing')), /no ZIP archive/],
      ['an empty archive', withZip(() => packed(new Map())), /has no files/],
      [
        'a DOCTYPE with entities',
        inPage((text) => text.replace('<xliff', `${bomb}<xliff`)),
        /DOCTYPE/,
      ],
      [
        'XML that is not well-formed',
        inPage((text) => text.replace('</body>', '')),
        /not well-formed/,
      ],
      [
        'deep nesting',
        inPage((text) =>
          text.replace('<body>', `<body>${'<group>'.repeat(1100)}${'</group>'.repeat(1100)}`),
        ),
        /nests deeper/,
      ],
      [
        'another target language',
        inPage((text) => text.replace('target-language="de-de"', 'target-language="fr-fr"')),
        /translation into fr-fr/,
      ],
      [
        'a unit that is gone',
        inPage((text) => text.replace(/<trans-unit[\s\S]*?<\/trans-unit>/, '')),
        /unit is missing/,
        'segment',
      ],
      [
        'a unit that nobody sent',
        inPage((text) =>
          text.replace('<body>', '<body><trans-unit id="x"><source>a</source></trans-unit>'),
        ),
        /unit .{1,3}x.{1,3} that was not sent/,
      ],
      [
        'a unit twice',
        inPage((text) => text.replace(/(<trans-unit[\s\S]*?<\/trans-unit>)/, '$1$1')),
        /there twice/,
        'segment',
      ],
      [
        'a tag that the source lacks',
        inPage((text) => text.replace('Zweiter Text', 'Zweiter <g id="9">Text</g>')),
        /has <g id=.{1,3}9.{1,3}>, which is not in its source/,
        'segment',
      ],
      [
        'a tag that is lost',
        inPage((text) => text.replace('<x id="2"/> Dateien', 'Dateien')),
        /tags.missing/,
        'segment',
      ],
      ['an empty target', inPage((text) => text.replace('Zweiter Text', '')), /empty/, 'segment'],
      [
        'new text in front of the old',
        inPage((text) =>
          text.replace(
            '<g id="1"><x id="2"/> Dateien</g> jetzt sichern.',
            'Sichern Sie diese Dateien alle sofort. <g id="1"><x id="2"/> files</g> now.',
          ),
        ),
        /leftover/,
        'segment',
      ],
    ]
    it('refuses what cannot be delivered, says where and why, and delivers nothing', async () => {
      const { path, task, ids } = await kit.sent(sources)
      const out = await kit.download(path)
      for (const [what, { zip }, says, where] of refusals) {
        const { status, body } = await kit.deliver(path, zip(out))
        expect([what, status, body.code, JSON.stringify(body.problems)]).toEqual([
          what,
          422,
          'PACKAGE_INVALID',
          expect.stringMatching(says),
        ])
        if (where)
          expect([what, body.problems?.[0]?.file, body.problems?.[0]?.segmentId]).toEqual([
            what,
            'de-de/page.html.xlf',
            expect.any(String),
          ])
      }
      for (const id of ids) expect(await kit.statusOf(task(id))).toBe('SENDING')
      const { read } = hub.inner.db
      expect(
        await read.selectFrom('drafts').selectAll().where('request_id', 'in', ids).execute(),
      ).toEqual([])
      // One bad file keeps the good ones back.
      const half = packed(
        edited(out, (text, name) =>
          name.includes('page')
            ? translated(text, words)
            : text.replace('<target state="needs-translation">Bye', '<target>'),
        ),
      )
      expect((await kit.deliver(path, half)).status).toBe(422)
      expect(await kit.statusOf(task(ids[0] ?? ''))).toBe('SENDING')
    })

    const tools: [string, (text: string) => string | Uint8Array][] = [
      [
        'a prefix',
        (text) => text.replace(/<(\/?)(?=[a-z])/g, '<$1ns0:').replace('xmlns=', 'xmlns:ns0='),
      ],
      ['UTF-16', (text) => Buffer.from(`\ufeff${text.replace('UTF-8', 'UTF-16')}`, 'utf16le')],
      [
        'other states and attributes',
        (text) => text.replaceAll('state="needs-translation"', 'state="translated" x="1"'),
      ],
      [
        'another order and indentation',
        (text) => {
          const units = text.match(/<trans-unit[\s\S]*?<\/trans-unit>/g) ?? []
          return text.replace(/<trans-unit[\s\S]*<\/trans-unit>/, () =>
            units
              .reverse()
              .map((unit) => `\n    ${unit.replace(/\n/g, '\n      ')}`)
              .join(''),
          )
        },
      ],
      [
        'CDATA, marks and lost hints',
        (text) =>
          text
            .replace('Zweiter Text', '<mrk mtype="seg" mid="0"><![CDATA[Zweiter Text]]></mrk>')
            .replaceAll(/ extradata="[^"]*"/g, ''),
      ],
      [
        'renumbered ids',
        (text) =>
          text.replaceAll(/<trans-unit id="[^"]*"/g, () => `<trans-unit id="${Math.random()}"`),
      ],
    ]
    it.each(tools)('compares by content: %s', async (_, tool) => {
      const { jobId, ids, path } = await kit.sent([sources[0]])
      const out = await kit.download(path)
      const asItCame = await kit.deliver(path, packed(only(out, 'none', () => undefined)))
      expect(asItCame.body).toEqual({ delivered: [], unchanged: ids })
      const { body } = await kit.deliver(path, packed(only(out, 'page', tool)))
      expect(body).toEqual({ delivered: ids, unchanged: [] })
      expect(await kit.translationOf(jobId, ids[0] ?? '')).toContain(
        '<b>{count} Dateien</b> jetzt sichern.</p>\n<p>Zweiter Text',
      )
    })

    it('keeps what somebody else has translated in the meantime', async () => {
      const { ids, path, task } = await kit.sent([
        { fields: { hello: 'Hello {name}', bye: 'Bye' } },
      ])
      const out = await kit.download(path)
      const at = task(ids[0] ?? '')
      const { body: list } = await kit.call<{ segments: JsonObject[] }>(
        'demo-provider',
        'GET',
        `${at}/segments`,
      )
      const put = (index: number, target: unknown[]) =>
        kit.call('demo-admin', 'PUT', `${at}/segments/${list.segments[index]?.segmentId}`, {
          target,
          state: 'TRANSLATED',
          version: 0,
        })
      expect((await put(1, ['Auf Wiedersehen'])).status).toBe(200)
      const both = await kit.deliver(path, packed(done(out)))
      expect(both.body.problems).toMatchObject([
        {
          segmentId: list.segments[1]?.segmentId,
          problem: expect.stringContaining('Somebody else'),
        },
      ])
      // The untouched one keeps the target that the hub has.
      const one = packed(edited(out, (text) => translated(text, { ...words, Bye: 'Bye' })))
      expect((await kit.deliver(path, one)).body).toEqual({ delivered: ids, unchanged: [] })
      const { body: now } = await kit.call<{ segments: JsonObject[] }>(
        'demo-provider',
        'GET',
        `${at}/segments`,
      )
      expect(now.segments.map(({ target }) => target)).toEqual([
        ['Hallo ', { tag: 1 }],
        ['Auf Wiedersehen'],
      ])
      // The same people correct themselves with the package that they have.
      const again = packed(
        edited(out, (text) =>
          translated(text, {
            ...words,
            'Hello <x id="1" equiv-text="{name}"/>': 'Guten Tag <x id="1"/>',
            Bye: 'Bye',
          }),
        ),
      )
      expect((await kit.deliver(path, again)).body).toEqual({ delivered: ids, unchanged: [] })
    })

    it('asks for units that a tool still marks as open', async () => {
      const { path } = await kit.sent([{ fields: { hello: 'Hello {name}', bye: 'Bye' } }])
      const out = await kit.download(path)
      const half = edited(out, (text) =>
        text.replace('<target state="needs-translation">Bye', '<target state="translated">Tschüs'),
      )
      expect((await kit.deliver(path, packed(half))).body.problems).toMatchObject([
        { problem: expect.stringContaining('not translated') },
      ])
    })

    it('gives a person only their languages, and holds them to claims', async () => {
      const { ids, path, task } = await kit.sent([{ fields: { bye: 'Bye' } }], ['de-de', 'fr-fr'])
      const providerId = path.split('/')[2] ?? ''
      const people = await Promise.all(
        ['one', 'two'].map(async () => {
          const person = await enter(hub, ['viewer'], 'demo')
          const sites = [{ roles: ['translator'], providers: [providerId], languages: ['de-DE'] }]
          await kit.call('demo-admin', 'PATCH', `/people/${person.session.person.personId}`, {
            sites,
          })
          return person
        }),
      )
      const [holder, other] = people as [
        Awaited<ReturnType<typeof enter>>,
        Awaited<ReturnType<typeof enter>>,
      ]
      const whole = await kit.download(path)
      const cookie = [...holder.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
      const answer = await fetch(`${hub.url}/console/api${path}`, { headers: { cookie } })
      const own = unpack(new Uint8Array(await answer.arrayBuffer()))
      expect([...own.keys()]).toEqual(['de-de/text 1.xml.xlf', 'manifest.json'])
      const send = (by: typeof holder, entries: Entries) =>
        by.call('POST', path, {
          body: packed(done(entries)),
          headers: { 'content-type': 'application/zip' },
        })
      const refused = await send(other, whole)
      expect(refused.body.problems, JSON.stringify(refused.body)).toMatchObject([
        { file: 'fr-fr/text 1.xml.xlf' },
      ])
      expect((await holder.call('POST', `${task(ids[0] ?? '')}/claim`)).status).toBe(200)
      expect((await send(other, own)).body.code).toBe('ALREADY_CLAIMED')
      expect((await send(holder, own)).body).toEqual({ delivered: [ids[0]], unchanged: [] })
    })

    it('narrows a package to a language and to states, and leaves out what has no segments', async () => {
      const { ids, path } = await kit.sent(
        [{ name: 'logo.png', file: 'PNG' }, { fields: { bye: 'Bye' } }],
        ['de-de', 'fr-fr'],
      )
      const names = async (query: string) =>
        [...(await kit.download(path, query)).keys()].filter((name) => name !== 'manifest.json')
      expect(await names('?target=fr-FR')).toEqual(['fr-fr/text 2.xml.xlf'])
      expect(await names('?state=TRANSLATED')).toEqual([])
      expect(await names('?state=NEW&target=de-de')).toEqual(['de-de/text 2.xml.xlf'])
      expect(await names('?format=original&target=de-de')).toEqual([
        'de-de/logo.png',
        'de-de/text 2.xml',
      ])
      expect(manifestIn(await kit.download(path)).leftOut).toMatchObject([
        { assetTaskId: ids[0] },
        { assetTaskId: ids[1] },
      ])
      expect((await kit.call('demo-provider', 'GET', `${path}?format=sdlppx`)).status).toBe(400)
      expect(
        (await kit.call('demo-provider', 'GET', `${path.replace(/jobs\/\w+/, 'jobs/ABCDEFGHIJ')}`))
          .status,
      ).toBe(404)
    })
  })

  it('goes out as the files themselves, and comes back under the same paths', async () => {
    const { jobId, ids, path } = await kit.sent([
      ...sources,
      { name: 'page.html', file: html },
      { name: 'logo.png', file: 'PNG' },
    ])
    const out = await kit.download(path, '?format=original')
    expect([...out.keys()]).toEqual([
      'de-de/page.html',
      'de-de/text 2.xml',
      'de-de/page (2).html',
      'de-de/logo.png',
      'manifest.json',
    ])
    expect(out.get('de-de/page.html')?.toString()).toBe(html)
    expect((await kit.deliver(path, packed(out))).body).toEqual({ delivered: [], unchanged: ids })
    const bad = edited(out, (text) => text.replace('<b>{count} files</b>', 'Dateien'))
    expect((await kit.deliver(path, packed(bad))).body.problems).toMatchObject([
      { file: 'de-de/page.html', problem: expect.stringContaining('tags.missing') },
      { file: 'de-de/page (2).html' },
    ])
    const outer = (entries: Map<string, string | Uint8Array>) =>
      new Map([...entries].map(([name, content]) => [`work/${name}`, content]))
    const good = outer(
      edited(out, (text, name) =>
        name.includes('.json')
          ? text
          : text
              .replace('Second   text', 'Zweiter Text')
              .replace('>Bye<', '>Tschüs<')
              .replace('PNG', 'BILD'),
      ),
    )
    expect(
      (
        await kit.deliver(
          path,
          packed(good, [
            { name: '__MACOSX/._a', content: 'x' },
            { name: 'work/.DS_Store', content: 'x' },
          ]),
        )
      ).body,
    ).toEqual({ delivered: ids, unchanged: [] })
    expect(await kit.translationOf(jobId, ids[2] ?? '')).toContain('Zweiter Text')
    expect(await kit.translationOf(jobId, ids[3] ?? '')).toBe('BILD')
    expect((await kit.deliver(path, packed(good))).body).toEqual({ delivered: [], unchanged: ids })
    good.delete('work/manifest.json')
    good.delete('work/de-de/logo.png')
    expect((await kit.deliver(path, packed(good))).body).toEqual({
      delivered: [],
      unchanged: ids.slice(0, 3),
    })
  })

  it('goes out and comes back as XLIFF 2.0', async () => {
    const { jobId, ids, path } = await kit.sent([
      sources[0],
      { fields: { odd: 'One & <two>\r\n' } },
    ])
    const out = await kit.download(path, '?format=xliff2')
    const page = String(out.get('de-de/page.html.xlf'))
    expect(page).toContain(
      '<pc id="1" equivStart="&lt;b&gt;"><ph id="2" equiv="{count}"/> files</pc>',
    )
    expect((await kit.deliver(path, packed(out))).body).toEqual({ delivered: [], unchanged: ids })
    const back = edited(out, (text) =>
      text.replace('preserve">Second   text</target>', 'preserve">Zweiter Text</target>'),
    )
    expect((await kit.deliver(path, packed(back))).body).toEqual({
      delivered: [ids[0]],
      unchanged: [ids[1]],
    })
    expect(await kit.translationOf(jobId, ids[0] ?? '')).toBe(
      html.replace('Second   text', 'Zweiter Text'),
    )
    const cut = edited(out, (text) =>
      text.replace(
        /<segment[^>]*>\s*<source xml:space="preserve">Second {3}text[\s\S]*?<\/segment>/,
        '<segment><source>Second   </source><target>Ein zweiter </target></segment><segment><source>text</source><target>Text</target></segment>',
      ),
    )
    expect((await kit.deliver(path, packed(cut))).body).toEqual({
      delivered: [ids[0]],
      unchanged: [ids[1]],
    })
  })

  it('goes out as an OmegaT project, and comes back whole or as its translated files alone', async () => {
    const unit = {
      sourceNativeLanguageCode: 'en-us',
      targetNativeLanguageCode: 'de-de',
      source: 'See you',
      target: 'Bis bald',
    }
    await kit.call('demo-admin', 'POST', '/settings/memory/units', unit)
    const entries = [
      { language: 'en', text: 'file' },
      { language: 'de', text: 'Datei' },
      { language: 'de', text: 'File', status: 'FORBIDDEN' },
    ]
    await kit.call('demo-admin', 'POST', '/settings/terms', { entries })
    const { ids, path, task } = await kit.sent([
      sources[0],
      { fields: { see: 'See you', bye: 'Bye' } },
    ])
    const { body } = await kit.call<{ segments: JsonObject[] }>(
      'demo-provider',
      'GET',
      `${task(ids[1] ?? '')}/segments`,
    )
    const put = { target: ['Tschüs'], state: 'DRAFT', version: 0 }
    await kit.call(
      'demo-provider',
      'PUT',
      `${task(ids[1] ?? '')}/segments/${body.segments[1]?.segmentId}`,
      put,
    )
    const out = await kit.download(path, '?format=omegat')
    expect([...out.keys()].sort()).toEqual([
      ...[
        'dictionary/',
        'glossary/terms.utf8',
        'manifest.json',
        'omegat.project',
        'omegat/',
        'source/manifest.json',
      ],
      ...[
        'source/page.html.xlf',
        'source/text 2.xml.xlf',
        'target/',
        'tm/auto/targets.tmx',
        'tm/matches.tmx',
      ],
    ])
    expect(String(out.get('glossary/terms.utf8'))).toContain('file\tDatei\tDo not use: File.\n')
    expect(String(out.get('tm/matches.tmx'))).toContain('<seg>Bis bald</seg>')
    expect(String(out.get('tm/auto/targets.tmx'))).toContain('<seg>Tschüs</seg>')
    // The tool takes the target for the text to translate.
    expect(String(out.get('source/text 2.xml.xlf'))).toContain(
      '<target state="needs-translation">See you</target>',
    )
    expect((await kit.deliver(path, packed(out))).body.problems).toMatchObject([
      { problem: expect.stringContaining('Create Translated Documents') },
    ])
    const target = new Map(
      [...out]
        .filter(([name]) => name.startsWith('source/'))
        .map(([name, text]) => [name.replace('source', 'target'), text]),
    )
    const finished = (from: Entries) =>
      edited(from, (text) => translated(text, { ...words, 'See you': 'Bis bald' }))
    const whole = new Map([
      ...[...out].map(([name, text]): [string, string] => [`p/${name}`, String(text)]),
      ...[...finished(target)].map(([name, text]): [string, string] => [`p/${name}`, String(text)]),
    ])
    expect((await kit.deliver(path, packed(whole), '?dryRun=true')).body).toEqual({
      delivered: ids,
      unchanged: [],
    })
    expect((await kit.deliver(path, packed(finished(target)), '?dryRun=true')).body).toEqual({
      delivered: ids,
      unchanged: [],
    })
    const { 'target/text 2.xml.xlf': missing, ...rest } = Object.fromEntries(finished(target))
    expect(missing).toBeDefined()
    expect(
      (await kit.deliver(path, packed(new Map(Object.entries(rest))))).body.problems,
    ).toMatchObject([{ file: 'source/text 2.xml.xlf' }])
    const bare = new Map(
      [...finished(target)].map(([name, text]) => [name.replace('target/', ''), text]),
    )
    expect((await kit.deliver(path, packed(bare))).body).toEqual({ delivered: ids, unchanged: [] })
    expect((await kit.deliver(path, packed(whole))).body).toEqual({ delivered: [], unchanged: ids })
  })
})
