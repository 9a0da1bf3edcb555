/**
 * The checks of the hub and those of `pofilter` (translate-toolkit) on the same texts: the German
 * catalogues of Debian's python3-django. Every text on which they differ falls under a reason that
 * this file gives; docs/decisions/language.md sums them up.
 */
import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { checkTexts } from '../packages/text/src/checks/check-texts.ts'
import type { Part } from '../packages/text/src/placeholders/part.ts'
import { targetToWire, toWire } from '../packages/text/src/placeholders/wire-texts.ts'
import { isThere } from './formats/judge.ts'
import { formatOf } from './formats/laws.ts'

/** A source text of a catalogue, its translations, and who found what. */
type Entry = {
  readonly source: string
  readonly targets: string[]
  readonly its: Set<string>
  readonly ours: Set<string>
  /** Whether it is a form of a plural. */
  isForm: boolean
}
type Reason = (entry: Entry) => boolean
type CheckRow = {
  readonly its: readonly string[]
  readonly ours: readonly string[]
  /** Why only it finds something, and why only we do. */
  readonly onlyIts?: Readonly<Record<string, Reason>>
  readonly onlyOurs?: Readonly<Record<string, Reason>>
}

const some =
  (form: RegExp): Reason =>
  ({ source, targets }) =>
    [source, ...targets].some((text) => form.test(text))
const inSource =
  (form: RegExp): Reason =>
  ({ source }) =>
    form.test(source)
const inTarget =
  (form: RegExp): Reason =>
  ({ targets }) =>
    targets.some((text) => form.test(text))
const isForm: Reason = (entry) => entry.isForm
/** Words outside of placeholders and tags. */
const wordsOf = (text: string): string[] =>
  text.replace(/%\([^)]*\)[.\d]*[a-z]|%[a-z]|\{[^}]*\}|<[^>]*>/g, ' ').match(/\p{L}{2,}/gu) ?? []
const lostName: Reason = ({ ours }) => ours.has('tags.missing')

const rows: readonly CheckRow[] = [
  {
    its: ['printf', 'pythonbraceformat', 'variables', 'xmltags'],
    ours: ['tags.missing', 'tags.extra', 'tags.order', 'tags.nesting'],
    onlyIts: { 'it compares each form with the plural': isForm },
    onlyOurs: { 'a placeholder that the source has twice': inSource(/(\{\w+\}).*\1/) },
  },
  {
    its: ['endpunc'],
    ours: ['punctuation'],
    onlyIts: {
      'a mark inside a bracket or quotation marks is the end': some(/[.!?][)”"’]$/),
      'a label may be an abbreviation': ({ source, targets }) =>
        /\p{L}$/u.test(source) &&
        targets.every((text) => text.endsWith('.')) &&
        wordsOf(source).length < 4,
      '… and ... are the same': some(/…$/),
    },
  },
  {
    its: ['brackets'],
    ours: ['brackets'],
    onlyIts: {
      'those of a placeholder in a form of a plural': isForm,
      'those of a lost placeholder': lostName,
    },
  },
  {
    its: ['doublewords'],
    ours: ['doubled'],
    onlyIts: {
      'in another case': ({ targets }) =>
        targets.every((text) => /(\b\p{L}+) \1\b/iu.test(text) && !/(\b\p{L}+) \1\b/u.test(text)),
    },
  },
  {
    its: ['unchanged', 'untranslated', 'blank'],
    ours: ['same', 'empty', 'leftover'],
    onlyIts: {
      'differs in letters or capitals': ({ source, targets }) => !targets.includes(source),
      'names, units and capitalised words': inSource(/^(?!.*\b\p{Ll}\p{L}* \p{Ll})/u),
    },
  },
  {
    its: ['doublespacing', 'startwhitespace', 'endwhitespace', 'puncspacing'],
    ours: ['spaces'],
    onlyIts: {
      'quotation marks that move': some(/[“”„]/),
      'a placeholder or tag that moves from a mark': inSource(/[}>][.,]/),
      'a list of marks as text': inSource(/@\/\.\/\+\/-\/_/),
      'two spaces in the source only': ({ source, targets }) =>
        source.includes('  ') && !targets.some((text) => text.includes('  ')),
      'a space before a bracket': inTarget(/ \(\)/),
      'spaces around a text are no part of it': ({ its }) => its.has('endwhitespace'),
    },
  },
  {
    its: ['numbers'],
    ours: ['numbers'],
    onlyIts: { 'an hour of the afternoon': inSource(/p\.m\.$/) },
  },
  { its: ['newlines', 'tabs'], ours: ['newlines'] },
  { its: ['urls', 'emails', 'filepaths'], ours: ['links'] },
  { its: ['validchars'], ours: ['characters'] },
  { its: ['nplurals'], ours: ['plurals'] },
]
/** It looks at one entry at a time. */
const acrossTexts = ['repeat', 'reused']
/**
 * Capitals, quotation marks, lengths and sentences follow the target language; some are about one
 * format.
 */
const withoutCounterpart = [
  ...[
    'accelerators',
    'acronyms',
    'compendiumconflicts',
    'credits',
    'doublequoting',
    'escapes',
    'functions',
    'hassuggestion',
  ],
  ...[
    'isfuzzy',
    'isreview',
    'kdecomments',
    'long',
    'options',
    'purepunc',
    'sentencecount',
    'short',
    'simplecaps',
  ],
  ...[
    'simpleplurals',
    'singlequoting',
    'spellcheck',
    'startcaps',
    'startpunc',
    'notranslatewords',
    'musttranslatewords',
  ],
]

const catalogues = (): string[] =>
  (spawnSync('dpkg-query', ['-L', 'python3-django'], { encoding: 'utf8' }).stdout ?? '')
    .split('\n')
    .filter((path) => path.endsWith('.po') && path.includes('/de/LC_MESSAGES/'))

const flat = (parts: readonly Part[]): string =>
  parts.map((part) => (part.type === 'text' ? part.text : part.raw)).join('')

/** The entries of a catalogue by their source, with what the hub finds. */
function entriesOf(bytes: Uint8Array): Map<string, Entry> {
  const segments = formatOf('po')
    .read(bytes, { targetLanguage: 'de-DE' })
    .filter(({ target }) => target && flat(target) !== '')
  const units = segments.map(({ id, parts, target = [] }) => {
    const { text, tags } = toWire(parts)
    return { id, source: text, tags: [...tags], target: targetToWire(parts, target) }
  })
  const found = checkTexts(units, {
    sourceLanguage: 'en-US',
    targetLanguage: 'de-DE',
    mends: false,
  })
  const entries = new Map<string, Entry>()
  for (const { id, parts, target = [] } of segments) {
    const source = flat(parts)
    const entry = entries.get(source) ?? {
      source,
      targets: [],
      its: new Set(),
      ours: new Set(),
      isForm: false,
    }
    entries.set(source, entry)
    entry.targets.push(flat(target))
    for (const { check } of found.find((one) => one.id === id)?.findings ?? [])
      entry.ours.add(check)
  }
  return entries
}

const unquoted = (lines: string): string =>
  [...lines.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, text]) => JSON.parse(`"${text}"`)).join('')

/** Adds what pofilter wrote about the entries. */
function readFindings(text: string, entries: ReadonlyMap<string, Entry>): void {
  for (const block of text.split('\n\n')) {
    const names = [...block.matchAll(/^# \(pofilter\) (\w+)/gm)].map(([, name = '']) => name)
    const sources = [...block.matchAll(/^msgid(?:_plural)? ((?:".*"\n?)+)/gm)].map(
      ([, lines = '']) => unquoted(lines),
    )
    for (const entry of sources.flatMap((source) => entries.get(source) ?? [])) {
      for (const name of names) entry.its.add(name)
      entry.isForm ||= sources.length > 1
    }
  }
}

function compare(): Entry[] {
  const [from, to] = ['in', 'out'].map(() => mkdtempSync(join(tmpdir(), 'dragoman-pofilter-'))) as [
    string,
    string,
  ]
  try {
    catalogues().forEach((path, at) => {
      copyFileSync(path, join(from, `${at}.po`))
    })
    spawnSync('pofilter', ['--language=de', '--progress=none', from, to])
    return readdirSync(from).flatMap((name) => {
      const entries = entriesOf(new Uint8Array(readFileSync(join(from, name))))
      if (existsSync(join(to, name))) readFindings(readFileSync(join(to, name), 'utf8'), entries)
      return [...entries.values()]
    })
  } finally {
    for (const folder of [from, to]) rmSync(folder, { recursive: true })
  }
}

const canRun = isThere('pofilter') && catalogues().length > 0
test.skipIf(!canRun)('every difference from pofilter has a reason', () => {
  const entries = compare()
  const unexplained: string[] = []
  const used = new Set<string>()
  const explain = (entry: Entry, reasons: Readonly<Record<string, Reason>> = {}) => {
    const reason = Object.keys(reasons).find((name) => reasons[name]?.(entry))
    if (reason) used.add(reason)
    else
      unexplained.push(
        JSON.stringify([[...entry.its], [...entry.ours], entry.source, ...entry.targets]),
      )
  }
  for (const { its, ours, onlyIts, onlyOurs } of rows) {
    const foundByIt = entries.filter((entry) => its.some((name) => entry.its.has(name)))
    const foundByUs = entries.filter((entry) => ours.some((name) => entry.ours.has(name)))
    console.log(`${its} ${foundByIt.length}, ${ours} ${foundByUs.length}`)
    for (const entry of foundByIt) if (!foundByUs.includes(entry)) explain(entry, onlyIts)
    for (const entry of foundByUs) if (!foundByIt.includes(entry)) explain(entry, onlyOurs)
  }
  expect(unexplained).toEqual([])
  // A reason that nothing needs any more goes.
  const reasons = rows.flatMap(({ onlyIts = {}, onlyOurs = {} }) => [
    ...Object.keys(onlyIts),
    ...Object.keys(onlyOurs),
  ])
  expect(reasons.filter((reason) => !used.has(reason))).toEqual([])
  const known = new Set([
    ...rows.flatMap(({ its, ours }) => [...its, ...ours]),
    ...acrossTexts,
    ...withoutCounterpart,
  ])
  const unknown = entries
    .flatMap(({ its, ours }) => [...its, ...ours])
    .filter((name) => !known.has(name))
  expect(unknown).toEqual([])
  for (const name of [...acrossTexts, ...withoutCounterpart])
    console.log(
      `${name} ${entries.filter(({ its, ours }) => its.has(name) || ours.has(name)).length}`,
    )
  expect(entries.length).toBeGreaterThan(500)
})
