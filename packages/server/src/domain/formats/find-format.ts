/** The formats that are read and written here. A new one is its file and its line in this list. */
import { bounds } from './bounds.ts'
import { peek } from './charset.ts'
import type { Format } from './format.ts'
import { html } from './html.ts'
import { json } from './json.ts'
import { keyValue } from './key-value.ts'
import { plainText } from './plain-text.ts'
import { xliff1 } from './xliff-1.ts'
import { xliff2 } from './xliff-2.ts'
import { xml } from './xml.ts'

/** Where several share an extension the first that recognises the file is taken; one that recognises all stands last. */
export const formats: readonly Format[] = [plainText, html, json, xliff1, xliff2, keyValue, xml]

export function findFormat(fileName: string, bytes: Uint8Array): Format | undefined {
  const dot = fileName.lastIndexOf('.')
  const extension = fileName.slice(dot + 1).toLowerCase()
  const candidates = dot < 0 ? [] : formats.filter(({ extensions }) => extensions.includes(extension))
  const head = candidates.length > 1 ? peek(bytes, bounds.headBytes) : ''
  return candidates.find(({ recognises }) => !recognises || recognises(head))
}
