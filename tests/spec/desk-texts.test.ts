/**
 * Contract, section 13: the forms in which texts are given, the checks that compare segments with
 * each other, and deliveries that are another kind of file.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pack } from '../formats/pack.ts'
import { databases, startHub, type TestHub } from '../hub.ts'
import { packagesOf, type Source } from '../packages-kit.ts'

type Row = Record<string, unknown>
type Shown = {
  segmentId: string
  key?: string
  source: unknown[]
  tags: Row[]
  version: number
  checks: { check: string; message: string }[]
}
const provider = 'demo-provider'
const pair = { sourceNativeLanguageCode: 'en-us', targetNativeLanguageCode: 'de-de' }

describe.each(databases)('texts of the desk (%s)', (database) => {
  let hub: TestHub
  let kit: ReturnType<typeof packagesOf>
  beforeAll(async () => {
    hub = await startHub({ database })
    kit = packagesOf(hub)
  })
  afterAll(() => hub.close())
  const call = <T = Row>(who: string, method: string, path: string, body?: unknown) =>
    kit.call<T>(who, method, path, body)
  const sent = async (source: Source) => {
    const { jobId, ids, job, task } = await kit.sent([source])
    return { jobId, id: ids[0] ?? '', side: job.replace(/\/jobs.*/, ''), task: task(ids[0] ?? '') }
  }
  const segments = async (task: string, query = '') =>
    (await call<{ segments: Shown[] }>(provider, 'GET', `${task}/segments${query}`)).body.segments
  const put = async (task: string, segment: Shown, target: unknown[], state = 'TRANSLATED') => {
    const { body } = await call<Shown>(provider, 'PUT', `${task}/segments/${segment.segmentId}`, {
      ...{ target, state, version: segment.version },
    })
    return body
  }
  const across = ({ checks }: Pick<Shown, 'checks'>) =>
    checks.filter(({ check }) => ['repeat', 'reused'].includes(check)).map(({ check }) => check)

  describe('a text that its translation contradicts elsewhere', () => {
    const fields = {
      a: 'Save the file',
      b: 'Save the file',
      c: 'Close the door',
      d: 'Open it now',
      e: 'Save the file',
    }
    it('is found when it is written, when it is listed and by its check', async () => {
      const { task } = await sent({ fields })
      const [a, b, c, d, e] = (await segments(task)) as [Shown, Shown, Shown, Shown, Shown]
      expect(across(await put(task, a, ['Datei sichern']))).toEqual([])
      const written = await put(task, b, ['Datei speichern'])
      expect(written.checks).toMatchObject([
        { check: 'repeat', severity: 'WARNING', message: expect.stringContaining('"a"') },
      ])
      expect(across(await put(task, c, ['Tür zu']))).toEqual([])
      expect(across(await put(task, d, ['Tür zu']))).toEqual(['reused'])
      expect(across(await put(task, e, ['Datei sichern']))).toEqual([])
      const found = async (query: string) => (await segments(task, query)).map(({ key }) => key)
      expect(await found('?check=repeat')).toEqual(['b'])
      expect(await found('?check=reused')).toEqual(['d'])
      expect((await segments(task)).map(across)).toEqual([[], ['repeat'], [], ['reused'], []])
      expect((await segments(task, '?pageSize=1&state=TRANSLATED')).map(across)).toEqual([[]])
      // Mended: another text is there now.
      const [, again] = (await segments(task)) as [Shown, Shown]
      expect(across(await put(task, again, ['Datei sichern']))).toEqual([])
      expect(await found('?check=repeat')).toEqual([])
    })

    it('is found in several that are written at once, and names a segment without a key by its position', async () => {
      const { task } = await sent({ name: 'a.html', file: '<p>Two words</p>\n<p>Two words</p>\n' })
      const [one, two] = (await segments(task)) as [Shown, Shown]
      const { body } = await call<{ segments: Shown[] }>(provider, 'PUT', `${task}/segments`, {
        segments: [
          { segmentId: one.segmentId, target: ['Zwei Worte'], state: 'TRANSLATED', version: 0 },
          { segmentId: two.segmentId, target: ['Zwei Wörter'], state: 'TRANSLATED', version: 0 },
        ],
      })
      expect(body.segments.map(across)).toEqual([[], ['repeat']])
      expect(body.segments[1]?.checks[0]?.message).toMatch(/^Segment 1 has the same source/)
    })

    it('is found in a delivery that came as a whole', async () => {
      const { jobId, id, task } = await sent({ fields: { a: 'Go on now', b: 'Go on now' } })
      const translated = [
        { key: 'a', value: 'Weiter jetzt' },
        { key: 'b', value: 'Jetzt weiter' },
      ]
      await call(provider, 'PUT', `${task}/translatedContent`, { fields: translated })
      await call(provider, 'PATCH', task, { statusCode: 'TRANSLATION_SUBMITTED' })
      const reviewed = await call<{ segments: Shown[] }>(
        'demo-connector',
        'GET',
        `/jobs/${jobId}/requests/${id}/segments?check=repeat`,
      )
      expect(reviewed.body.segments.map(({ key }) => key)).toEqual(['b'])
    })

    it('is not looked for where the site switched it off', async () => {
      await call('demo-admin', 'PUT', '/settings/checks', { repeat: 'OFF' })
      const { task } = await sent({ fields: { a: 'Off and on', b: 'Off and on' } })
      const [a, b] = (await segments(task)) as [Shown, Shown]
      await put(task, a, ['Aus und an'])
      expect(across(await put(task, b, ['An und aus']))).toEqual([])
      await call('demo-admin', 'PUT', '/settings/checks', {})
    })
  })

  describe('texts are taken as parts and as strings', () => {
    it('in the memory, by matches and by checks', async () => {
      const fields = { a: 'Press <b>{key}</b> to go on with it' }
      const { side, task } = await sent({ fields })
      const [{ source, tags }] = (await segments(task)) as [Shown]
      const [open, key, close] = [{ tag: 1 }, { tag: 2 }, { tag: 3 }]
      const target = ['Weiter mit ', open, key, close]
      const made = await call('demo-settings', 'POST', '/settings/memory/units', {
        ...{ ...pair, source, tags, target },
      })
      expect([made.status, made.body.source, made.body.target]).toEqual([
        ...[201, fields.a, 'Weiter mit <b>{key}</b>'],
      ])
      const changed = await call(
        'demo-settings',
        'PATCH',
        `/settings/memory/units/${made.body.unitId}`,
        {
          ...{
            version: made.body.version,
            tags,
            target: ['Weiter geht es mit ', open, key, close],
          },
        },
      )
      expect(changed.body.target).toBe('Weiter geht es mit <b>{key}</b>')
      const best = async (body: Row) => {
        const { body: found } = await call<{ matches: Row[] }>(
          provider,
          'POST',
          `${side}/matches`,
          {
            ...{ ...pair, ...body },
          },
        )
        return found.matches[0]
      }
      const exact = { percent: 100, kind: 'EXACT' }
      expect(await best({ text: fields.a })).toMatchObject(exact)
      expect(await best({ text: source, tags })).toMatchObject(exact)
      // The parts of the segment alone: what its tags stand for is the unit's.
      expect(await best({ text: source })).toMatchObject({
        ...{ ...exact, source, target: ['Weiter geht es mit ', open, key, close] },
      })
      expect(await best({ text: ['Press ', key, open, close, ' to go on with it'] })).toMatchObject(
        {
          kind: 'FUZZY',
        },
      )
      const checked = async (body: Row) =>
        (await call<{ checks: Row[] }>(provider, 'POST', `${side}/checks`, { ...pair, ...body }))
          .body
      for (const body of [
        { source, tags, target: ['Weiter'] },
        { source: fields.a, target: 'Weiter' },
        { source, tags, target: 'Weiter' },
        { source: fields.a, target: ['Weiter'] },
      ])
        expect((await checked(body)).checks, JSON.stringify(body)).toMatchObject([
          { check: 'tags.missing', severity: 'BLOCKING' },
        ])
      const whole = 'Weiter geht es mit <b>{key}</b>'
      expect((await checked({ source: fields.a, target: whole })).checks).toEqual([])
      expect((await checked({ source, tags, target: whole })).checks).toEqual([])
    })

    it('but not with a tag that is not described', async () => {
      const unit = { ...pair, source: ['A', { tag: 2 }], tags: [], target: ['B'] }
      const { status, body } = await call('demo-settings', 'POST', '/settings/memory/units', unit)
      expect([status, body.message]).toEqual([400, expect.stringContaining('tag 2')])
    })
  })

  describe('a delivery that is another kind of file', () => {
    const zip = pack([{ name: 'a.txt', content: 'text' }])
    const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
    const kinds = {
      zip,
      png,
      pdf: Buffer.from('%PDF-1.7\n%âãÏÓ\n'),
      gzip: Buffer.from('1f8b08', 'hex'),
    }
    const sources = {
      'a.html': '<p>Hello there</p>\n',
      'a.md': '# Hello there\n',
      'a.txt': 'Hello there\n',
      'a.properties': 'a=Hello there\n',
      'a.json': '{"a": "Hello there"}\n',
    }
    const rows = Object.entries(sources).flatMap(([name, file]) =>
      Object.entries(kinds).map(([kind, bytes]) => [name, kind, file, bytes] as const),
    )
    it.each(rows)('is refused: for %s a %s', async (name, _, file, bytes) => {
      const { task } = await sent({ name, file })
      const { body } = await call(provider, 'POST', `${task}/translatedFile`)
      const form = new FormData()
      form.append('file', new Blob([bytes as BlobPart]), name)
      await fetch(String(body.fmsPostMultipartUrl), { method: 'POST', body: form })
      const answer = await call(provider, 'PATCH', task, { statusCode: 'TRANSLATION_SUBMITTED' })
      expect([answer.status, answer.body.code]).toEqual([422, 'DELIVERY_INVALID'])
      expect(await kit.statusOf(task)).toBe('SENDING')
    })

    it('is not one that has another charset', async () => {
      const { task } = await sent({ name: 'a.txt', file: 'Hello there\n' })
      const { body } = await call(provider, 'POST', `${task}/translatedFile`)
      const form = new FormData()
      form.append('file', new Blob([Buffer.from('\ufeffHallo\n', 'utf16le') as BlobPart]), 'a.txt')
      await fetch(String(body.fmsPostMultipartUrl), { method: 'POST', body: form })
      const answer = await call(provider, 'PATCH', task, { statusCode: 'TRANSLATION_SUBMITTED' })
      expect(answer.status, JSON.stringify(answer.body)).toBe(200)
    })
  })
})
