// npm run bench: builds, then runs the bench in bench/ with the given arguments, on this Node.js or
// another (--node PATH): every process of the bench is started by the same program.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { buildConsole } from './build-console.mjs'
import { buildServer } from './build-server.mjs'

const repository = fileURLToPath(new URL('..', import.meta.url))
const run = (node, args) => spawnSync(node, args, { cwd: repository, stdio: 'inherit' }).status ?? 1

const args = process.argv.slice(2)
const at = args.indexOf('--node')
const [, node = process.execPath] = at < 0 ? [] : args.splice(at, 2)

const built = run(process.execPath, [
  'node_modules/typescript/bin/tsc',
  '-b',
  'bench',
  'packages/cli',
])
if (built === 0) {
  await buildConsole()
  await buildServer()
}
process.exit(built === 0 ? run(node, ['.build/bench/bench/main.js', ...args]) : built)
