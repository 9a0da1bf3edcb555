// npm run bench: builds, then runs the bench in bench/ with the given arguments.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const repository = fileURLToPath(new URL('..', import.meta.url))
const run = (args) => spawnSync(process.execPath, args, { cwd: repository, stdio: 'inherit' }).status ?? 1

const built = run(['node_modules/typescript/bin/tsc', '-b', 'bench', 'packages/cli'])
process.exit(built === 0 ? run(['.build/bench/bench/main.js', ...process.argv.slice(2)]) : built)
