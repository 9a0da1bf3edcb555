/**
 * gettext catalogues and templates: `msgid` is read, `msgstr` is written. The context is part of
 * the id. A plural entry is two segments and gets as many forms as the target language has; the
 * header gets the rule. Obsolete entries stay; a translated entry is no longer fuzzy.
 */

import type { TextPart } from '../../placeholders/part.ts'
import type { Piece } from '../../placeholders/protect.ts'
import { localeName, type PluralForms, pluralForms } from '../../plurals/plural-forms.ts'
import { aboutOf } from '../about.ts'
import { defineFormat, type Edit, edgesOf, escapeId, type SegmentPlace } from '../define-format.ts'
import type { Target } from '../format.ts'
import { eolOf } from '../lines.ts'
import { cutDirectives, directivesOf } from './po-directives.ts'
import { type PoEntry, type PoText, scanPo, spellPo } from './po-scan.ts'

export const po = defineFormat({
  id: 'po',
  charset: { declared: poCharset, fallsBack: true },
  protects: { newlines: true, names: true },
  bilingual: true,
  multilingual: true,
  find: function* (text, { xliff, targetLanguage }) {
    const header = findHeader(text)
    const style: Style = {
      eol: eolOf(text),
      keeps: xliff?.targets !== 'replace',
      isForeign: isForeign(header, targetLanguage),
      forms: lastOf((language) => formsOf(header, language)),
    }
    let at = 0
    for (const entry of scanPo(text))
      if (!isHeader(entry)) yield* placesOf(text, entry, at++, style)
  },
  retarget: (text, { targetLanguage, nameInFiles }, isUtf8Now) => {
    const header = findHeader(text)
    const forms = formsOf(header, targetLanguage)
    const fields: Field[] = [['Language', localeName(nameInFiles ?? targetLanguage)]]
    if (!header?.forms[0])
      return [
        { start: 0, end: 0, text: newHeader([...fields, ...basics, forms.field], eolOf(text)) },
        ...fitForms(text, forms),
      ]
    if (isUtf8Now || header.forms[0].value.includes('charset=CHARSET')) fields.push(utf8Field)
    return [
      ...setFields(text, header.forms[0], [...fields, forms.field]),
      ...dropFuzzy(text, header),
      ...fitForms(text, forms),
    ]
  },
})

/**
 * Entries that keep their translation get as many forms as the header says, or msgfmt refuses the
 * file.
 */
function fitForms(text: string, { count, one }: Forms): Edit[] {
  const edits: Edit[] = []
  for (const { plural, forms, formsStart } of scanPo(text)) {
    const [first, last] = [forms[0], forms.at(-1)]
    if (!plural || !first || !last || forms.length === count) continue
    // The last one is for any number: a form that is missing is like it, and so is the only one.
    const formAt = (form: number): PoText =>
      form === one
        ? first
        : count === 1 || form >= forms.length || forms.length < count
          ? last
          : (forms[form] ?? last)
    const kept = Array.from({ length: count }, (_, form) => {
      const { start, end } = formAt(form)
      return `msgstr[${form}] ${text.slice(start, end)}`
    })
    edits.push({ start: formsStart, end: last.end, text: kept.join(eolOf(text)) })
  }
  return edits
}

type Style = {
  readonly eol: string
  readonly keeps: boolean
  /** The catalogue is in another language: what it says is no translation into this one. */
  readonly isForeign: boolean
  readonly forms: (language: string) => Forms
}
type Field = readonly [name: string, value: string]
type Forms = Pick<PluralForms, 'count' | 'one'> & { readonly field: Field }

const utf8Field: Field = ['Content-Type', 'text/plain; charset=UTF-8']
const basics: readonly Field[] = [
  ['MIME-Version', '1.0'],
  utf8Field,
  ['Content-Transfer-Encoding', '8bit'],
]
const isHeader = (entry: PoEntry): boolean => entry.id?.value === '' && !entry.context
function findHeader(text: string): PoEntry | undefined {
  for (const entry of scanPo(text)) if (isHeader(entry)) return entry
  return undefined
}

/** Whether the header names another language, or another variant of it than the one asked for. */
function isForeign(header: PoEntry | undefined, language: string | undefined): boolean {
  const said = /^Language:[ \t]{0,8}([A-Za-z]{2,8}(?:[-_][A-Za-z0-9]{2,8})?)/m.exec(
    header?.forms[0]?.value ?? '',
  )?.[1]
  if (said === undefined || language === undefined) return false
  const [base, variant] = said.toLowerCase().split(/[-_]/)
  const [wanted, wantedVariant] = language.toLowerCase().split(/[-_]/)
  return (
    base !== wanted ||
    (variant !== undefined && wantedVariant !== undefined && variant !== wantedVariant)
  )
}

/** The last answer is kept: every plural asks for the same language. */
function lastOf(find: (language: string) => Forms): (language: string) => Forms {
  let last: { readonly language: string; readonly forms: Forms } | undefined
  return (language) => {
    if (last?.language !== language) last = { language, forms: find(language) }
    return last.forms
  }
}

/** A catalogue that is already in the target language keeps its plural rule. */
function formsOf(header: PoEntry | undefined, language: string): Forms {
  const known = pluralForms(language)
  const rule = `nplurals=${known.count}; plural=${known.count === 1 ? known.rule : `(${known.rule})`};`
  const value = header?.forms[0]?.value ?? ''
  const said = /^Language:\s{0,8}([A-Za-z]{2,8})/m.exec(value)?.[1]
  const own =
    /^Plural-Forms:[ \t]{0,8}(nplurals[ \t]{0,8}=[ \t]{0,8}(\d)[ \t]{0,8};[^\n]{1,512})/m.exec(
      value,
    )
  if (
    said?.toLowerCase() !== language.split(/[-_]/)[0]?.toLowerCase() ||
    !own?.[1] ||
    !Number(own[2])
  )
    return { ...known, field: ['Plural-Forms', rule] }
  const count = Number(own[2])
  const one = count === known.count ? known.one : count > 1 ? 0 : undefined
  return { count, one, field: ['Plural-Forms', own[1].trimEnd()] }
}

function placesOf(
  text: string,
  entry: PoEntry,
  at: number,
  { eol, keeps, isForeign, forms }: Style,
): SegmentPlace[] {
  const { id, plural, context } = entry
  const [first, last] = [entry.forms[0], entry.forms.at(-1)]
  if (!id || !first || !last) return []
  const name = (context ? `${escapeId(context.value)}/` : '') + escapeId(id.value)
  const flags = entry.flags.flatMap((flag) => flagsOf(text.slice(flag.start, flag.end)))
  const isFuzzy = flags.includes('fuzzy')
  const directives = directivesOf(flags)
  const pieces = (value: string): readonly Piece[] =>
    directives ? cutDirectives(value.trim(), directives) : plainPieces(value)
  const fuzzy = isFuzzy && { also: () => dropFuzzy(text, entry) }
  const wraps = id.wraps || first.wraps
  const isDone = !isFuzzy && !isForeign && entry.forms.every(({ value }) => value !== '')
  const said = (value: string) => (isDone ? { target: pieces(value), held: keeps } : { target: [] })
  const about = () => aboutOf(entry.comments.map(({ start, end }) => text.slice(start + 2, end)))
  if (!plural)
    return [
      {
        id: name,
        about,
        pieces: pieces(id.value),
        ...said(first.value),
        start: first.start,
        end: first.end,
        spell: spellPo,
        ...(wraps
          ? {
              around: edgesOf(id.value, spellPo),
              compose: (written: string) => quote(written, true, eol),
            }
          : { around: quotedEdges(id.value) }),
        ...fuzzy,
      },
    ]
  if (id.value.trim() === '' || plural.value.trim() === '') return []
  const group = `${at}`
  const write = ([one = '', many = '']: readonly string[], { targetLanguage }: Target): string => {
    const { count, one: single } = forms(targetLanguage)
    return Array.from({ length: count }, (_, form) => {
      const [words, source] = form === single ? [one, id] : [many, plural]
      return `msgstr[${form}] ${quote(words, source.wraps, eol)}`
    }).join(eol)
  }
  return [
    {
      id: name,
      about,
      pieces: pieces(id.value),
      ...said(first.value),
      start: entry.formsStart,
      end: last.end,
      spell: spellPo,
      around: edgesOf(id.value, spellPo),
      together: group,
      compose: (_, target, all) => write(all, target),
      ...fuzzy,
    },
    {
      id: `${name}/~plural`,
      about,
      pieces: pieces(plural.value),
      ...said(last.value),
      start: last.end,
      end: last.end,
      spell: spellPo,
      around: edgesOf(plural.value, spellPo),
      together: group,
      compose: () => '',
    },
  ]
}

const plainPieces = (value: string): TextPart[] => [{ type: 'text', text: value.trim() }]

const plainEdges: [string, string] = ['"', '"']

/** msgfmt requires the same blanks and line ends around the translation. */
function quotedEdges(value: string): [string, string] {
  const [before, after] = edgesOf(value, spellPo)
  return before === '' && after === '' ? plainEdges : [`"${before}`, `${after}"`]
}

const lineWidth = 76

/**
 * As one string, or wrapped like gettext does: an empty string, then lines that end with \\n or a
 * blank.
 */
function quote(spelled: string, wraps: boolean, eol: string): string {
  const lines = wraps ? wrap(spelled) : []
  return lines.length > 1 ? ['""', ...lines.map((line) => `"${line}"`)].join(eol) : `"${spelled}"`
}

function wrap(spelled: string): string[] {
  const lines: string[] = []
  let start = 0
  let fits = 0
  for (let at = 0; at < spelled.length; at++) {
    if (at - start >= lineWidth && fits > start) {
      lines.push(spelled.slice(start, fits))
      start = fits
    }
    if (spelled[at] === ' ') fits = at + 1
    if (spelled[at] !== '\\') continue
    at += 1
    if (spelled[at] !== 'n') continue
    lines.push(spelled.slice(start, at + 1))
    start = at + 1
    fits = start
  }
  return start < spelled.length ? [...lines, spelled.slice(start)] : lines
}

const flagsOf = (line: string): string[] =>
  line
    .slice(2)
    .split(',')
    .map((flag) => flag.trim())
const hasFuzzy = (line: string): boolean => flagsOf(line).includes('fuzzy')

/** Removes the flag and the previous text. */
function dropFuzzy(text: string, entry: PoEntry): Edit[] {
  const flags = entry.flags.flatMap(({ start, end }): Edit[] => {
    const line = text.slice(start, end)
    if (!hasFuzzy(line)) return []
    const others = flagsOf(line).filter((flag) => flag !== '' && flag !== 'fuzzy')
    const ending = line.slice(line.trimEnd().length)
    return [{ start, end, text: others.length > 0 ? `#, ${others.join(', ')}${ending}` : '' }]
  })
  if (flags.length === 0) return []
  return [...flags, ...entry.previous.map(({ start, end }) => ({ start, end, text: '' }))]
}

const newHeader = (fields: readonly Field[], eol: string): string =>
  [
    'msgid ""',
    'msgstr ""',
    ...fields.map(([name, value]) => `"${name}: ${value}\\n"`),
    '',
    '',
  ].join(eol)

/** Sets lines of the header; new ones go to the end. */
function setFields(text: string, header: PoText, fields: readonly Field[]): Edit[] {
  const lines = header.value
    .split('\n')
    .filter((line, at, all) => line !== '' || at < all.length - 1)
  let changed = false
  for (const [name, value] of fields) {
    const at = lines.findIndex((line) => line.toLowerCase().startsWith(`${name.toLowerCase()}:`))
    const line = `${name}: ${value}`
    if (lines[at] === line) continue
    changed = true
    if (at < 0) lines.push(line)
    else lines[at] = line
  }
  if (!changed) return []
  const spelled = ['""', ...lines.map((line) => `"${spellPo(line)}\\n"`)].join(eolOf(text))
  return [{ start: header.start, end: header.end, text: spelled }]
}

function poCharset(head: string): string | undefined {
  const name = /charset=([\w.:-]{1,64})/.exec(head)?.[1]
  return name === undefined || name === 'CHARSET' ? undefined : name
}
