/**
 * The start page and the pages of /docs as the build wrote them (packages/docs), with what only the
 * running hub knows filled in: its address, the path of its public URL, its profile.
 */
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { promisify } from 'node:util'
import { brotliDecompress } from 'node:zlib'
import type { Config } from '../../config/config.ts'
import { pathPrefix } from '../../config/path-prefix.ts'

/** Beside the compiled server, also when it runs from its sources. */
const folder = new URL('../../../dist/docs/', import.meta.url)
/** The marks of packages/docs/src/context.ts. */
const here = 'https://hub.invalid'
const prefixMark = /\ue003/g
const choice = /\ue000([^\ue001]*)\ue001([^\ue001]*)\ue001([^\ue002]*)\ue002/g
const profiles: readonly Config['profile'][] = ['sandbox', 'staging', 'production']

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
}

export type StoredSite = {
  /** Content security policies. */
  readonly policies: { readonly docs: string; readonly home: string }
  /** The file of each path; a path that is not there has none. */
  readonly paths: Readonly<Record<string, string>>
}
/** `isPacked`: the content is compressed with brotli already. */
export type StoredPage = {
  readonly content: string | Buffer
  readonly type: string
  readonly isPacked?: boolean
}

let opened: StoredSite | undefined

/** Reads the pages once. */
export function openSite(): StoredSite {
  opened ??= JSON.parse(readFileSync(new URL('site.json', folder), 'utf8')) as StoredSite
  return opened
}

const unpack = promisify(brotliDecompress)

export async function readPage(config: Config, file: string, base: string): Promise<StoredPage> {
  const type = types[extname(file)] ?? 'application/octet-stream'
  if (type === 'image/png') return { content: await readFile(new URL(file, folder)), type }
  const packed = await readFile(new URL(`${file}.br`, folder))
  // The lists of the search have nothing to fill in.
  if (type === types['.json']) return { content: packed, type, isPacked: true }
  const text = (await unpack(packed)).toString()
  const prefix = escapeHtml(pathPrefix(config))
  const at = profiles.indexOf(config.profile)
  const content = text
    .replace(choice, (_, ...choices: string[]) => choices[at] ?? '')
    .replaceAll(here, escapeHtml(base))
    .replace(prefixMark, () => prefix)
  return { content, type }
}

const marks: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (mark) => marks[mark] ?? mark)
