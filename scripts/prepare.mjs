/**
 * What the hub needs before it can start or be tested: a recent Node, the packages, the built
 * program.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = join(dirname(fileURLToPath(import.meta.url)), '..')

/** Ends the process with a sentence if Node is too old. Runs on any Node with ES modules. */
export function mustHaveNode() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major > 20 || (major === 20 && minor >= 19)) return
  console.error(`Dragoman needs Node 20.19 or newer; this is ${process.versions.node}.`)
  process.exit(1)
}

/** The packages are missing or older than the lockfile. */
export const arePackagesOld = () =>
  modified('node_modules/.package-lock.json') < modified('package-lock.json')

/** Installs the packages if they are old. Prints nothing on standard output. */
export async function install() {
  if (!arePackagesOld()) return
  const npm = process.env.npm_execpath
  const args = ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error']
  const [command, first] = npm ? [process.execPath, [npm]] : ['npm', []]
  await mustRun(command, [...first, ...args], 'The packages could not be installed.')
  // npm may keep the timestamp of an unchanged list; the next start must see that this was done.
  const now = new Date()
  utimesSync(join(root, 'node_modules/.package-lock.json'), now, now)
}

/** What `npm start` needs, each with a file that its build writes. */
const built = Object.entries({
  contract: 'index.js',
  text: 'index.js',
  certify: 'index.js',
  server: 'main.js',
  cli: 'main.js',
  docs: 'write-site.js',
}).map(([name, output]) => ({
  folder: join('packages', name),
  output: join('packages', name, 'dist', output),
}))
const stamp = '.build/built'

/** A source of what `npm start` runs is newer than the last build. */
export function isBuildOld() {
  const newest = Math.max(
    ...built.map(({ folder }) => newestSource(folder)),
    modified('tsconfig.base.json'),
    modified('package-lock.json'),
  )
  const isThere = built.every(({ output }) => existsSync(join(root, output)))
  return !isThere || modified(stamp) <= newest
}

/** Compiles what `npm start` runs, if it is old. */
export async function build() {
  if (!isBuildOld()) return
  const begun = new Date()
  await mustRun(
    process.execPath,
    [tsc(), '-b', join('packages', 'cli'), join('packages', 'docs')],
    'The build failed.',
  )
  stampBuild(begun)
}

/**
 * Records that everything older than `begun` is built; a source saved during the build is newer.
 */
export function stampBuild(begun) {
  mkdirSync(join(root, '.build'), { recursive: true })
  writeFileSync(join(root, stamp), '')
  utimesSync(join(root, stamp), begun, begun)
}

export const tsc = () => join(root, 'node_modules/typescript/bin/tsc')

/** What it prints goes to standard error. */
async function mustRun(command, args, otherwise) {
  const child = spawn(command, args, { cwd: root, stdio: ['ignore', 2, 2] })
  const [status, error] = await once(child, 'exit').catch((error) => [undefined, error])
  if (status === 0) return
  console.error(error instanceof Error ? `${otherwise} (${error.message})` : otherwise)
  process.exit(1)
}

/** The two steps above, for runSteps. */
export const installing = {
  does: 'installing packages (npm ci)',
  seconds: 40,
  isDue: arePackagesOld,
  run: install,
}
export const compiling = { does: 'compiling', seconds: 30, isDue: isBuildOld, run: build }

function modified(path) {
  return statSync(join(root, path), { throwIfNoEntry: false })?.mtimeMs ?? 0
}

/** Includes folders: removing a file leaves no other trace. */
function newestSource(folder) {
  const entries = readdirSync(join(root, folder, 'src'), { recursive: true }).map((name) =>
    join(folder, 'src', String(name)),
  )
  return Math.max(
    ...['src', 'package.json', 'tsconfig.json'].map((name) => modified(join(folder, name))),
    ...entries.map(modified),
  )
}
