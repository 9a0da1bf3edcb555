/**
 * What is published: each package holds what it needs and nothing else, its types resolve under node16 and bundler, the
 * examples of its README compile and run as a stranger would run them, and those of examples/ do.
 */
import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startHub, type TestHub } from './hub.ts'

const root = join(import.meta.dirname, '..')
const run = promisify(execFile)
const tsc = join(root, 'node_modules/typescript/bin/tsc')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
/** Inside the repository, so that what the packages depend on is found above. */
let place: string

beforeAll(async () => {
  await run(process.execPath, [tsc, '-b', 'packages/cli'], { cwd: root })
  mkdirSync(join(root, '.build'), { recursive: true })
  place = mkdtempSync(join(root, '.build', 'packed-'))
}, 180_000)
afterAll(() => rmSync(place, { recursive: true, force: true }))

const packages = {
  contract: '@dragoman/contract',
  sdk: '@dragoman/sdk',
  server: '@dragoman/server',
  cli: 'dragoman',
} as const
type PackageName = keyof typeof packages
const needed: Record<PackageName, readonly string[]> = {
  contract: ['dist/index.js', 'dist/index.d.ts', 'dist/wire.js', 'dist/wire.d.ts'],
  sdk: ['README.md', 'dist/index.js', 'dist/index.d.ts', 'dist/node/index.js', 'dist/node/index.d.ts'],
  server: [
    'dist/main.js',
    'dist/main.d.ts',
    'dist/commands.js',
    'dist/domain/formats/worker.js',
    'dist/console/index.html',
    'dist/console/manifest.json',
    'dist/docs/listeners.md',
    'dist/docs/pictures/job.png',
  ],
  cli: ['bin/dragoman.js', 'dist/main.js', 'dist/testing/index.js', 'dist/testing/index.d.ts'],
}

type Packed = { filename: string; files: { path: string }[] }

describe.each(Object.keys(packages) as PackageName[])('the package %s', (name) => {
  let paths: string[]
  it('holds what is needed and nothing else', { timeout: 120_000 }, async () => {
    const { stdout } = await run('npm', ['pack', '--dry-run', '--json'], { cwd: join(root, 'packages', name) })
    const [packed] = JSON.parse(stdout) as Packed[]
    paths = packed?.files.map(({ path }) => path) ?? []
    expect(paths).toEqual(expect.arrayContaining(['package.json', ...needed[name]]))
    const strange = paths.filter(
      (path) =>
        !/^(package\.json|README\.md|bin\/\w+\.js|dist\/[\w./-]+\.(js|d\.ts)|dist\/docs\/[\w./-]+\.(md|png)|dist\/console\/(index\.html|manifest\.json|assets\/[\w.-]+\.(css|woff2|br|gz)))$/.test(
          path,
        ),
    )
    expect(strange).toEqual([])
    expect(paths.filter((path) => /\.test\.|tsbuildinfo/.test(path))).toEqual([])
    // As npm would lay it out at a stranger's.
    const there = join(place, 'node_modules', packages[name])
    for (const path of paths) cpSync(join(root, 'packages', name, path), join(there, path))
  })
})

describe('at a stranger', () => {
  const program = `import { connect, type Connection, HubError, type Job, sourceOf } from '@dragoman/sdk'
import { fileSource, keptInFolder } from '@dragoman/sdk/node'
import { type RunningHub, startHub } from 'dragoman/testing'

const hub: RunningHub = await startHub()
const connection: Connection = connect({ url: hub.url, ...hub.clients.connector, kept: keptInFolder('kept') })
const job: Job = await connection.createJob({ body: { jobName: 'typed' } })
const name: string = job.jobName
// @ts-expect-error a job has a name
const refused = await connection.createJob({ body: {} }).catch((error: unknown) => error instanceof HubError)
// @ts-expect-error there is no such call
connection.createJobs
for await (const { providerId } of connection.each('listJobs', { query: { pageSize: 10 } })) void (providerId satisfies string | undefined)
await hub.close()
console.log(name, refused, typeof fileSource, sourceOf('a', 'b').size)
`
  it.each([
    ['node16', { module: 'node16', moduleResolution: 'node16' }],
    ['bundler', { module: 'esnext', moduleResolution: 'bundler' }],
  ])('types resolve under %s, and the program runs', { timeout: 180_000 }, async (name, how) => {
    const folder = join(place, name)
    mkdirSync(folder)
    writeFileSync(join(folder, 'program.ts'), program)
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
    const compilerOptions = {
      ...how,
      target: 'es2023',
      lib: ['es2023'],
      strict: true,
      types: ['node'],
      skipLibCheck: true,
      outDir: 'out',
    }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['program.ts'] }))
    await run(process.execPath, [tsc, '-p', folder])
    const { stdout } = await run(process.execPath, [join(folder, 'out/program.js')], { cwd: folder })
    expect(stdout).toBe('typed true function 1\n')
  })
})

describe('examples', () => {
  let hub: TestHub
  let folder: string
  const blocks: { name: string; code: string }[] = [
    ...blocksOf('README.md', /^```ts connector\n([\s\S]*?)^```/gm),
    ...blocksOf('packages/sdk/README.md', /^```ts\n([\s\S]*?)^```/gm),
  ]
  beforeAll(async () => {
    hub = await startHub()
    folder = join(place, 'examples')
    mkdirSync(folder)
    for (const { name, code } of blocks) writeFileSync(join(folder, `${name}.ts`), code)
    const compilerOptions = {
      module: 'node16',
      target: 'es2023',
      lib: ['es2023'],
      strict: true,
      types: ['node'],
      skipLibCheck: true,
      outDir: 'out',
    }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }))
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
    await run(process.execPath, [tsc, '-p', folder])
  }, 180_000)
  afterAll(() => hub.close())

  it.each(blocks.map(({ name }) => name))('%s runs', { timeout: 120_000 }, async (name) => {
    const cwd = mkdtempSync(join(tmpdir(), 'dragoman-example-'))
    cpSync(join(root, 'tests/samples'), join(cwd, 'content'), { recursive: true })
    try {
      const env = { PATH: process.env.PATH, HUB_URL: hub.url }
      const { stderr } = await run(process.execPath, [join(folder, 'out', `${name}.js`)], { cwd, env })
      expect(stderr).toBe('')
      if (!name.startsWith('README')) return
      const pulled = readdirSync(join(cwd, 'translated'), { recursive: true }).map(String).sort()
      for (const language of ['de-DE', 'fr-FR', 'ja-JP'])
        expect(pulled).toEqual(expect.arrayContaining([join(language, 'messages.json'), join(language, 'page.html')]))
      expect(readFileSync(join(cwd, 'translated/fr-FR/page.html'), 'utf8')).toMatch(/[^\0-\x7f]/)
    } finally {
      rmSync(cwd, { recursive: true })
    }
  })

  it("the README's connector has ten lines", () => {
    const [connector] = blocks
    const lines = connector?.code.split('\n').filter((line) => line.trim() !== '') ?? []
    expect(lines.length).toBeLessThanOrEqual(10)
  })

  it('examples/node-test runs', { timeout: 120_000 }, async () => {
    const env = { PATH: process.env.PATH }
    const { stdout } = await run(process.execPath, ['--test', 'examples/node-test/connector.test.js'], {
      cwd: root,
      env,
    })
    expect(stdout).toMatch(/^# fail 0$/m)
    expect(stdout).toMatch(/^# pass 3$/m)
  })

  it('examples/vitest runs', { timeout: 120_000 }, async () => {
    const vitest = join(root, 'node_modules/vitest/vitest.mjs')
    const env = { PATH: process.env.PATH, NO_COLOR: '1' }
    const { stdout } = await run(process.execPath, [vitest, 'run'], { cwd: join(root, 'examples/vitest'), env })
    expect(stdout).toMatch(/Tests +3 passed/)
  })

  it('examples/jest is the same test with another import', () => {
    const withoutImports = (path: string) => read(path).replace(/^import .*\n/gm, '')
    expect(withoutImports('examples/jest/connector.test.js')).toBe(withoutImports('examples/vitest/connector.test.js'))
  })
})

function blocksOf(page: string, pattern: RegExp): { name: string; code: string }[] {
  const name = page.replaceAll('/', '-').replace(/\.md$/, '')
  return [...read(page).matchAll(pattern)].map(([, code = ''], at) => ({ name: `${name}-${at + 1}`, code }))
}
