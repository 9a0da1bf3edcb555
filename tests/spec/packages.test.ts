/** Contract, section 13: packages. What goes out, what comes back, and what is refused. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { engines, startHub, type TestHub } from '../hub.ts'
import { type Entries, edited, packagesOf, packed, translated } from '../packages-kit.ts'

type Row = Record<string, unknown>
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

describe.each(engines)('packages on %s', (engine) => {
  let hub: TestHub
  let kit: ReturnType<typeof packagesOf>
  beforeAll(async () => {
    hub = await startHub({ engine })
    kit = packagesOf(hub)
  })
  afterAll(() => hub.close())
  const sources = [{ name: 'page.html', file: html }, { fields: { hello: 'Hello {name}', bye: 'Bye' } }] as const
  const manifestIn = (entries: Entries) => JSON.parse(entries.get('manifest.json')?.toString() ?? '{}')

  describe('as XLIFF 1.2', () => {
    it('goes out with every task that is open, and comes back as a whole', async () => {
      const { jobId, ids, path, task } = await kit.sent(sources)
      const out = await kit.download(path)
      expect([...out.keys()]).toEqual(['de-de/page.html.xlf', 'de-de/text 2.xml.xlf', 'manifest.json'])
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
      const { body } = await kit.call<{ segments: Row[] }>('demo-provider', 'GET', `${task(ids[1] ?? '')}/segments`)
      expect(body.segments.map(({ target, state, changedBy }) => [target, state, changedBy])).toEqual([
        [['Hallo ', { tag: 1 }], 'TRANSLATED', 'demo-provider'],
        [['Tschüs'], 'TRANSLATED', 'demo-provider'],
      ])
      // Again, as after a lost answer.
      expect((await kit.deliver(path, back)).body).toEqual({ delivered: [], unchanged: ids })
    })

    it('delivers what was changed and leaves untouched files alone', async () => {
      const { ids, path, task } = await kit.sent(sources)
      const out = await kit.download(path)
      const back = packed(edited(out, (text, name) => (name.includes('page') ? translated(text, words) : text)))
      const key = { 'idempotency-key': `package-${ids[0]}` }
      const first = await kit.deliver(path, back, '', key)
      expect(first.body).toEqual({ delivered: [ids[0]], unchanged: [ids[1]] })
      expect(await kit.statusOf(task(ids[1] ?? ''))).toBe('SENDING')
      expect((await kit.deliver(path, back, '', key)).body).toEqual(first.body)
      const other = await kit.deliver(path, packed(out), '', key)
      expect(other.body.code).toBe('IDEMPOTENCY_CONFLICT')
    })
  })
})
