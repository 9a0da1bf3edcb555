/** Commands on files that need no hub: check SOURCE TRANSLATION, words and split. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it, test } from 'vitest'
import { runCommandLine } from '../run-command.ts'

const folder = mkdtempSync(join(tmpdir(), 'dragoman-files-'))
afterAll(() => rmSync(folder, { recursive: true }))
const given: Readonly<Record<string, string>> = {
  'en.json': '{"total": "5 files", "bye": "See you, {name}!"}',
  'de.json': '{"total": "6 Dateien", "bye": "Bis bald!"}',
  'good.json': '{"total": "5 Dateien", "bye": "Bis bald, {name}!"}',
  'short.json': '{"total": "5 Dateien"}',
  'broken.json': '{"total": ',
  'de.po': 'msgid "Hello"\nmsgstr "Hallo"\n',
  'page.html': '<p>Two words</p>\n',
  'some.bin': '\u0000\u0001',
}
for (const [name, text] of Object.entries(given)) writeFileSync(join(folder, name), text)
mkdirSync(join(folder, 'folder'))

const run = (...args: string[]) => runCommandLine(args, {}, folder)
const german = ['--target-language', 'de']

describe('check SOURCE TRANSLATION', () => {
  it('prints a line for each finding, and a summary', async () => {
    expect(await run('check', 'en.json', 'de.json', ...german)).toEqual({
      code: 1,
      out: `WARNING: numbers: #/total: The source has the number 5, the translation 6.
BLOCKING: tags.missing: #/bye: The placeholder {name} of the source is missing.
2 findings in 2 texts.
`,
      err: '',
    })
  })

  it('says only what blocks a delivery with --blocking', async () => {
    const { code, out } = await run('check', 'en.json', 'de.json', ...german, '--blocking')
    expect([code, out.split('\n').length]).toEqual([1, 3])
  })

  it('tells lost texts', async () => {
    const { code, out } = await run('check', 'en.json', 'short.json', ...german)
    expect([code, out]).toEqual([1, 'Lost units: #/bye.\n1 finding in 1 text.\n'])
  })

  it('finds nothing in a good translation', async () => {
    const done = { code: 0, out: 'Nothing was found in 2 texts.\n', err: '' }
    expect(await run('check', 'en.json', 'good.json', ...german)).toEqual(done)
    const { out } = await run('check', 'en.json', 'good.json', ...german, '--json')
    expect(JSON.parse(out)).toEqual({
      ...{ clean: true, format: 'json', compared: 2, differences: [], findings: [] },
    })
  })

  it('says why a broken translation is no file of its format', async () => {
    const { code, out } = await run('check', 'en.json', 'broken.json', ...german)
    expect([code, out]).toEqual([1, expect.stringMatching(/^broken\.json: .*\.\n$/)])
  })
})

test('words counts each file, and all of them', async () => {
  expect(await run('words', 'en.json', 'page.html')).toEqual({
    code: 0,
    out: `FILE       FORMAT  TEXTS  WORDS  CHARACTERS
en.json    json    2      4      14
page.html  html    1      2      8
all                3      6      22
`,
    err: '',
  })
  const { out } = await run('words', 'page.html', '--json')
  expect(JSON.parse(out)).toMatchObject({ words: 2, files: [{ file: 'page.html', words: 2 }] })
})

test('split shows the texts of each file, and translations that it has', async () => {
  expect(await run('split', 'en.json', 'de.po')).toEqual({
    code: 0,
    out: `en.json (json)
#/total: 5 files
#/bye: See you, {name}!
de.po (po)
Hello: Hello
  = Hallo
`,
    err: '',
  })
  const { out } = await run('split', 'page.html', '--json')
  expect(JSON.parse(out)).toMatchObject({
    files: [{ file: 'page.html', format: 'html', segments: [{ text: 'Two words' }] }],
  })
})

const both = ['en.json', 'de.json']
test.each<[string, number, RegExp, string[]]>([
  ['a missing file', 2, /^There is no file no\.json\.\n$/, ['words', 'no.json']],
  ['a folder', 2, /^Name a file, not a folder: folder\.\n$/, ['split', 'folder']],
  ['an unknown format', 2, /^The format of some\.bin is not known\. /, ['words', 'some.bin']],
  ['a broken file', 1, /^broken\.json: .*\.\n$/, ['split', 'broken.json']],
  ['a broken source', 1, /^broken\.json: /, ['check', 'broken.json', 'en.json', ...german]],
  [
    'a translation of another format',
    2,
    /^en\.json is json, but de\.po is po: a translation has the format of its source\.\n$/,
    ['check', 'en.json', 'de.po', ...german],
  ],
  ['a missing translation', 2, /no\.json/, ['check', 'en.json', 'no.json', ...german]],
  ['no language', 2, /--target-language, such as de-DE/, ['check', ...both]],
  ['one file', 2, /name two files: SOURCE and TRANSLATION/, ['check', 'en.json', ...german]],
  ['options of a hub', 2, /^--repair checks a hub;/, ['check', ...both, '--repair']],
  ['no files', 2, /^--target-language checks a translation;/, ['check', ...german]],
  ['no format of that name', 2, /There is no format "jsn"/, ['words', 'x', '--format', 'jsn']],
  ['no file at all', 2, /^words needs at least one FILE/, ['words']],
])('%s is refused in one sentence', async (_, code, says, args) => {
  const ran = await run(...args)
  expect([ran.code, ran.out]).toEqual([code, ''])
  expect(ran.err).toMatch(says)
  expect(ran.err.split('\n').filter((line) => !line.startsWith('Try:')).length).toBe(2)
})
