/**
 * The bundle that `npm start`, the command line and the published package run: few files that load
 * none of a package, threads that find theirs, and logged stacks that name lines of the sources.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { isBuiltin, SourceMap } from 'node:module'
import { join, relative } from 'node:path'
import { text } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'
import { connect, sourceOf } from '@dragoman/sdk'
import { expect, onTestFinished, test } from 'vitest'
import { originalsOf } from '../packages/server/src/process/source-lines.ts'
import { startProcess } from './hub.ts'
import { quickFolder } from './quick-folder.ts'

const root = join(import.meta.dirname, '..')
const server = join(root, 'packages/server')
const bundle = join(server, 'dist/bundle')
const files = readdirSync(bundle).filter((name) => name.endsWith('.js'))
const read = (name: string): string => readFileSync(join(bundle, name), 'utf8')

test('it is few files, which load none of a package but those with native files and those of S3, mail and Amazon', () => {
  expect(files.length).toBeLessThan(150)
  const loaded = new Set(
    files.flatMap((name) =>
      [
        ...read(name).matchAll(
          /^(?:import|export) (?:[^'"\n]*? from )?"([^"\n]+)";$|\b(?:import|__require)\("([^"\n]+)"\)/gm,
        ),
      ].map(([, always, later]) => always ?? later ?? ''),
    ),
  )
  const strange = [...loaded].filter(
    (name) =>
      !/^node:/.test(name) && !isBuiltin(name) && !files.includes(name.replace(/^\.\//, '')),
  )
  expect(strange.sort()).toEqual([
    '@aws-sdk/client-s3',
    '@aws-sdk/s3-request-presigner',
    '@photostructure/sqlite',
    '@smithy/signature-v4',
    'nodemailer',
    'pg-native',
  ])
})

/** Sources that are named by their URL: threads load them. */
const named = readdirSync(join(server, 'src'), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /(?<!\.test)\.ts$/.test(entry.name))
  .flatMap(({ parentPath, name }) =>
    [
      ...readFileSync(join(parentPath, name), 'utf8').matchAll(
        /new URL\('(\.[^']*)\.ts', import\.meta\.url\)/g,
      ),
    ].map(([, path = '']) =>
      relative(join(server, 'src'), join(parentPath, path)).replaceAll('\\', '/'),
    ),
  )

test.each([...new Set(named)])(
  '%s is a file of its own, with everything that it exports',
  async (path) => {
    const names = async (file: string) => Object.keys(await import(pathToFileURL(file).href))
    const own = await names(join(bundle, `${path.replaceAll('/', '-')}.js`))
    expect(own).toEqual(expect.arrayContaining(await names(join(server, 'dist', `${path}.js`))))
  },
)

test('a file is sealed, read and written in threads', async () => {
  const hub = await startProcess({ DRAGOMAN_SEAL_CONTENT: 'on' })
  onTestFinished(() => hub.close())
  const page = sourceOf('page.html', '<p>Welcome to the house</p>'.repeat(400))
  const client = connect({
    url: hub.url,
    clientId: 'demo-connector',
    clientSecret: 'demo-connector-secret',
  })
  const wanted = {
    source: 'en-US',
    targets: ['de-DE'],
    provider: 'Pseudo',
    items: [{ name: 'page.html', file: page }],
  }
  const { jobId } = await client.push({ jobName: 'Threads', ...wanted })
  const { ready } = await client.wait(jobId)
  const [translation] = ready
  if (!translation) throw new Error('nothing is ready')
  expect(await (await client.download(translation)).text()).toMatch(
    /^(<p>[^<]*[^\0-\x7f][^<]*<\/p>){400}$/,
  )
})

/**
 * A hub whose reads break after its start, in a process of its own: its log is what it writes on
 * standard error.
 */
const program = `
const { readConfig, startServer } = await import(process.argv[1])
let isBroken = false
const read = (hub) => {
  if (isBroken) throw new Error('broken on purpose')
  return hub.db.read
}
const broken = (hub) => Object.create(hub, {
  db: { value: Object.create(hub.db, { read: { get: () => read(hub) } }) },
})
const server = await startServer(readConfig(process.env), { wrap: broken })
isBroken = true
const body = new URLSearchParams({ grant_type: 'client_credentials', client_id: 'demo-connector', client_secret: 'x' })
const { status } = await fetch(server.url + '/connect/token', { method: 'POST', body })
console.log(status)
process.exit()
`

test('a logged stack names the line of the source', async () => {
  const env = {
    PATH: process.env.PATH,
    DRAGOMAN_PROFILE: 'sandbox',
    DRAGOMAN_PORT: '0',
    DRAGOMAN_DATA: quickFolder('dragoman-bundle-'),
  }
  const child = spawn(
    process.execPath,
    ['--input-type=module', '-e', program, join(bundle, 'main.js')],
    { env },
  )
  const [log, said] = await Promise.all([
    text(child.stderr),
    text(child.stdout),
    once(child, 'exit'),
  ])
  expect([said.trim(), log]).toEqual(['500', expect.stringContaining('broken on purpose')])
  const line = log.split('\n').find((one) => one.includes('broken on purpose')) ?? ''
  const { stack } = (JSON.parse(line) as { err: { stack: string } }).err
  expect(stack).not.toContain('dist/bundle')
  const [, path = '', at] = /(packages\/server\/src\/[\w/-]+\.ts):(\d+):\d+/.exec(stack) ?? []
  expect(readFileSync(join(root, path), 'utf8').split('\n')[Number(at) - 1]).toContain('engine')
})

test('a place is found as Node finds it', () => {
  const sizes = files.map((name) => ({ name, size: statSync(join(bundle, name)).size }))
  const [largest = { name: '' }] = sizes
    .filter(({ size }) => size < 40_000)
    .toSorted((a, b) => b.size - a.size)
  const map = JSON.parse(read(`${largest.name}.map`)) as ConstructorParameters<typeof SourceMap>[0]
  const theirs = new SourceMap(map)
  const lines = read(largest.name).split('\n')
  const places = lines.map(({ length }, line) => ({ line, column: (line * 7) % (length + 1) }))
  const found = originalsOf(map.mappings, places)
  const differ = places.flatMap(({ line, column }, at) => {
    const [ours, entry] = [found[at], theirs.findEntry(line, column)]
    if (!('originalSource' in entry) || entry.generatedLine !== line) return []
    const expected = [entry.originalSource, entry.originalLine, entry.originalColumn]
    const said = ours && [map.sources[ours.source], ours.line, ours.column]
    return JSON.stringify(said) === JSON.stringify(expected)
      ? []
      : [{ line, column, said, expected }]
  })
  expect(lines.length).toBeGreaterThan(500)
  expect(differ).toEqual([])
})
