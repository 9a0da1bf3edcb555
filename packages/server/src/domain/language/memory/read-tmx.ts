/**
 * Reads TMX 1.x as a stream: the units of two languages or of all that the hub knows, chunk by
 * chunk, so that a file of any size needs the same memory. Strict: malformed or truncated files and
 * those beyond a limit end in a TmxError. No DTD is fetched.
 */

import {
  decodeXml,
  languageOf,
  TmxError,
  type TmxPair,
  type TmxUnit,
  unitOf,
  unitsOf,
  type Variant,
  wantedIn,
} from '@dragoman/text/likeness'
import { SaxesParser, type SaxesTagPlain } from 'saxes'
import { openPauses } from '../../../turns/pauses.ts'
import { characterType, contextProperty } from './write-tmx.ts'

const max = {
  segment: 1024 * 1024,
  unit: 4 * 1024 * 1024,
  variants: 200,
  depth: 100,
  /** Characters of a language code; a longer one is cut. */
  language: 100,
  /** Characters without a tag, because the parser would only buffer them. */
  untagged: 4 * 1024 * 1024,
}

/** Characters parsed between two yields to the event loop. */
const chunkCharacters = 64 * 1024

export type { TmxPair, TmxUnit } from '@dragoman/text/likeness'
/** The units of one chunk in order; undefined for a unit without a text in both languages. */
export type TmxChunk = readonly (TmxUnit | undefined)[]

/** Without a pair, a unit comes once for each of its target languages. */
export async function* readTmx(
  bytes: AsyncIterable<Uint8Array>,
  pair?: TmxPair,
): AsyncGenerator<TmxChunk> {
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

function openReader(pair: TmxPair | undefined): Reader {
  const parser = new SaxesParser({ xmlns: false, position: false })
  const open: string[] = []
  const languages = new Set<string>()
  const isWanted = wantedIn(pair)
  /** Keeps the text of the first variant of each wanted language only. */
  const variantOf = (language: string, before: readonly Variant[]): Variant => {
    const isFirst = !before.some((one) => languageOf(one.language) === languageOf(language))
    return { language, isWanted: isFirst && isWanted(language), text: '' }
  }
  let units: (TmxUnit | undefined)[] = []
  let read = 0
  let matched = 0
  let quiet = 0
  let variants: Variant[] = []
  let variant: Variant | undefined
  let isText = false
  let isContext = false
  let context = ''
  let characters = 0
  /** The file has a source language, and a unit may have another. */
  let [source, unitSource]: (string | undefined)[] = []

  const where = (): string => (read === 0 ? '' : ` (after ${read.toLocaleString('en')} units)`)
  const refuse = (because: string): never => {
    throw new TmxError(`${because}${where()}`)
  }
  const text = (more: string) => {
    quiet = 0
    if (isContext && context.length < max.language) context += more
    if (!isText || !variant?.isWanted) return
    variant.text += more
    characters += more.length
    if (characters > max.unit) refuse('a unit is longer than 4,194,304 characters')
    if (variant.text.length > max.segment) refuse('a segment is longer than 1,048,576 characters')
  }
  parser.on('error', (error) =>
    refuse(`it is not well-formed XML: ${error.message.replace(/^\S*: /, '')}`),
  )
  parser.on('doctype', (type) => {
    if (type.includes('[')) refuse('its DOCTYPE contains declarations, which is not allowed')
  })
  parser.on('opentag', ({ name, attributes }: SaxesTagPlain) => {
    quiet = 0
    const depth = open.push(name)
    if (depth > max.depth) refuse(`its elements nest deeper than ${max.depth} levels`)
    if (depth === 1) mustBeTmx(name, attributes.version, refuse)
    if (name === 'header') source = attributes.srclang
    if (name === 'prop') isContext = attributes.type === contextProperty && variant === undefined
    if (name === 'ph') text(characterIn(attributes.type))
    if (name === 'tu') {
      variants = []
      context = ''
      characters = 0
      unitSource = attributes.srclang
    }
    if (name === 'tuv') {
      const language = attributes['xml:lang'] ?? attributes.lang
      if (language === undefined) refuse('a <tuv> does not say its language (xml:lang)')
      variant = variantOf((language ?? '').slice(0, max.language), variants)
      if (variants.push(variant) > max.variants)
        refuse(`a unit has more than ${max.variants} languages`)
    }
    if (name === 'seg') isText = true
  })
  parser.on('text', text)
  parser.on('cdata', text)
  parser.on('closetag', ({ name }: SaxesTagPlain) => {
    quiet = 0
    open.pop()
    if (name === 'seg') isText = false
    if (name === 'prop') isContext = false
    if (name === 'tuv') variant = undefined
    if (name !== 'tu') return
    read += 1
    for (const { language } of variants) if (languages.size < 20) languages.add(language)
    const found = pair ? [unitOf(variants, pair)] : unitsOf(variants, unitSource ?? source)
    for (const unit of found) if (unit) matched += 1
    units.push(
      ...found.map((unit) => unit && { ...unit, ...(isHash.test(context) && { context }) }),
    )
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
      if (read === 0) refuse('it has no translation units')
      if (matched > 0) return
      const found = `its languages are ${[...languages].join(', ')}`
      if (pair)
        refuse(
          `none of its units has both ${pair.sourceLanguage} and ${pair.targetLanguage}; ${found}`,
        )
      refuse(
        `none of its units has two languages that the hub accepts; ${found}. Name the two that you mean`,
      )
    },
  }
}

function mustBeTmx(
  name: string,
  version: string | undefined,
  refuse: (because: string) => never,
): void {
  if (name !== 'tmx') refuse(`its root is <${name.slice(0, 100)}>, not <tmx>`)
  if (version !== undefined && !/^1\.\d/.test(version))
    refuse(`it is TMX ${version.slice(0, 20)}; TMX 1.4 is read here`)
}

const isHash = /^[\w-]{22}$/

/** The character that a <ph> of our own exports stands for. */
function characterIn(type = ''): string {
  const code = type.startsWith(characterType) ? type.slice(characterType.length) : ''
  return /^(?:1?[0-9a-f]|fff[ef])$/.test(code) ? String.fromCharCode(Number.parseInt(code, 16)) : ''
}
