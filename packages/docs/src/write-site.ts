/**
 * Writes the site into a folder, its texts compressed. The server fills in each page and compresses
 * it again for its own address; the lists of the search it sends as they are here, so they are made
 * as small as can be.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import { renderSite, type SiteSources } from './site.ts'

const qualityOf = (file: string): number =>
  file.endsWith('.json') ? constants.BROTLI_MAX_QUALITY : 5
const pack = (file: string, text: string): Buffer =>
  brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: qualityOf(file) } })

export function writeSite(folder: string, sources: SiteSources): void {
  rmSync(folder, { recursive: true, force: true })
  for (const { file, content } of renderSite(sources)) {
    const isText = typeof content === 'string' && file !== 'site.json'
    const path = join(folder, isText ? `${file}.br` : file)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, isText ? pack(file, content) : content)
  }
}
