/**
 * Reads TMX 1.x as a stream: the units of two languages, chunk by chunk, so that a file of any size needs the same memory.
 * Strict: malformed or truncated files and those beyond a limit end in a TmxError. No DTD is fetched.
 */
import { SaxesParser, type SaxesTagPlain } from 'saxes'
import { openPauses } from '../../turns/pauses.ts'
import { decodeXml } from './decode-xml.ts'
import { TmxError } from './tmx-error.ts'

const max = {
  segment: 1024 * 1024,
  variants: 200,
  depth: 100,
  /** Characters of a language code; a longer one is cut. */
  language: 100,
  /** Characters without a tag, because the parser would only buffer them. */
  untagged: 4 * 1024 * 1024,
}

/** Characters parsed between two yields to the event loop. */
const chunkCharacters = 64 * 1024

export type TmxUnit = { readonly source: string; readonly target: string }
/** The units of one chunk in order; undefined for a unit without a text in both languages. */
export type TmxChunk = readonly (TmxUnit | undefined)[]
export type TmxPair = { readonly sourceLanguage: string; readonly targetLanguage: string }

export async function* readTmx(bytes: AsyncIterable<Uint8Array>, pair: TmxPair): AsyncGenerator<TmxChunk> {
  const reader = openReader(pair)
  const pause = openPauses()
  for await (const text of decodeXml(bytes))
    for (let at = 0; at < text.length; at += chunkCharacters) {
      const units = reader.write(text.slice(at, at + chunkCharacters))
      if (units.length > 0) yield units
      await pause()
    }
  reader.close()
}

type Reader = { write(text: string): TmxChunk; close(): void }
type Variant = { readonly language: string; readonly isWanted: boolean; text: string }

function openReader(pair: TmxPair): Reader {
  const parser = new SaxesParser({ xmlns: false, position: false })
  const open: string[] = []
  const languages = new Set<string>()
  const wanted = new Set([pair.sourceLanguage, pair.targetLanguage].flatMap((code) => [spelled(code), bare(code)]))
  /** Keeps the text of the first variant of each wanted language only. */
  const variantOf = (language: string, before: readonly Variant[]): Variant => {
    const code = spelled(language)
    const isWanted = wanted.has(code) && !before.some((one) => spelled(one.language) === code)
    return { language, isWanted, text: '' }
  }
  let units: (TmxUnit | undefined)[] = []
  let read = 0
  let matched = 0
  let quiet = 0
  let variants: Variant[] = []
  let variant: Variant | undefined
  let isText = false

  const where = (): string => (read === 0 ? '' : ` (after ${read.toLocaleString('en')} units)`)
  const refuse = (because: string): never => {
    throw new TmxError(`${because}${where()}`)
  }
  const text = (more: string) => {
    quiet = 0
    if (!isText || !variant?.isWanted) return
    variant.text += more
    if (variant.text.length > max.segment) refuse('a segment is longer than 1,048,576 characters')
  }
  parser.on('error', (error) => refuse(`it is not well-formed XML: ${error.message.replace(/^\S*: /, '')}`))
  parser.on('doctype', (type) => {
    if (type.includes('[')) refuse('its DOCTYPE declares things of its own, which is not allowed')
  })
  parser.on('opentag', ({ name, attributes }: SaxesTagPlain) => {
    quiet = 0
    const depth = open.push(name)
    if (depth > max.depth) refuse(`its elements nest deeper than ${max.depth} levels`)
    if (depth === 1) mustBeTmx(name, attributes.version, refuse)
    if (name === 'tu') variants = []
    if (name === 'tuv') {
      const language = attributes['xml:lang'] ?? attributes.lang
      if (language === undefined) refuse('a <tuv> does not say its language (xml:lang)')
      variant = variantOf((language ?? '').slice(0, max.language), variants)
      if (variants.push(variant) > max.variants) refuse(`a unit has more than ${max.variants} languages`)
    }
    if (name === 'seg') isText = true
  })
  parser.on('text', text)
  parser.on('cdata', text)
  parser.on('closetag', ({ name }: SaxesTagPlain) => {
    quiet = 0
    open.pop()
    if (name === 'seg') isText = false
    if (name === 'tuv') variant = undefined
    if (name !== 'tu') return
    read += 1
    for (const { language } of variants) if (languages.size < 20) languages.add(language)
    const unit = unitOf(variants, pair)
    if (unit) matched += 1
    units.push(unit)
  })

  return {
    write: (chunk) => {
      quiet += chunk.length
      parser.write(chunk)
      if (quiet > max.untagged) refuse('it has more than 4 MiB without a tag')
      const done = units
      units = []
      return done
    },
    close: () => {
      parser.close()
      if (read === 0) refuse('it holds no translation units')
      const { sourceLanguage, targetLanguage } = pair
      if (matched === 0)
        refuse(
          `none of its units has both ${sourceLanguage} and ${targetLanguage}; its languages are ${[...languages].join(', ')}`,
        )
    },
  }
}

function mustBeTmx(name: string, version: string | undefined, refuse: (because: string) => never): void {
  if (name !== 'tmx') refuse(`its root is <${name.slice(0, 100)}>, not <tmx>`)
  if (version !== undefined && !/^1\.\d/.test(version))
    refuse(`it is TMX ${version.slice(0, 20)}; TMX 1.4 is read here`)
}

function unitOf(variants: readonly Variant[], pair: TmxPair): TmxUnit | undefined {
  const source = textIn(variants, pair.sourceLanguage)
  const target = textIn(variants, pair.targetLanguage)
  return source?.trim() && target?.trim() ? { source, target } : undefined
}

/** The exact language in any spelling, or else one without a region. */
function textIn(variants: readonly Variant[], wanted: string): string | undefined {
  const code = spelled(wanted)
  const language = bare(wanted)
  const exact = variants.find((one) => spelled(one.language) === code)
  return (exact ?? variants.find((one) => spelled(one.language) === language))?.text
}

const bare = (code: string): string => spelled(code).split('-', 1)[0] ?? code
const spelled = (code: string): string => code.replaceAll('_', '-').toLowerCase()
