/**
 * The files of the console's build that the pages at /docs load. Their names contain a hash; the
 * manifest lists them.
 */
import { existsSync, readFileSync } from 'node:fs'
import type { SiteFiles } from './layout.ts'

const manifest = new URL('../../server/dist/console/manifest.json', import.meta.url)
type Entry = {
  readonly file: string
  readonly css?: readonly string[]
  readonly assets?: readonly string[]
}

/** Empty if the console is not built. */
export function findSiteFiles(): SiteFiles {
  if (!existsSync(manifest)) return {}
  const entries = JSON.parse(readFileSync(manifest, 'utf8')) as Record<string, Entry>
  const docs = entries['src/docs/docs.ts']
  if (!docs) return {}
  const [style] = docs.css ?? []
  const font = docs.assets?.find((name) => name.includes('inter-latin-wght'))
  return {
    script: `/console/${docs.file}`,
    ...(style !== undefined && { style: `/console/${style}` }),
    ...(font !== undefined && { font: `/console/${font}` }),
  }
}
