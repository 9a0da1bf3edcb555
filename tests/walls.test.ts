import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { expect, test } from 'vitest'
import { findBreaches, readImports } from './walls.ts'

const root = join(import.meta.dirname, '..')

function readTree(): Map<string, string> {
  const tree = new Map<string, string>()
  const sources = ['packages', 'connectors']
    .flatMap((group) =>
      readdirSync(join(root, group)).map((name) => join(root, group, name, 'src')),
    )
    .filter((folder) => existsSync(folder))
  for (const folder of [
    ...sources,
    join(root, 'tests'),
    join(root, 'bench'),
    join(root, 'scripts'),
  ])
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name)
      if (entry.isFile() && !path.includes('node_modules') && /\.(ts|tsx|mjs)$/.test(path))
        tree.set(relative(root, path).replaceAll('\\', '/'), readFileSync(path, 'utf8'))
    }
  return tree
}

test('every import of the project goes down, and no file breaks a rule of the plan', () => {
  const tree = readTree()
  expect(tree.size).toBeGreaterThan(20)
  expect(findBreaches(tree)).toEqual([])
})

const server = (path: string) => `packages/server/src/${path}`

test.each([
  [
    'a floor that imports upwards',
    'domain/jobs/find-job.ts',
    `import { x } from '../../doors/app.ts'`,
    'go down only',
  ],
  [
    'a door that looks up to the app',
    'doors/rest/jobs.ts',
    `import { x } from '../app.ts'`,
    'stands above its doors',
  ],
  [
    'a door beside another',
    'doors/http/cors.ts',
    `import { x } from '../rest/bind.ts'`,
    'beside or below',
  ],
  [
    'a command that loads a door',
    'commands/commands.ts',
    `await import('../doors/http/cors.ts')`,
    'never loads a door',
  ],
  [
    'a store told by its URL',
    'domain/files/expire.ts',
    `url.startsWith('s3:')`,
    'only its adapter knows',
  ],
  [
    'a type import upwards',
    'store/clock.ts',
    `import type { Hub } from '../hub.ts'`,
    'go down only',
  ],
  ['a re-export upwards', 'store/clock.ts', `export { x } from '../hub.ts'`, 'go down only'],
  [
    'an import over several lines',
    'store/clock.ts',
    `import {\n  a,\n  type B,\n} from '../hub.ts'`,
    'go down only',
  ],
  [
    'a lazy import upwards',
    'blobs/disk.ts',
    `const x = await import('../store/ids.ts')`,
    'go down only',
  ],
  ['a floor nobody planned', 'plugins/a.ts', `import { x } from '../hub.ts'`, 'not in the plan'],
  [
    'a wing that looks up',
    'domain/listeners/updates/record.ts',
    `import { x } from '../../jobs/move.ts'`,
    'beside or below',
  ],
  [
    'a wing nobody planned',
    'domain/orders/a.ts',
    `import { x } from '../../hub.ts'`,
    'not in the plan',
  ],
  [
    "a neighbour's rows",
    'domain/operations/sweep.ts',
    `import { x } from '../jobs/job-rows.ts'`,
    'private to their folder',
  ],
  [
    'rows behind a door',
    'doors/rest/jobs.ts',
    `import { x } from '../../domain/jobs/job-rows.ts'`,
    'private to their folder',
  ],
  [
    'HTTP in the domain',
    'domain/jobs/find-job.ts',
    `import Fastify from 'fastify'`,
    'only doors see HTTP',
  ],
  [
    'HTTP types in the domain',
    'domain/jobs/find-job.ts',
    `import type { X } from 'node:http'`,
    'only doors see HTTP',
  ],
  ['SQL behind a door', 'doors/rest/jobs.ts', `import { sql } from 'kysely'`, 'SQL is in store/'],
  [
    'a query behind a door',
    'doors/rest/jobs.ts',
    `hub.db.read.selectFrom('jobs')`,
    'SQL is in store/',
  ],
  ['a query in a verb', 'domain/jobs/find-job.ts', `tx.updateTable('jobs')`, 'SQL is in store/'],
  [
    'the object store outside blobs',
    'domain/files/serve.ts',
    `import { S3Client } from '@aws-sdk/client-s3'`,
    'only blobs/',
  ],
  [
    'the name of a database outside store',
    'domain/jobs/find-job.ts',
    `if (x === 'postgres') y()`,
    'only store/ knows',
  ],
  [
    'the name asked of the database',
    'doors/app.ts',
    `if (hub.db.name === other) y()`,
    'only store/ knows',
  ],
  ['the time of the machine', 'domain/jobs/find-job.ts', `const now = Date.now()`, 'the clock'],
  ['the date of the machine', 'doors/app.ts', `const now = new Date()`, 'the clock'],
  ['the time of the database', 'store/page.ts', 'sql`select current_timestamp`', 'reads the time'],
  ['a name that says nothing', 'doors/rest/utils.ts', 'export {}', 'is no name'],
  ['a folder that says nothing', 'shared/jobs.ts', 'export {}', 'is no name'],
  [
    'a path out of the package',
    'hub.ts',
    `import { x } from '../../contract/src/errors.ts'`,
    'reaches out',
  ],
  [
    'a package that is not below',
    'hub.ts',
    `import { x } from '@dragoman/console'`,
    'may import text, certify, contract',
  ],
])('%s is seen', (_, path, text, says) => {
  expect(findBreaches(new Map([[server(path), text]])).join('\n')).toContain(says)
})

/** The folders of the server's sources that the page does not name. */
const missingRooms = (page: string, paths: Iterable<string>): string[] => {
  const rooms = [...paths].flatMap(
    (path) => /^packages\/server\/src\/(.+)\/[^/]+\.ts$/.exec(path)?.[1] ?? [],
  )
  return [...new Set(rooms)].filter((room) => !page.includes(`${basename(room)}/`))
}

test('every room of the server is on the page of ARCHITECTURE.md', () => {
  expect(
    missingRooms(readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8'), readTree().keys()),
  ).toEqual([])
})

test('a room that the page does not name is seen', () => {
  const paths = ['store/clock.ts', 'domain/jobs/find-job.ts', 'domain/orders/a.ts', 'hub.ts'].map(
    server,
  )
  expect(missingRooms('store/ domain/ jobs/', paths)).toEqual(['domain/orders'])
})

test('a folder with more files than a person can overlook is seen', () => {
  const files = (many: number) =>
    Array.from({ length: many }, (_, n) => [server(`store/row-${n}.ts`), ''] as const)
  expect(findBreaches(new Map(files(30)))).toEqual([])
  expect(findBreaches(new Map(files(31)))).toEqual([
    'packages/server/src/store has 31 files, more than 30: split it into rooms.',
  ])
})

test('the server is loaded lazily by the command line, and the contract touches nothing', () => {
  const cli = (text: string) => findBreaches(new Map([['packages/cli/src/serve.ts', text]]))
  expect(cli(`const { x } = await import('@dragoman/server')`)).toEqual([])
  expect(cli(`import type { X } from '@dragoman/server'`)).toEqual([])
  expect(cli(`import { x } from '@dragoman/server'`)).toHaveLength(1)
  const contract = (text: string) =>
    findBreaches(new Map([['packages/contract/src/errors.ts', text]]))
  expect(contract(`import { x } from 'node:fs'`)).toHaveLength(1)
  expect(contract(`import { Type } from 'typebox'`)).toEqual([])
})

test('a connector uses its system, the SDK and the walker, and the walker nothing', () => {
  const breaches = (path: string, text: string) => findBreaches(new Map([[path, text]]))
  const walker = 'connectors/walker/src/walk.ts'
  expect(breaches(walker, `import { x } from './schema.ts'`)).toEqual([])
  expect(breaches(walker, `import { x } from '@dragoman/sdk'`)).toHaveLength(1)
  expect(breaches(walker, `import { x } from '../../payload/src/a.ts'`)).toHaveLength(1)
  expect(breaches(walker, `const now = Date.now()`)).toHaveLength(1)
  expect(breaches('connectors/drupal/src/a.ts', `import { x } from 'y'`)).toHaveLength(1)
})

test('the client needs neither Node nor the schemas', () => {
  const sdk = (path: string, text: string) =>
    findBreaches(new Map([[`packages/sdk/src/${path}`, text]]))
  expect(sdk('upload.ts', `import { readFile } from 'node:fs/promises'`)).toHaveLength(1)
  expect(sdk('upload.ts', `import { x } from './node/save.ts'`)).toHaveLength(1)
  expect(sdk('node/save.ts', `import { readFile } from 'node:fs/promises'`)).toEqual([])
  expect(sdk('upload.ts', `import { HubError } from '@dragoman/contract'`)).toHaveLength(1)
  expect(sdk('upload.ts', `import { HubError } from '@dragoman/contract/wire'`)).toEqual([])
  expect(sdk('upload.ts', `import { x } from '@dragoman/server'`)).toHaveLength(1)
  expect(sdk('upload.ts', `const now = Date.now()`)).toHaveLength(1)
  expect(sdk('clock.ts', `const now = Date.now()`)).toEqual([])
})

test('a circle is seen, also one of types alone', () => {
  const tree = new Map([
    [server('store/a.ts'), `import { b } from './b.ts'`],
    [server('store/b.ts'), `import type { C } from './c.ts'`],
    [server('store/c.ts'), `import type { A } from './a.ts'`],
  ])
  expect(findBreaches(tree)).toEqual([
    'A circle: packages/server/src/store/a.ts -> packages/server/src/store/b.ts -> packages/server/src/store/c.ts -> packages/server/src/store/a.ts.',
  ])
  expect(
    findBreaches(new Map([[server('store/a.ts'), `import { a } from './a.ts'`]])),
  ).toHaveLength(1)
})

test('what the plan allows is allowed, and comments are no code', () => {
  const tree = new Map([
    [server('main.ts'), `import { x } from './doors/app.ts'\nimport { y } from './hub.ts'`],
    [
      server('doors/app.ts'),
      `import Fastify from 'fastify'\nimport { x } from '../domain/jobs/find-job.ts'`,
    ],
    [
      server('domain/jobs/find-job.ts'),
      `// never Date.now()\n/** nor import { x } from '../../doors/app.ts' */\nimport { rows } from './job-rows.ts'\nimport type { Caller } from '../access/caller.ts'`,
    ],
    [
      server('domain/jobs/job-rows.ts'),
      `import type { Db } from '../../store/database.ts'\nimport { sql } from 'kysely'\nnew Date(now)`,
    ],
    [server('domain/access/caller.ts'), `import type { Scope } from '@dragoman/contract'`],
    [server('store/database.ts'), `import { Kysely } from 'kysely'`],
    [server('hub.ts'), `import { openDatabase } from './store/database.ts'`],
    [server('hub.test.ts'), `Date.now()`],
  ])
  expect(findBreaches(tree)).toEqual([])
  expect(readImports(server('main.ts'), tree.get(server('main.ts')) ?? '')).toHaveLength(2)
})
