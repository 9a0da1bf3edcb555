/**
 * Reads TBX: version 2 (martif, termEntry, langSet, tig or ntig) and version 3 (tbx, conceptEntry,
 * langSec, termSec; data categories as attributes or as elements), by local names. Nothing is
 * fetched and no entity expanded beyond the five of XML.
 */
import type { GivenTermEntry } from '@dragoman/contract'
import { limits } from '@dragoman/contract/wire'
import { SaxesParser, type SaxesTagPlain } from 'saxes'
import {
  type ListedTerm,
  mustFitEntries,
  noPause,
  type Pause,
  refuseList,
  statusIn,
} from './listed-term.ts'

const deepest = 100
/** Entries of a term with those that are forms of others. */
const mostEntries = limits.termEntries * (limits.termForms + 1)
/** Characters parsed between two yields to the event loop. */
const chunkCharacters = 64 * 1024
/** A longer text is refused as a term, a note or a definition anyway. */
const longestText = 64 * 1024

export async function* readTbx(text: string, pause: Pause = noPause): AsyncGenerator<ListedTerm> {
  const reader = openReader()
  for (let at = 0; at < text.length; at += chunkCharacters) {
    yield* reader.write(text.slice(at, at + chunkCharacters))
    await pause()
  }
  reader.close()
}

type Entry = { -readonly [K in keyof GivenTermEntry]: GivenTermEntry[K] } & { isVariant?: boolean }
type Concept = { line: number; id: string; definition: string; entries: Entry[] }

const concepts = new Set(['termEntry', 'conceptEntry'])
const languageSections = new Set(['langSet', 'langSec'])
const termSections = new Set(['tig', 'ntig', 'termSec'])

function openReader() {
  const parser = new SaxesParser({ xmlns: false, position: true })
  /** The open elements, each with the text inside it so far. */
  const open: { readonly local: string; readonly type: string; text: string }[] = []
  let done: ListedTerm[] = []
  let concept: Concept | undefined
  let language = ''
  let entry: Entry | undefined

  const refuse = (sentence: string): never => refuseList(sentence, parser.line)
  const addText = (more: string) => {
    const top = open.at(-1)
    if (!top || !concept) return
    top.text += more
    if (top.text.length > longestText) refuse(`a text is longer than ${longestText} characters.`)
  }
  parser.on('error', ({ message }) =>
    refuse(`the XML is not well-formed: ${message.replace(/^\S*: /, '').replace(/\.$/, '')}.`),
  )
  parser.on('doctype', (type) => {
    if (type.includes('['))
      refuse('the DOCTYPE contains declarations, which is not allowed; remove it.')
  })
  parser.on('text', addText)
  parser.on('cdata', addText)
  parser.on('opentag', ({ name, attributes }: SaxesTagPlain) => {
    const local = localOf(name)
    const depth = open.push({ local, type: attributes.type ?? '', text: '' })
    if (depth > deepest) refuse(`the elements nest deeper than ${deepest} levels.`)
    if (depth === 1 && local !== 'martif' && local !== 'tbx')
      refuse(`the root is <${name.slice(0, 50)}>; TBX begins with <tbx> or <martif>.`)
    if (concepts.has(local))
      concept = { line: parser.line, id: attributes.id ?? '', definition: '', entries: [] }
    if (languageSections.has(local))
      language =
        attributes['xml:lang'] ??
        attributes.lang ??
        refuse(`<${local}> does not say its language (xml:lang).`)
    if (termSections.has(local)) entry = { language, text: '' }
  })
  parser.on('closetag', ({ name }: SaxesTagPlain) => {
    const { local, type, text } = open.pop() ?? { local: localOf(name), type: '', text: '' }
    if (concepts.has(local)) {
      if (concept) done.push(termOf(concept))
      concept = undefined
    } else if (termSections.has(local)) {
      if (concept && entry) concept.entries.push(entry)
      if (concept && concept.entries.length > mostEntries)
        mustFitEntries(concept.entries.length, concept.line)
      entry = undefined
    } else if (!closeText(local, type, text)) {
      // The text of an element within a text belongs to it: <term>a <hi>b</hi></term>.
      addText(text)
    }
  })

  /** Whether the element has a meaning of its own. */
  function closeText(local: string, type: string, text: string): boolean {
    const meaning = local === 'termNote' || local === 'descrip' ? type : local
    if (local === 'term' && entry) entry.text = text
    else if (meaning === 'administrativeStatus' && entry) entry.status = statusIn(text, parser.line)
    else if (meaning === 'termType' && entry) entry.isVariant = text.trim() === 'variant'
    else if (meaning === 'definition' && concept) concept.definition ||= text
    else if (local === 'note' && entry) entry.note = entry.note ? `${entry.note}\n${text}` : text
    else return local === 'termNote' || local === 'descrip' || local === 'note'
    return true
  }

  return {
    write: (chunk: string): ListedTerm[] => {
      parser.write(chunk)
      const terms = done
      done = []
      return terms
    },
    close: () => void parser.close(),
  }
}

const localOf = (name: string): string => name.slice(name.indexOf(':') + 1)

/** A variant is a form of the term before it, unless it is forbidden. */
function termOf({ line, id, definition, entries }: Concept): ListedTerm {
  const own: (Entry & { forms: string[] })[] = []
  const last = new Map<string, Entry & { forms: string[] }>()
  for (const { isVariant, ...entry } of entries) {
    const before = last.get(entry.language)
    if (isVariant && before && entry.status === undefined) before.forms.push(entry.text)
    else {
      const one = { ...entry, forms: [] }
      own.push(one)
      last.set(entry.language, one)
      mustFitEntries(own.length, line)
    }
  }
  const termId = /^c([\w-]{22})$/.exec(id)?.[1]
  return { line, ...(termId !== undefined && { termId }), definition, entries: own }
}
