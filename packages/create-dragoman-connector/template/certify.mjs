/**
 * Starts a hub and certifies the connector with it; further arguments go to dragoman certify: npm
 * run certify -- --scenario plain
 */
import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startHub } from 'dragoman/testing'

const program = fileURLToPath(
  new URL('./bin/dragoman.js', import.meta.resolve('dragoman/package.json')),
)
const hub = await startHub()
const home = await mkdtemp(join(tmpdir(), 'connector-'))
const args = ['certify', '--hub', hub.url, '--command', `"${process.execPath}" dist/src/main.js`]
const reports = ['--html', 'report.html', '--badge', 'badge.svg']
try {
  const child = spawn(process.execPath, [program, ...args, ...reports, ...process.argv.slice(2)], {
    env: { ...process.env, CONNECTOR_HOME: home },
    stdio: 'inherit',
  })
  process.exitCode = await new Promise((ended) => child.once('close', (code) => ended(code ?? 1)))
} finally {
  await hub.close()
  await rm(home, { recursive: true, force: true })
}
