/**
 * Renders the start page and the site at /docs into packages/server/dist/docs, if a source is newer
 * than the last time. `npm start`, `npm test` and `npm run build` call it, after the console is
 * built: the pages load files of it.
 */
import { readdirSync, readFileSync, statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from './prepare.mjs'

export const docsFolder = join(root, 'packages/server/dist/docs')
const stamp = join(docsFolder, 'site.json')

/** What the site is made from. */
export const sources = [
  'docs',
  'packages/sdk/README.md',
  'packages/text/README.md',
  'examples',
  'deploy',
  'packages/docs/src',
  'packages/docs/last-release',
  'packages/contract/src',
  'packages/server/src/config/config-keys.ts',
]
const single = [
  'packages/server/package.json',
  'packages/server/dist/console/manifest.json',
  'package-lock.json',
]

export const areDocsOld = () => modified(stamp) <= newest()
export const versionOf = () =>
  JSON.parse(readFileSync(join(root, 'packages/server/package.json'), 'utf8')).version

export async function buildDocs() {
  if (!areDocsOld()) return
  const begun = new Date()
  const { writeSite } = await import('../packages/docs/dist/write-site.js')
  const { configKeys } = await import('../packages/server/dist/config/config-keys.js')
  writeSite(docsFolder, { settings: configKeys, version: versionOf() })
  // A source saved meanwhile is newer.
  utimesSync(stamp, begun, begun)
}

/** Includes folders: removing a file leaves no other trace. */
function newest() {
  const paths = sources.flatMap((path) => {
    const at = join(root, path)
    return statSync(at).isDirectory()
      ? [at, ...readdirSync(at, { recursive: true }).map((name) => join(at, String(name)))]
      : [at]
  })
  return Math.max(...[...paths, ...single.map((path) => join(root, path))].map(modified))
}

function modified(path) {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await buildDocs()
