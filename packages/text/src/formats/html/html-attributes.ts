/**
 * HTML attributes whose values are text: which they are, how to read them, and how to escape a text
 * in them.
 */

import type { Piece } from '../../placeholders/protect.ts'
import { respell } from '../../placeholders/respell.ts'
import type { HtmlAttribute, HtmlTag } from './html-tokens.ts'

/** These attributes may stand on every element. */
const everywhere = new Set(
  'title alt placeholder aria-label aria-description aria-placeholder aria-valuetext'.split(' '),
)
/** Elements whose title is the name of a style sheet. */
const titledForPrograms = new Set(['link', 'style'])
const labelled = new Set(['option', 'optgroup', 'track'])
const buttons = new Set(['submit', 'button', 'reset'])
const spokenMetas = new Set(
  `description keywords application-name apple-mobile-web-app-title og:title og:description og:site_name og:image:alt
   twitter:title twitter:description twitter:image:alt twitter:label1 twitter:data1 twitter:label2 twitter:data2`.split(
    /\s+/,
  ),
)

/** `others` are further attributes named by the options. */
export function spokenAttributes(
  text: string,
  tag: HtmlTag,
  others: ReadonlySet<string>,
): HtmlAttribute[] {
  const spelledIn = (name: string): string => {
    const found = tag.attributes?.find((one) => one.name === name)
    return found ? text.slice(found.start, found.end).trim().toLowerCase() : ''
  }
  const isSpoken = ({ name }: HtmlAttribute): boolean => {
    if (name === 'title') return !titledForPrograms.has(tag.name)
    if (everywhere.has(name) || others.has(name)) return true
    if (name === 'label') return labelled.has(tag.name)
    if (name === 'value') return tag.name === 'input' && buttons.has(spelledIn('type'))
    if (name === 'summary') return tag.name === 'table'
    if (name !== 'content' || tag.name !== 'meta') return false
    return spokenMetas.has(spelledIn('name')) || spokenMetas.has(spelledIn('property'))
  }
  return tag.attributes?.filter(isSpoken) ?? []
}

const names: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
}

/** Splits a value into pieces. Known references become characters, others stay codes. */
export function readValue(value: string): { pieces: Piece[]; spellings: Map<string, string> } {
  const pieces: Piece[] = []
  const spellings = new Map<string, string>()
  let runs: string[] = []
  let from = 0
  const endText = (): void => {
    if (runs.length > 0) pieces.push({ text: runs.join('') })
    runs = []
  }
  for (const { index, 0: raw } of value.matchAll(/&[A-Za-z0-9#]{1,31};/g)) {
    if (index > from) runs.push(value.slice(from, index))
    from = index + raw.length
    const character = characterOf(raw)
    if (character === undefined) {
      endText()
      pieces.push({ kind: 'entity', raw })
    } else {
      runs.push(character)
      if (!spellings.has(character)) spellings.set(character, raw)
    }
  }
  if (from < value.length) runs.push(value.slice(from))
  endText()
  return { pieces, spellings }
}

function characterOf(reference: string): string | undefined {
  const name = reference.slice(1, -1)
  if (!name.startsWith('#')) return Object.hasOwn(names, name) ? names[name] : undefined
  const isHex = name.charAt(1).toLowerCase() === 'x'
  const code = Number(isHex ? `0x${name.slice(2)}` : name.slice(1))
  const isCharacter =
    code >= 32 &&
    code <= 0x10ffff &&
    !(code >= 0x7f && code < 0xa0) &&
    !(code >= 0xd800 && code < 0xe000)
  return isCharacter && code !== 0xfffd ? String.fromCodePoint(code) : undefined
}

/**
 * An unquoted value ends at the first blank, so blanks and similar characters become references
 * there.
 */
export function spellValue(
  text: string,
  quote: string,
  spellings: ReadonlyMap<string, string>,
): string {
  const special = quote === '"' ? /[&<"]/g : quote === "'" ? /[&<']/g : /[&\s"'=<>`]/g
  const spell = (character: string): string =>
    character === '&'
      ? '&amp;'
      : character === '"' && quote === '"'
        ? '&quot;'
        : `&#${character.codePointAt(0)};`
  return respell(text, spellings, { special, spell })
}
