import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import {
  checksPage,
  errorsPage,
  findingsPage,
  limitsPage,
  openapi,
  statesPage,
} from '@dragoman/docs/reference'
import { expect, test } from 'vitest'
import { configPage } from '../packages/server/src/config/config.ts'

const root = join(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const pages = [
  ...readdirSync(root).filter((name) => name.endsWith('.md')),
  ...readdirSync(join(root, 'docs'), { recursive: true })
    .map((name) => join('docs', String(name)))
    .filter((name) => name.endsWith('.md')),
  'deploy/README.md',
  'examples/webhooks/README.md',
]

test.each([
  ['openapi.json', () => `${JSON.stringify(openapi(), null, 2)}\n`],
  ['docs/checks.md', checksPage],
  ['docs/errors.md', errorsPage],
  ['docs/findings.md', findingsPage],
  ['docs/states.md', statesPage],
  ['docs/limits.md', limitsPage],
  ['docs/config.md', configPage],
])('%s is what its tables say', (path, make) => {
  expect(read(path) === make(), `${path} differs; run: npm run generate`).toBe(true)
})

test('the pages that a reader looks for are there', () => {
  const wanted = [
    'README.md',
    'ARCHITECTURE.md',
    'CONTRIBUTING.md',
    'CHANGELOG.md',
    'SECURITY.md',
    'LICENSE',
  ]
  expect(wanted.filter((path) => !existsSync(join(root, path)))).toEqual([])
})

test('the README is short, and every page of the docs is in the index that it names', () => {
  expect(read('README.md').split('\n').length).toBeLessThanOrEqual(121)
  const named = (page: string) =>
    [...read(page).matchAll(/\]\(([^)\s#]+)\)/g)].map(([, to = '']) => join(dirname(page), to))
  const [readme, index] = ['README.md', 'docs/README.md'].map(named)
  const guides = readdirSync(join(root, 'docs')).filter(
    (name) => name.endsWith('.md') && name !== 'README.md',
  )
  expect(guides.filter((name) => !index?.includes(`docs/${name}`))).toEqual([])
  expect(readme).toContain('docs/README.md')
})

test('every link to a file of ours leads somewhere', () => {
  const dead: string[] = []
  for (const page of pages)
    for (const [, target = ''] of withoutCode(read(page)).matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^[a-z]+:/.test(target)) continue
      const [path = '', anchor] = target.split('#')
      const file = path === '' ? page : relative(root, join(root, dirname(page), path))
      if (!existsSync(join(root, file))) dead.push(`${page}: ${target}`)
      else if (anchor && file.endsWith('.md') && !anchorsOf(read(file)).has(anchor))
        dead.push(`${page}: ${target}`)
    }
  expect(dead).toEqual([])
})

test('every test that the page on security names is there, by its file and by its sentence', () => {
  const missing: string[] = []
  let file = ''
  for (const [, path, sentence] of read('SECURITY.md').matchAll(
    /`((?:tests|packages)\/[^`]+)`|"([^"|]+)"(?=[,;. ])/g,
  )) {
    if (path !== undefined) file = path
    if (!existsSync(join(root, file))) missing.push(file)
    else if (file !== '' && sentence !== undefined && !read(file).includes(sentence))
      missing.push(`${file}: ${sentence}`)
  }
  expect(file).not.toBe('')
  expect(missing).toEqual([])
})

test('every page that uses our packages leads to how they are installed, before they are on npm and after', () => {
  const uses =
    /\bnpx (--yes )?(create-)?dragoman\b|npm (create|install|i) [^\n]*dragoman|from '(@dragoman\/|dragoman)/
  const others = ['examples', 'packages'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true })
      .map((name) => join(folder, String(name)))
      .filter((name) => name.endsWith('README.md') && !name.includes('node_modules')),
  )
  const lost = [...pages, ...others]
    .filter((page) => !/^docs\/decisions\/|^CHANGELOG|^CONTRIBUTING/.test(page))
    .filter((page) => uses.test(read(page)) && !/install\.md|scripts\/pack\.mjs/.test(read(page)))
  expect(lost).toEqual([])
  // The one page that says it.
  expect(read('docs/install.md')).toMatch(/not[^.]*on npm|Nothing is published on npm yet/)
})

test('every npm script that a page names is there', () => {
  const scriptsOf = (path: string) =>
    (JSON.parse(read(path)) as { scripts: Record<string, string> }).scripts
  const scripts = {
    ...scriptsOf('package.json'),
    ...scriptsOf('packages/create-dragoman-connector/template/_package.json'),
  }
  const named = pages.flatMap((page) =>
    [...read(page).matchAll(/npm run ([\w:-]+)/g)].map(([, name]) => name ?? ''),
  )
  expect(named.filter((name) => !Object.hasOwn(scripts, name))).toEqual([])
})

test('every command that a page for operators names is there', () => {
  const program = join(root, 'packages/cli/bin/dragoman.js')
  const help = execFileSync(process.execPath, [program, '--help']).toString()
  const commands = [...help.matchAll(/^ {2}(\w+) {2}/gm)].map(([, name]) => name)
  const named = [
    'deploy/README.md',
    'docs/operating.md',
    'docs/operators-day.md',
    'docs/upgrading.md',
  ].flatMap((page) =>
    [...read(page).matchAll(/(?<!--namespace |\/)\bdragoman ([a-z]+)\b/g)].map(
      ([, name]) => `${page}: ${name}`,
    ),
  )
  expect(named.length).toBeGreaterThan(20)
  expect(named.filter((name) => !commands.includes(name.split(': ')[1] ?? ''))).toEqual([])
})

test('every page of decisions is in their index', () => {
  const folder = join(root, 'docs/decisions')
  const index = readFileSync(join(folder, 'README.md'), 'utf8')
  for (const name of readdirSync(folder).filter((name) => name !== 'README.md')) {
    expect(index).toContain(`](${name})`)
    const [title = '', ...sections] = readFileSync(join(folder, name), 'utf8').split(/^## /m)
    expect(title).toMatch(/^# Decisions: .+\n$/m)
    expect(sections.length).toBeGreaterThan(0)
  }
})

const withoutCode = (text: string): string =>
  text.replace(/^```[\s\S]*?^```/gm, '').replace(/`[^`\n]*`/g, '')

function anchorsOf(text: string): Set<string> {
  const headings = [...withoutCode(text.replace(/`/g, '')).matchAll(/^#+ (.+)$/gm)].map(
    ([, heading = '']) => heading,
  )
  return new Set(
    headings.map((heading) =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, '')
        .trim()
        .replace(/\s/g, '-'),
    ),
  )
}
