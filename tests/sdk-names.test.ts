/**
 * Names from a hub on a connector's disk: made safe for every platform, kept apart, and never out
 * of their folder.
 */
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import type { Download } from '@dragoman/sdk'
import { safePath, saveDownload, writeWhole } from '@dragoman/sdk/node'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

const hash = '-[0-9a-f]{8}'
const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

describe('a name', () => {
  it.each([
    'page.html',
    'docs/de/page.html',
    'README',
    '.htaccess',
    '.well-known/a.txt',
    'a b (c) [d] {e}.txt',
    'Größe – 語.html',
    "it's 100% & more; x=y.json",
    'console.log',
    'com10.txt',
    'nul-and-void',
    'a..b',
    '\u{1f468}\u200d\u{1f469}.txt',
  ])('%j stays as it is', (name) => {
    expect(safePath(name)).toBe(name)
  })

  it.each([
    ['/docs/page.html', 'docs/page.html'],
    ['./a//b/./c.txt', 'a/b/c.txt'],
    ['a\\b.txt', 'a/b.txt'],
  ])('%j is %j, however it is written', (name, path) => {
    expect(safePath(name)).toBe(path)
  })

  it.each([
    ['../../../x', '__/__/__/x'],
    ['a/../../x.html', 'a/__/__/x.html'],
    ['..\\..\\x.txt', '__/__/x.txt'],
    ['..', '__'],
    ['. .', '___'],
    ['', 'file'],
    ['/', 'file'],
    ['C:\\Windows\\x.dll', 'C_/Windows/x.dll'],
    ['c:x.txt', 'c_x.txt'],
    ['page.html:stream', 'page.html_stream'],
    ['\\\\server\\share\\x:', 'server/share/x_'],
    ['CON', '_CON'],
    ['nul.txt', '_nul.txt'],
    ['Aux .json', '_Aux .json'],
    ['a/COM1.tar.gz', 'a/_COM1.tar.gz'],
    ['lpt\u00b9', '_lpt\u00b9'],
    ['conout$', '_conout$'],
    ['name.', 'name_'],
    ['name. . ', 'name____'],
    ['folder./x', 'folder_/x'],
    ['a\0b\r\nc\x7f\x9bd', 'a_b__c__d'],
    ['<a>|"b"?*', '_a___b___'],
    ['\u202egnp.exe', '_gnp.exe'],
    ['a\u2066b\u200fc\u061cd\ufeff', 'a_b_c_d_'],
    ['two\u2028lines', 'two_lines'],
    ['lone \ud800 half', 'lone \ufffd half'],
    ['.git', '_.git'],
    ['.GIT/hooks/post-checkout', '_.GIT/hooks/post-checkout'],
    ['.g\u200cit/config', '_.g\u200cit/config'],
    ['GIT~1/config', 'GIT_1/config'],
  ])('%j becomes %j with a hash', (name, path) => {
    const dot = path.lastIndexOf('.')
    const [stem, extension] =
      dot > path.lastIndexOf('/') + 1 ? [path.slice(0, dot), path.slice(dot)] : [path, '']
    expect(safePath(name)).toMatch(new RegExp(`^${escaped(stem)}${hash}${escaped(extension)}$`))
    expect(safePath(name)).toBe(safePath(name))
  })

  it('that is too long is cut between two characters, keeps its extension, and stays apart from its likes', () => {
    const [one, other] = [`${'語'.repeat(300)}1.html`, `${'語'.repeat(300)}2.html`].map(safePath)
    expect(one).toMatch(/^語{60,70}-[0-9a-f]{8}\.html$/)
    expect(one).not.toBe(other)
    expect(Buffer.byteLength(safePath(`a.${'e'.repeat(400)}`))).toBeLessThan(230)
  })

  it('of any kind leads down, fits every file system, and differs from every other name', () => {
    const bad = /[\p{Cc}<>:"|?*\\\u200e\u200f\u202a-\u202e\u2066-\u2069]/u
    const text = fc.string({ unit: 'binary', maxLength: 300 })
    const nasty = fc.array(
      fc.constantFrom(
        '..',
        '.',
        '/',
        '\\',
        'CON',
        ' ',
        ':',
        'a',
        '\0',
        'é',
        'e\u0301',
        '~1',
        '.git',
      ),
    )
    const name = fc.oneof(
      text,
      nasty.map((parts) => parts.join('')),
    )
    fc.assert(
      fc.property(name, name, (one, other) => {
        const path = safePath(one)
        for (const part of path.split('/')) {
          expect(part).not.toMatch(/^\.{0,2}$|[. ]$/)
          expect(part).not.toMatch(bad)
          expect(Buffer.byteLength(part)).toBeLessThan(240)
        }
        expect(relative('/root', join('/root', path))).not.toMatch(/^\.\.(\/|$)/)
        const plain = (text: string) =>
          text
            .split(/[\\/]/)
            .filter((part) => !['', '.'].includes(part))
            .join('/')
        if (plain(one) !== plain(other)) expect(path).not.toBe(safePath(other))
      }),
      { numRuns: 500 },
    )
  })
})

describe('saveDownload', () => {
  let base: string
  let folder: string
  beforeEach(() => {
    base = mkdtempSync(join(tmpdir(), 'dragoman-names-'))
    folder = join(base, 'a', 'translated')
  })
  afterEach(() => rmSync(base, { recursive: true }))

  const download = (text: string, id = text, jobId = 'job'): Download => {
    async function* chunks() {
      yield new TextEncoder().encode(text)
    }
    const all = async () => new TextEncoder().encode(text)
    return {
      of: { jobId, id },
      name: 'n',
      contentType: 'text/plain',
      size: text.length,
      chunks,
      bytes: all,
      text: async () => text,
    }
  }
  const everyFile = () =>
    readdirSync(base, { recursive: true, encoding: 'utf8', withFileTypes: true })
      .filter((one) => !one.isDirectory())
      .map((one) => relative(base, join(one.parentPath, one.name)))
      .sort()

  it.each([
    '../../../x',
    '/etc/passwd',
    'C:\\x',
    'a/../../b',
    '..',
    '',
    'CON',
    'x\0y',
    `${'語'.repeat(200)}.html`,
  ])('writes %j inside its folder, and says where', async (name) => {
    const path = await saveDownload(folder, `de-DE/${name}`, download('text'))
    expect(readFileSync(path, 'utf8')).toBe('text')
    expect(everyFile()).toEqual([relative(base, path)])
    expect(relative(folder, path)).not.toMatch(/^\.\.(\/|$)/)
  })

  it('keeps names apart that some file system takes for one, and puts each where it was the next time', async () => {
    const names = [
      'Readme.md',
      'README.md',
      'readme.MD',
      'Docs/a.txt',
      'docs/a.txt',
      'é.txt',
      'e\u0301.txt',
      'ﬁ.txt',
      'fi.txt',
    ]
    const saved: string[] = []
    for (const name of names) saved.push(await saveDownload(folder, name, download(name)))
    const alike = (path: string) => path.normalize('NFKC').toLowerCase()
    expect(new Set(saved.map(alike)).size).toBe(names.length)
    for (const [at, name] of names.entries()) {
      expect(await saveDownload(folder, name, download(`${name} again`, name))).toBe(saved[at])
      expect(readFileSync(saved[at] ?? '', 'utf8')).toBe(`${name} again`)
    }
  })

  it('keeps two requests of one job apart that have one name; another job takes their places', async () => {
    const first = await saveDownload(folder, 'a.html', download('one'))
    const second = await saveDownload(folder, 'a.html', download('two'))
    expect([first, second].map((path) => relative(folder, path))).toEqual(['a.html', 'a-2.html'])
    expect(await saveDownload(folder, 'a.html', download('two, again', 'two'))).toBe(second)
    expect(await saveDownload(folder, 'a.html', download('three', 'three', 'next job'))).toBe(first)
    expect(await saveDownload(folder, 'a.html', download('four', 'four', 'next job'))).toBe(second)
    expect(everyFile()).toHaveLength(2)
  })

  it('follows no link out of its folder, and replaces one that stands in its place', async () => {
    const outside = join(base, 'outside')
    mkdirSync(outside)
    mkdirSync(folder, { recursive: true })
    mkdirSync(join(folder, 'real'))
    symlinkSync(outside, join(folder, 'out'))
    symlinkSync(join(outside, 'target.txt'), join(folder, 'file.txt'))
    symlinkSync('real', join(folder, 'in'))
    await expect(saveDownload(folder, 'out/x.txt', download('x'))).rejects.toThrow(/leads outside/)
    await expect(saveDownload(folder, 'out/deeper/x.txt', download('x'))).rejects.toThrow(
      /leads outside/,
    )
    await saveDownload(folder, 'file.txt', download('own'))
    await saveDownload(folder, 'in/x.txt', download('inside'))
    expect(readdirSync(outside)).toEqual([])
    expect([
      lstatSync(join(folder, 'file.txt')).isFile(),
      existsSync(join(folder, 'real/x.txt')),
    ]).toEqual([true, true])
  })

  it('writes into a folder that is itself reached by a link', async () => {
    mkdirSync(join(base, 'real'))
    symlinkSync('real', join(base, 'linked'))
    const path = await saveDownload(join(base, 'linked'), 'a/b.txt', download('x'))
    expect([readFileSync(path, 'utf8'), everyFile()]).toEqual(['x', ['linked', 'real/a/b.txt']])
  })

  it('writes long names of any alphabet', async () => {
    const path = join(folder, `${'語'.repeat(80)}.html`)
    await writeWhole(path, [new TextEncoder().encode('x')])
    expect([readFileSync(path, 'utf8'), readdirSync(dirname(path))]).toEqual([
      'x',
      [`${'語'.repeat(80)}.html`],
    ])
  })
})
