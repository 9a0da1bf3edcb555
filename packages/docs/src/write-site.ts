/**
 * Writes the site into a folder, its texts compressed. The server fills in each page and compresses it again for its own address.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import { renderSite, type SiteSources } from './site.ts'

const options = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }

export function writeSite(folder: string, sources: SiteSources): void {
  rmSync(folder, { recursive: true, force: true })
  for (const { file, content } of renderSite(sources)) {
    const isText = typeof content === 'string' && file !== 'site.json'
    const path = join(folder, isText ? `${file}.br` : file)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, isText ? brotliCompressSync(content, options) : content)
  }
}
