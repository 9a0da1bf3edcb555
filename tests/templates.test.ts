/**
 * `dragoman init`: each template goes to the hub and comes back, and a project of one's own gets a
 * dragoman.yml that works.
 */
import { spawn, spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { templates } from '../packages/cli/src/init/templates.ts'
import { buildProgram } from './build-program.ts'
import { startHub, type TestHub } from './hub.ts'
import { newProject, type Project } from './project.ts'

const root = join(import.meta.dirname, '..')
const cli = join(root, 'packages/cli/bin/dragoman.js')
let hub: TestHub
const projects: Project[] = []
beforeAll(async () => {
  await buildProgram()
  hub = await startHub()
})
afterAll(async () => {
  for (const project of projects) project.remove()
  await hub.close()
})
const project = (files: Record<string, string> = {}) => {
  const made = newProject(hub.url, files)
  projects.push(made)
  return made
}

/** What came back, by template: where the platform looks for it, and what must be true of it. */
const expected: Readonly<Record<string, Readonly<Record<string, (text: string) => void>>>> = {
  android: {
    'app/src/main/res/values-de/strings.xml': (text) => {
      expect(text).not.toContain('Trailhead')
      expect(text).toMatch(/<string name="welcome">[^<]*%1\$s[^<]*<\/string>/)
    },
    'app/src/main/res/values-pt-rBR/strings.xml': (text) =>
      expect(text).toContain('quantity="many"'),
  },
  gettext: {
    'po/de.po': (text) => expect(text).toMatch(/^"Plural-Forms: nplurals=2;/m),
    'po/pl.po': (text) => expect(text).toMatch(/^msgstr\[2\] ".+"$/m),
  },
  i18next: {
    'locales/de/common.json': (text) => expect(JSON.parse(text).welcome).toMatch(/\{\{name\}\}/),
    'locales/de/checkout.json': (text) => expect(JSON.parse(text).title).not.toBe('Your basket'),
    'locales/pt-BR/common.json': (text) =>
      expect(Object.keys(JSON.parse(text).nav)).toHaveLength(3),
    'locales/pt-BR/checkout.json': (text) =>
      expect(JSON.parse(text).total).toContain('{{amount, currency}}'),
  },
  ios: {
    'App/de.lproj/Localizable.strings': (text) =>
      expect(text).toMatch(/^"home\.next" = ".*%@.*";$/m),
    'App/de.lproj/InfoPlist.strings': (text) =>
      expect(text).toContain('NSLocationWhenInUseUsageDescription'),
    'App/de.lproj/Localizable.stringsdict': (text) =>
      expect(text).toContain('<string>NSStringPluralRuleType</string>'),
    'App/pt-BR.lproj/Localizable.strings': (text) => expect(text).toContain('/* A button. */'),
    'App/pt-BR.lproj/InfoPlist.strings': (text) =>
      expect(text).not.toContain('Your place tells us'),
    'App/pt-BR.lproj/Localizable.stringsdict': (text) => expect(text).toContain('%d'),
  },
  'static-site': Object.fromEntries(
    ['de', 'fr'].flatMap((code) => [
      [
        `content/${code}/index.md`,
        (text: string) => expect(text).toMatch(/^---\ntitle: .*\n(?:.*\n)*layout: home\n---\n/),
      ],
      [`content/${code}/visit.md`, (text: string) => expect(text).toContain('`npm run build`')],
      [
        `content/${code}/blog/new-reading-room.md`,
        (text: string) => expect(text).not.toContain('A new reading room'),
      ],
    ]),
  ),
}

describe('the templates', () => {
  it('are those of examples/templates', () => {
    const names = readdirSync(join(root, 'examples/templates'))
    expect(Object.keys(templates)).toEqual(names.sort())
    expect(Object.keys(expected)).toEqual(names)
    for (const [name, files] of Object.entries(templates))
      for (const [path, text] of Object.entries(files))
        expect(text, 'npm run generate').toBe(
          readFileSync(join(root, 'examples/templates', name, path), 'utf8'),
        )
  })

  it('are copied, pushed and pulled; translations lie where the platform looks for them', async ({
    skip,
  }) => {
    const there = async (name: string) => {
      const it = project()
      const made = await it.run(['init', '--template', name])
      expect(made).toMatchObject({ code: 0, err: '' })
      const before = it.files()
      expect(before).toEqual(Object.keys(templates[name] ?? {}).sort())
      expect(await it.run(['push'])).toMatchObject({ code: 0, err: '' })
      expect(await it.run(['pull', '--wait'])).toMatchObject({ code: 0 })
      const back = it.files().filter((path) => !before.includes(path))
      expect(back).toEqual(Object.keys(expected[name] ?? {}).sort())
      for (const [path, check] of Object.entries(expected[name] ?? {})) {
        check(it.read(path))
        expect(it.read(path)).toMatch(/[^\0-\x7f]/)
      }
      return it
    }
    const [, gettext] = await Promise.all(Object.keys(expected).map(there))
    const judged = spawnSync('msgfmt', ['--check-format', '-o', '/dev/null', 'po/pl.po'], {
      cwd: gettext?.folder ?? '',
    })
    skip(judged.error !== undefined, 'msgfmt is not installed')
    expect(judged.stderr.toString()).toBe('')
  })

  it('do not replace a file, and are named if one is misspelled', async () => {
    const it = project({ 'README.md': 'Mine' })
    const refused = await it.run(['init', '--template', 'ios'])
    expect(refused).toMatchObject({
      code: 1,
      err: expect.stringContaining('these files exist: README.md. --force'),
    })
    expect(it.files()).toEqual(['README.md'])
    const unknown = await it.run(['init', '--template', 'iso'])
    expect(unknown).toMatchObject({
      code: 2,
      err: expect.stringMatching(/no template "iso".*Did you mean "ios"\?/s),
    })
  })

  it('fit the JSON schema of dragoman.yml', async () => {
    const { out } = await project().run(['init', '--schema'])
    const fits = new Ajv({ strict: false }).compile(JSON.parse(out))
    for (const files of Object.values(templates))
      expect([fits(parse(files['dragoman.yml'] ?? '')), fits.errors]).toEqual([true, null])
    expect(fits({ target: 'de' })).toBe(false)
    expect(fits({ files: [{ output: 'x' }] })).toBe(false)
  })
})

describe('init in a project of one’s own', () => {
  const own = {
    'public/locales/en/app.json': '{"hello":"Good morning"}',
    'public/locales/de/app.json': '{"hello":"Guten Morgen"}',
    'docs/guide.md': '# A guide\n',
    'node_modules/x/locales/en/a.json': '{}',
  }

  it('writes what it finds, which push understands, and does not overwrite it', async () => {
    const it = project(own)
    const made = await it.run(['init', '--target', 'de,fr', '--provider', 'Pseudo', '--json'])
    expect(JSON.parse(made.out)).toMatchObject({
      source: 'en',
      targets: ['de', 'fr'],
      languages: { en: 'en-US', de: 'de-DE', fr: 'fr-FR' },
      files: [
        { source: 'public/locales/en/*.json', output: 'public/locales/{lang}/{rest}' },
        { source: 'docs/**/*.md', output: 'docs/{lang}/{rest}' },
      ],
    })
    expect(it.read('dragoman.yml')).toContain(
      '# Your codes on the left, those of the hub on the right.\n',
    )
    const tried = await it.run(['push', '--dry-run'])
    expect(tried).toMatchObject({ code: 0, err: '' })
    expect(tried.out).toContain('2 files from en to de, fr: 4 requests, to Pseudo.')
    const before = it.read('dragoman.yml')
    expect(await it.run(['init', '--target', 'ja'])).toMatchObject({ code: 1, out: '' })
    expect(it.read('dragoman.yml')).toBe(before)
    expect(await it.run(['init', '--target', 'ja', '--force'])).toMatchObject({ code: 0 })
  })

  it('says what is missing where it cannot ask', async () => {
    const it = project({ 'src/main.c': 'int main;' })
    expect(await it.run(['init', '--target', 'de'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('No content was found here; name it: dragoman init --files'),
    })
    const other = project({ 'locales/en.json': '{}' })
    expect(await other.run(['init'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('--target de,fr'),
    })
    expect(await other.run(['init', '--target', 'klingon'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('"klingon" is not a language that the hub knows'),
    })
    expect([...it.files(), ...other.files()]).toEqual(['src/main.c', 'locales/en.json'])
  })

  it.runIf(process.platform === 'linux')('asks on a terminal and proposes', async () => {
    const it = project(own)
    // util-linux's script gives its command a terminal.
    const child = spawn('script', ['-qec', `${process.execPath} ${cli} init`, '/dev/null'], {
      cwd: it.folder,
      env: { PATH: process.env.PATH, TERM: 'xterm', HUB_URL: hub.url },
      stdio: ['pipe', 'pipe', 'ignore'],
    })
    const closed = new Promise((resolve) => child.once('close', resolve))
    let seen = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      seen += text
    })
    const answer = async (question: string, text: string) => {
      await expect.poll(() => seen).toContain(question)
      child.stdin.write(`${text}\r`)
    }
    await answer('Language of the files [en]: ', '')
    await answer('Translate to [de]: ', 'de ja')
    await answer(`Hub [${hub.url}]: `, '')
    await answer('Provider (empty: the only one of the site): ', 'Pseudo')
    await expect.poll(() => seen).toContain('Next: dragoman push')
    child.stdin.end()
    await closed
    expect(seen).toContain('Found a folder per language: public/locales/en/*.json (1 file)')
    expect(parse(it.read('dragoman.yml'))).toMatchObject({
      source: 'en',
      targets: ['de', 'ja'],
      provider: 'Pseudo',
    })
  })
})
