/** Files with one different sentence per line or entry, as content systems send them; the samples have many short texts. */
import { seeded, sentence } from './sentences.ts'

type Layout = { readonly fileName: string; readonly head: string; readonly entry: (at: number, text: string) => string }

const layouts: Readonly<Record<string, Layout>> = {
  po: {
    fileName: 'sentences.po',
    head: 'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=UTF-8\\n"\n',
    entry: (at, text) => `\n#: page.c:${at}\nmsgid "${text}"\nmsgstr ""\n`,
  },
  properties: { fileName: 'sentences.properties', head: '', entry: (at, text) => `page.title.${at}=${text}\n` },
  'apple-strings': {
    fileName: 'sentences.strings',
    head: '',
    entry: (at, text) => `"page.title.${at}" = "${text}";\n`,
  },
  csv: { fileName: 'sentences.csv', head: 'id,title\n', entry: (at, text) => `${at},"${text}"\n` },
  yaml: { fileName: 'en.yml', head: 'en:\n', entry: (at, text) => `  title_${at}: ${text}\n` },
}

export function sentenceFile(format: string, size: number): { fileName: string; bytes: Uint8Array } | undefined {
  const layout = layouts[format]
  if (!layout) return undefined
  const draw = seeded(1)
  const parts = [layout.head]
  for (let [at, length] = [0, 0]; length < size; at += 1) {
    const part = layout.entry(at, sentence(draw))
    parts.push(part)
    length += part.length
  }
  return { fileName: layout.fileName, bytes: new TextEncoder().encode(parts.join('')) }
}
