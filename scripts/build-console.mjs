/**
 * Builds the console into packages/server/dist/console and compresses its files, if a source is
 * newer than the last build. `npm start`, `npm test` and `npm run build` call it.
 */
import { readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { root } from './prepare.mjs'

const from = join(root, 'packages/console')
const to = join(root, 'packages/server/dist/console')
const stamp = join(to, 'built')

export const isConsoleOld = () => modified(stamp) <= newest()

export async function buildConsole() {
  if (!isConsoleOld()) return
  const begun = new Date()
  const { build } = await import('vite')
  await build({ root: from, configFile: join(from, 'vite.config.ts'), logLevel: 'warn' })
  const assets = join(to, 'assets')
  await Promise.all(readdirSync(assets).map((name) => compress(join(assets, name))))
  writeFileSync(stamp, '')
  utimesSync(stamp, begun, begun)
}

/** Fonts are compressed already. */
async function compress(path) {
  if (!/\.(js|css|json|svg)$/.test(path)) return
  const bytes = readFileSync(path)
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: 10,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  }
  const [br, gz] = await Promise.all([
    promisify(brotliCompress)(bytes, { params }),
    promisify(gzip)(bytes, { level: 9 }),
  ])
  writeFileSync(`${path}.br`, br)
  writeFileSync(`${path}.gz`, gz)
}

function newest() {
  const sources = [join(from, 'src'), join(root, 'packages/contract/src')].flatMap((folder) => [
    folder,
    ...readdirSync(folder, { recursive: true }).map((name) => join(folder, String(name))),
  ])
  const single = ['index.html', 'vite.config.ts', 'package.json'].map((name) => join(from, name))
  return Math.max(...[...sources, ...single, join(root, 'package-lock.json')].map(modified))
}

function modified(path) {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await buildConsole()
