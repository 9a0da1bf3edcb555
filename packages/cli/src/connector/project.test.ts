import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { perCharacter, withWorkCount } from '../../../../tests/work-count.ts'
import { matchesGlob, restOf } from './glob-match.ts'
import { androidOf, fromAndroid, isPulled } from './output-pattern.ts'
import { readProject } from './project.ts'

const folder = mkdtempSync(join(tmpdir(), 'dragoman-yml-'))
afterAll(() => rmSync(folder, { recursive: true }))

test.each([
  [
    'an unknown key',
    'source: en-US\ntarget: de-DE\n',
    /^dragoman\.yml:2:1: "target" is unknown; .* Did you mean "targets"\?$/,
  ],
  [
    'a key that stands twice',
    'source: en-US\nsource: de-DE\n',
    /^dragoman\.yml:2:1: Map keys must be unique/,
  ],
  ['a tab that indents', 'files:\n\t- a\n', /^dragoman\.yml:2:1: /],
  [
    'a hub that is no URL',
    'hub: hub.example.org\n',
    /^dragoman\.yml:1:1: hub must be a URL such as/,
  ],
  [
    'a language without its region',
    'source: en-US\ntargets: [de-DE, fr]\n',
    /^dragoman\.yml:2:18: .*"fr" is not an accepted.*fr-fr.*languages, such as/,
  ],
  [
    'a source that is no language',
    'source: english\n',
    /^dragoman\.yml:1:1: .*"english" is not an accepted language code/,
  ],
  [
    'a table that leads nowhere',
    'languages:\n  de: german\n',
    /^dragoman\.yml:2:3: .*"german" \(to which the table maps "de"\)/,
  ],
  [
    'an entry without source',
    'files:\n  - output: a\n',
    /^dragoman\.yml:2:5: this entry needs a source/,
  ],
  [
    'an entry with an unknown key',
    'files:\n  - source: a\n    out: b\n',
    /^dragoman\.yml:3:5: "out" is unknown; the keys are source, output, format\./,
  ],
  [
    'an entry that is a number',
    'files: [7]\n',
    /^dragoman\.yml:1:9: files must be a list of paths, or of entries such as/,
  ],
  [
    'an unknown blank',
    'files:\n  - source: a\n    output: "{locale}/a"\n',
    /^dragoman\.yml:3:5: \{locale\} is unknown in/,
  ],
  [
    'a pattern that is too clever',
    'files:\n  - source: "a[bc]"\n    output: x\n',
    /^dragoman\.yml:2:5: an entry with its own output can use/,
  ],
  [
    'a format that is none',
    'files:\n  - source: a\n    format: word\n',
    /^dragoman\.yml:3:5: "word" is no format/,
  ],
  ['no map at all', '- a\n', /^dragoman\.yml:1:1: the file must contain keys and values\.$/],
])('dragoman.yml with %s is refused with its place', async (_, text, says) => {
  writeFileSync(join(folder, 'dragoman.yml'), text)
  await expect(readProject(folder)).rejects.toThrow(says)
})

test.each([
  ['content/en/**/*.md', 'content/en/a.md', true, 'a.md'],
  ['content/en/**/*.md', 'content/en/x/y/a.md', true, 'x/y/a.md'],
  ['content/en/**/*.md', 'content/de/a.md', false, 'a.md'],
  ['content/en', 'content/en/x/a.md', true, 'x/a.md'],
  ['./po/app.pot', 'po/app.pot', true, 'app.pot'],
  ['App/en.lproj/*.{strings,stringsdict}', 'App/en.lproj/L.stringsdict', true, 'L.stringsdict'],
  ['a/*/b?.json', 'a/x/b1.json', true, 'x/b1.json'],
  ['a/*/b?.json', 'a/x/y/b1.json', false, 'x/y/b1.json'],
  ['**/*.html', 'deep/er/page.html', true, 'deep/er/page.html'],
])('%s and %s', (pattern, path, matches, rest) => {
  expect([matchesGlob(pattern, path), restOf(pattern, path)]).toEqual([matches, rest])
})

test('a pattern of many stars takes little work', async () => {
  const pattern = `${'*a'.repeat(30)}b`
  expect(matchesGlob(pattern, 'a'.repeat(5_000))).toBe(false)
  const read = (path: string) => matchesGlob(pattern, path)
  const [work = 0] = await withWorkCount((count) => count(read, 'a'.repeat(5_000)))
  expect(work / 5_000).toBeLessThan(perCharacter)
})

test.each([
  ['de', 'de'],
  ['pt-BR', 'pt-rBR'],
  ['zh-Hant', 'b+zh+Hant'],
])('%s is %s on Android, and back', (code, android) => {
  expect([androidOf(code), fromAndroid(android)]).toEqual([android, code])
})

test('what pull writes is told from sources by the codes of the project', () => {
  const known = { source: 'en', targets: ['de', 'pt-BR'], languages: { en: 'en-US', de: 'de-DE' } }
  const pulled = isPulled('content/{lang}/{rest}', known)
  expect(['content/de/a.md', 'content/en/a.md', 'content/blog/a.md'].map(pulled)).toEqual([
    true,
    false,
    false,
  ])
  const beside = isPulled('{dir}/{name}.{lang}.md', known)
  const paths = [
    'content/a.de.md',
    'content/blog/a.pt-BR.md',
    'content/a.md',
    'content/a.en.md',
    'content/a.fr-FR.md',
  ]
  expect(paths.map(beside)).toEqual([true, true, false, false, false])
  expect(isPulled('{path}', known)('content/a.de.md')).toBe(false)
})
