/**
 * What a term may hold, in its normal form: blanks of a text are single ones, an entry has a
 * status, nothing is there twice.
 */
import { createHash } from 'node:crypto'
import { type GivenTermEntry, limits, type NewTerm, type TermEntry } from '@dragoman/contract/wire'
import { withoutCase } from '../characters/without-case.ts'
import { findOutsideXml } from '../formats/xml/xml-characters.ts'

export type TermContent = { readonly definition?: string; readonly entries: readonly TermEntry[] }

export function normalTerm({ definition = '', entries }: NewTerm): TermContent {
  const about = normalNote(definition)
  const own = entries.map(normalEntry)
  // As in TBX, the entries of a language stand together.
  const byLanguage = new Map<string, TermEntry[]>()
  for (const entry of own) {
    const known = byLanguage.get(entry.language)
    if (known) known.push(entry)
    else byLanguage.set(entry.language, [entry])
  }
  const together = [...byLanguage.values()].flat()
  return { ...(about !== '' && { definition: about }), entries: together }
}

function normalEntry({
  language,
  text,
  forms = [],
  status = 'PREFERRED',
  note = '',
}: GivenTermEntry): TermEntry {
  const own = normalText(text)
  const others = [...new Set(forms.map(normalText))].filter((form) => form !== own)
  const about = normalNote(note)
  return {
    language,
    text: own,
    ...(others.length > 0 && { forms: others }),
    status,
    ...(about !== '' && { note: about }),
  }
}

const normalText = (text: string): string => text.replace(/\s+/gu, ' ').trim()
const normalNote = (text: string): string => text.replace(/\r\n?/g, '\n').trim()

/** The schema has the same pattern. */
const isLanguage = /^[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{1,8}){0,4}$/
const bytesOf = (text: string): number => Buffer.byteLength(text)

/** Why this is no term, as a sentence; undefined if it is one. */
export function faultOf({ definition = '', entries }: TermContent): string | undefined {
  if (entries.length === 0) return 'it has no entry; give at least one text in a language.'
  if (entries.length > limits.termEntries)
    return `it has ${entries.length} entries; at most ${limits.termEntries} are allowed.`
  if (bytesOf(definition) > limits.termDefinitionBytes)
    return `its definition has more than ${limits.termDefinitionBytes} bytes.`
  const known = new Set<string>()
  for (const entry of entries) {
    const fault = faultOfEntry(entry)
    if (fault) return fault
    const same = keyOf(entry)
    if (known.has(same)) return `"${entry.text}" is there twice in ${entry.language}; list it once.`
    known.add(same)
  }
  const outside = findOutsideXml(textOf({ definition, entries }))
  if (outside) return `it contains the character ${outside}, which TBX does not allow; remove it.`
  const bytes = sizeOf({ definition, entries })
  return bytes > limits.termBytes
    ? `it has ${bytes} bytes with all its entries; at most ${limits.termBytes} are allowed.`
    : undefined
}

function faultOfEntry({ language, text, forms = [], note = '' }: TermEntry): string | undefined {
  if (!isLanguage.test(language) || language.length > limits.languageCharacters)
    return `"${language.slice(0, 50)}" is no language code such as de or de-AT.`
  if (text === '') return `an entry in ${language} has no text.`
  if (forms.length > limits.termForms) return `"${text}" has more than ${limits.termForms} forms.`
  const long = [text, ...forms].find((one) => bytesOf(one) > limits.termTextBytes)
  if (long !== undefined)
    return `"${long.slice(0, 50)}…" has more than ${limits.termTextBytes} bytes.`
  if (forms.includes('')) return `"${text}" has an empty form; remove it.`
  return bytesOf(note) > limits.termNoteBytes
    ? `the note of "${text}" has more than ${limits.termNoteBytes} bytes.`
    : undefined
}

/** Everything that a person wrote. */
const textOf = ({ definition = '', entries }: TermContent): string =>
  [
    definition,
    ...entries.flatMap(({ text, forms = [], note = '' }) => [text, ...forms, note]),
  ].join('\n')

export const sizeOf = ({ definition = '', entries }: TermContent): number =>
  bytesOf(JSON.stringify(entries)) + bytesOf(definition)

export const spelledLanguage = (code: string): string => code.replaceAll('_', '-').toLowerCase()
const keyOf = ({ language, text }: TermEntry): string => `${spelledLanguage(language)} ${text}`
const hash = (text: string): string =>
  createHash('sha256').update(text).digest('base64url').slice(0, 22)

/** Terms with the same texts in the same languages, in any order, are the same to an import. */
export const sameKeyOf = ({ entries }: TermContent): string =>
  hash(entries.map(keyOf).sort().join('\n'))
export const contentKeyOf = ({ definition = '', entries }: TermContent): string =>
  hash(JSON.stringify([definition, entries]))

const sortCharacters = 100

/** The columns that follow from the content. */
export function columnsOf(content: TermContent) {
  const { definition = null, entries } = content
  return {
    definition,
    entries: JSON.stringify(entries),
    languages: ` ${[...new Set(entries.map(({ language }) => spelledLanguage(language)))].join(' ')} `,
    texts: entries.flatMap(({ text, forms = [] }) => [text, ...forms].map(withoutCase)).join('\n'),
    sort_key: withoutCase(entries[0]?.text ?? '')
      .slice(0, sortCharacters)
      .toWellFormed(),
    same_key: sameKeyOf(content),
    content_key: contentKeyOf(content),
    bytes: sizeOf(content),
  }
}
