/**
 * `npm run test:connectors [-- payload]`: builds, then tests the connectors in the systems they are
 * for. The first run installs a system from npm into a cache folder outside the repository.
 */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { install, mustHaveNode, root, tsc } from './prepare.mjs'

/** Each has a test of its name in tests/connectors/. */
const systems = ['payload']

mustHaveNode()
const named = process.argv.slice(2)
const strange = named.find((name) => !systems.includes(name))
if (strange === undefined) await testAll(named.length > 0 ? named : systems)
else {
  console.error(`There is no connector for "${strange}"; there is one for ${systems.join(', ')}.`)
  process.exitCode = 2
}

async function testAll(names) {
  await install()
  const files = names.map((name) => `tests/connectors/${name}.test.ts`)
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  for (const command of [
    [tsc(), '-b'],
    [vitest, 'run', ...files],
  ]) {
    const { status } = spawnSync(process.execPath, command, { cwd: root, stdio: 'inherit' })
    if (status === 0) continue
    process.exitCode = 1
    return
  }
}
