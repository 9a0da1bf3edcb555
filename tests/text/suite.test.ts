/** The project `text` is quick because none of its files reaches a hub, a database or the network. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { find, slow } from '../suites.ts'
import { readImports } from '../walls.ts'

const root = join(import.meta.dirname, '../..')
const suites = ['packages/text/src', 'tests/text', 'tests/formats'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => `${folder}/${name}`)
    .filter((path) => path.endsWith('.test.ts') && !find(slow, path)),
)

function reach(path: string, seen: Set<string>): void {
  if (seen.has(path)) return
  seen.add(path)
  if (!/^(?:packages|tests)\/.*\.ts$/.test(path)) return
  // Lazy imports are those of commands that need a hub.
  for (const { to, typeOnly, lazy } of readImports(path, readFileSync(join(root, path), 'utf8')))
    if (!typeOnly && !lazy) reach(to, seen)
}

test('no file of the project imports the server or its set-up', () => {
  expect(suites.length).toBeGreaterThan(40)
  for (const path of suites) {
    const seen = new Set<string>()
    reach(path, seen)
    const refused =
      /^packages\/(?:server|console)\/|^tests\/(?:hub|postgres|global-setup)\.ts$|^(?:pg|kysely|fastify)$/
    expect([path, ...[...seen].filter((one) => refused.test(one))]).toEqual([path])
  }
})
