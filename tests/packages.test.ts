/**
 * What is published: each package works where nothing of the repository is, its types are checked
 * in full and in no time, the examples of its README compile and run as a stranger would run them,
 * and those of examples/ do.
 */
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { endpointNames } from '@dragoman/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startHub, type TestHub } from './hub.ts'
import {
  compile,
  faultsOf,
  filesOf,
  type Installed,
  installPacked,
  manifestOf,
  run,
} from './packed.ts'
import { textExamples } from './text/examples.ts'

const root = join(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

let installed: Installed
beforeAll(async () => {
  installed = await installPacked()
})
afterAll(() => installed?.remove())

const programIn = (name: string, text: string): string => {
  const folder = join(installed.folder, name)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'program.ts'), text)
  return folder
}

describe('the packages', () => {
  it('install into an empty folder and work there', () => {
    const { version } = manifestOf(join(root, 'packages/cli'))
    expect(installed.said.trim().split('\n')).toEqual([
      `npm install: ok on Node ${process.versions.node}`,
      `npx dragoman --version: ${version}`,
      expect.stringMatching(
        /^dragoman serve: console, \/docs and \/healthz answer; the SDK got <p>\S+<\/p>$/,
      ),
      'dragoman/testing: a hub starts inside a test',
    ])
  })

  it('are the ones of docs/install.md, which makes and installs them as this test does', () => {
    const page = read('docs/install.md')
    for (const folder of installed.packages)
      expect(page).toContain(`\`${manifestOf(folder).name}\``)
    for (const one of [page, read('docs/connector.md')]) {
      const commands = one.match(/```sh pack\n[^`]*/g)?.join('') ?? ''
      const wanted = [
        'node scripts/pack.mjs --to ',
        'npx create-dragoman-connector ',
        'npm install ../dragoman-packages/*.tgz',
      ]
      for (const command of wanted) expect(commands).toContain(command)
    }
  })

  it('are all that is public, each with licence, README and what npm shows of it', () => {
    const names = readdirSync(join(root, 'packages'))
      .map((name) => manifestOf(join(root, 'packages', name)))
      .filter((manifest) => !manifest.private)
      .map(({ name }) => name)
    expect(installed.packages.map((folder) => manifestOf(folder).name).sort()).toEqual(names.sort())
    for (const folder of installed.packages) {
      const manifest = manifestOf(folder)
      expect(manifest, manifest.name).toMatchObject({
        license: 'Apache-2.0',
        description: expect.stringMatching(/.{20}/),
        keywords: expect.arrayContaining(['dragoman']),
        engines: { node: '>=20.19' },
        publishConfig: { access: 'public', provenance: true },
      })
      expect(Object.keys(manifest)).not.toEqual(expect.arrayContaining(['scripts']))
      expect(Object.keys(manifest)).not.toEqual(expect.arrayContaining(['devDependencies']))
      expect(readFileSync(join(folder, 'LICENSE'), 'utf8')).toBe(read('LICENSE'))
      expect(readFileSync(join(folder, 'README.md'), 'utf8')).toContain(`# ${manifest.name}\n`)
    }
  })

  it('hold no test, no source map but that of the bundle, and no path or registry of the machine that packed them', async () => {
    const { stdout } = await run('npm', ['config', 'get', 'registry'])
    const secrets = [root, `${homedir()}/`, tmpdir(), new URL(stdout.trim()).host].filter(
      (one) => one.length > 4,
    )
    for (const folder of installed.packages) {
      const files = filesOf(folder).filter((path) => !path.startsWith('node_modules'))
      expect(
        files.filter(
          (path) =>
            /\.test\.[jt]s$|^(?!dist\/bundle\/).*\.map$|tsbuildinfo|^src\//.test(path) &&
            !/template/.test(path),
        ),
      ).toEqual([])
      const known =
        /^(package\.json|README\.md|LICENSE|bin\/\w+\.js|dist\/[\w./-]+\.(js|d\.ts)|dist\/bundle\/([\w.-]+\.js\.map|LICENSES\.txt)|models\/[\w.-]+\.br|dist\/docs\/[\w./-]+\.(br|json|png)|dist\/console\/(index\.html|manifest\.json|assets\/[\w.-]+\.(css|woff2|br|gz)))$/
      if (!/create-/.test(folder)) expect(files.filter((path) => !known.test(path))).toEqual([])
      for (const path of files) {
        const text = readFileSync(join(folder, path), 'latin1')
        expect([path, ...secrets.filter((one) => text.includes(one))]).toEqual([path])
        const isCompiled = /^dist\/(?!console|docs).*\.(js|d\.ts)$/.test(path)
        expect([path, isCompiled && text.includes('sourceMappingURL')]).toEqual([path, false])
      }
    }
  })

  it('have exports whose types and code agree and import nothing that is not there', () => {
    for (const folder of installed.packages) expect([folder, ...faultsOf(folder)]).toEqual([folder])
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
  ])('types are checked in full under %s, and the program runs', async (name, how) => {
    const folder = programIn(name, program)
    await compile(folder, how)
    const { stdout } = await run(process.execPath, [join(folder, 'out/program.js')], {
      cwd: folder,
    })
    expect(stdout).toBe('typed true function 1\n')
  })

  // The compiler checks about a million instantiations in ten seconds; each of these is a fraction
  // of that.
  it('the types of the SDK cost the compiler next to nothing', async () => {
    const lib = { lib: ['es2023', 'dom'], types: [] }
    const empty = await compile(programIn('empty', 'export const nothing = 1\n'), lib)
    const uses = `import { connect } from '@dragoman/sdk'
const hub = connect({ url: 'https://hub.example.org', clientId: 'a', clientSecret: 'b' })
export const job = await hub.createJob({ body: { jobName: 'x' } })
`
    const full = await compile(programIn('sdk', uses), lib)
    expect(full.instantiations - empty.instantiations).toBeLessThan(30_000)
    expect(full.files - empty.files).toBeLessThan(100)
  })

  it('the plain types are the ones that the schemas mean', async () => {
    const contract = relative(join(installed.folder, 'same'), join(root, 'packages/contract/dist'))
    const text = `import type * as inferred from '${contract}/index.d.ts'
import type * as plain from '@dragoman/contract/wire'

type Flat<T> = T extends (infer I)[] ? Flat<I>[] : T extends object ? { [K in keyof T]: Flat<T[K]> } : T
type Same<A, B> = (<T>() => T extends Flat<A> ? 1 : 2) extends <T>() => T extends Flat<B> ? 1 : 2 ? true : false
${endpointNames
  .map(
    (name) => `export const ${name}: [
  Same<plain.Input<plain.Endpoints['${name}']>, inferred.Input<inferred.Endpoints['${name}']>>,
  Same<plain.Answer<plain.Endpoints['${name}']>, inferred.Answer<inferred.Endpoints['${name}']>>,
] = [true, true]`,
  )
  .join('\n')}
`
    await compile(programIn('same', text), { skipLibCheck: true, noEmit: true })
  })
})

describe('examples', () => {
  let hub: TestHub
  let folder: string
  const blocks: { name: string; code: string }[] = [
    ...blocksOf('README.md', /^```ts connector\n([\s\S]*?)^```/gm),
    ...blocksOf('packages/sdk/README.md', /^```ts\n([\s\S]*?)^```/gm),
    ...blocksOf('packages/cli/README.md', /^```js\n([\s\S]*?)^```/gm),
    ...textExamples().map(({ name, code }) => ({ name: `text-${name}`, code })),
  ]
  beforeAll(async () => {
    hub = await startHub()
    folder = join(installed.folder, 'examples')
    mkdirSync(folder)
    for (const { name, code } of blocks) writeFileSync(join(folder, `${name}.ts`), code)
    await compile(folder, {})
  })
  afterAll(() => hub.close())

  it.each(blocks.map(({ name }) => name))('%s runs', async (name) => {
    const cwd = mkdtempSync(join(tmpdir(), 'dragoman-example-'))
    cpSync(join(root, 'tests/samples'), join(cwd, 'content'), { recursive: true })
    try {
      const env = { PATH: process.env.PATH, HUB_URL: hub.url }
      const { stderr } = await run(process.execPath, [join(folder, 'out', `${name}.js`)], {
        cwd,
        env,
      })
      expect(stderr).toBe('')
      if (!name.startsWith('README')) return
      const pulled = readdirSync(join(cwd, 'translated'), { recursive: true }).map(String).sort()
      for (const language of ['de-DE', 'fr-FR', 'ja-JP'])
        expect(pulled).toEqual(
          expect.arrayContaining([join(language, 'messages.json'), join(language, 'page.html')]),
        )
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

  it('npm create dragoman-connector makes a project that compiles, passes its test and is certified', async () => {
    const at = (cwd: string, ...args: string[]) =>
      run(process.execPath, args, { cwd, env: { PATH: process.env.PATH } }).catch((error) => {
        throw new Error(`${error.message}\n${error.stdout}`)
      })
    const create = join(installed.folder, 'node_modules/create-dragoman-connector/bin/create.js')
    await at(installed.folder, create, 'my-connector')
    const made = join(installed.folder, 'my-connector')
    expect((await at(made, join(root, 'node_modules/typescript/bin/tsc'))).stdout).toBe('')
    expect((await at(made, '--test', 'dist/test/round.test.js')).stdout).toMatch(/pass 2\b/)
    const scenarios = ['unavailable', 'provider-cancels-one'].flatMap((name) => [
      '--scenario',
      name,
    ])
    expect((await at(made, 'certify.mjs', ...scenarios)).stdout).toMatch(/^Certified: .* 0 broken/m)
    expect(readFileSync(join(made, 'badge.svg'), 'utf8')).toContain('certified 20')
    const env = { PATH: process.env.PATH, HUB_URL: hub.url, HUB_CLIENT_SECRET: 'wrong' }
    const refused = await run(process.execPath, ['dist/src/main.js'], { cwd: made, env }).catch(
      (error) => error,
    )
    expect([refused.code, refused.stderr.trim().split('\n').length]).toEqual([1, 1])
  })

  it('examples/node-test runs', async () => {
    const env = { PATH: process.env.PATH }
    const { stdout } = await run(
      process.execPath,
      ['--test', 'examples/node-test/connector.test.js'],
      {
        cwd: root,
        env,
      },
    )
    expect(stdout).toMatch(/^# fail 0$/m)
    expect(stdout).toMatch(/^# pass 3$/m)
  })

  it('examples/vitest runs', async () => {
    const vitest = join(root, 'node_modules/vitest/vitest.mjs')
    const env = { PATH: process.env.PATH, NO_COLOR: '1' }
    const { stdout } = await run(
      process.execPath,
      [vitest, 'run', '--testTimeout=0', '--hookTimeout=0'],
      {
        cwd: join(root, 'examples/vitest'),
        env,
      },
    )
    expect(stdout).toMatch(/Tests +3 passed/)
  })

  it('examples/jest is the same test with another import', () => {
    const withoutImports = (path: string) => read(path).replace(/^import .*\n/gm, '')
    expect(withoutImports('examples/jest/connector.test.js')).toBe(
      withoutImports('examples/vitest/connector.test.js'),
    )
  })
})

function blocksOf(page: string, pattern: RegExp): { name: string; code: string }[] {
  const name = page.replaceAll('/', '-').replace(/\.md$/, '')
  return [...read(page).matchAll(pattern)].map(([, code = ''], at) => ({
    name: `${name}-${at + 1}`,
    code,
  }))
}
