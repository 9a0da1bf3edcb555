/** Copies the guides and their pictures into the server's package, which serves them at /docs. */
import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from './prepare.mjs'

const to = join(root, 'packages/server/dist/docs')

export function copyDocs() {
  rmSync(to, { recursive: true, force: true })
  cpSync(join(root, 'docs'), to, { recursive: true, filter: (path) => !path.endsWith('.sql') })
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) copyDocs()
