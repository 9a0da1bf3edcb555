/**
 * Qt Linguist's TS: the source of every message, and its translation beside it. A numerus message
 * has as many forms as the target language. Vanished messages stay, and so do finished translations
 * unless an option says otherwise.
 */
import type { FormatOptions } from '@dragoman/contract/wire'
import type { Piece } from '../../placeholders/protect.ts'
import { localeName, pluralForms } from '../../plurals/plural-forms.ts'
import { type About, aboutOf } from '../about.ts'
import { defineFormat, type Edit, escapeId, type SegmentPlace } from '../define-format.ts'
import type { Target } from '../format.ts'
import { layoutBefore, markup, raw } from '../xml/xml-content.ts'
import {
  childOf,
  childrenOf,
  type Element,
  eachChild,
  eachOfRoot,
  isEmpty,
} from '../xml/xml-elements.ts'
import { scanSound, scanXml, type Xml } from '../xml/xml-scan.ts'
import { attributeOf, attributesOf, setAttribute } from '../xml/xml-tags.ts'
import {
  readCdata,
  readCharacters,
  refer,
  type Spellings,
  sourceOf,
  spellText,
  xmlCharset,
} from '../xml/xml-text.ts'

export const qtTs = defineFormat({
  id: 'qt-ts',
  charset: { declared: xmlCharset, fallsBack: false },
  protects: { newlines: true, numbers: true },
  bilingual: true,
  refer,
  find: function* (text, options) {
    const xml = scanXml(text)
    for (const context of eachOfRoot(xml)) {
      if (context.local !== 'context') continue
      const name = childOf(xml, context, 'name')
      const path = escapeId(name ? textIn(xml, name) : '')
      for (const message of eachChild(xml, context))
        if (message.local === 'message') yield* readMessage(xml, options, path, message)
    }
  },
  retarget: (text, { targetLanguage, nameInFiles }: Target): Edit[] => {
    const xml = scanSound(text)
    const [root] = childrenOf(xml, undefined)
    return root
      ? setAttribute(xml, root, ['language', localeName(nameInFiles ?? targetLanguage)], 'version')
      : []
  },
})

function readMessage(
  xml: Xml,
  options: FormatOptions,
  path: string,
  message: Element,
): SegmentPlace[] {
  const [source, target, comment] = ['source', 'translation', 'comment'].map((local) =>
    childOf(xml, message, local),
  )
  const type = target && attributeOf(target.tag, 'type')
  if (!source || type === 'vanished' || type === 'obsolete') return []
  const spellings: Spellings = new Map()
  const pieces = piecesIn(xml, source, spellings)
  const id =
    attributeOf(message.tag, 'id') ??
    textIn(xml, source) + (comment ? `|${textIn(xml, comment)}` : '')
  const isCounted = attributeOf(message.tag, 'numerus') === 'yes'
  const form = isCounted && target ? childOf(xml, target, 'numerusform') : undefined
  const holder = isCounted ? form : target
  const there = holder ? piecesIn(xml, holder, new Map()) : []
  const hasWords = there.some((piece) => 'text' in piece && piece.text.trim() !== '')
  return [
    {
      id: `${path}/${escapeId(id)}`,
      pieces,
      target: there,
      held: hasWords && type === undefined && options.xliff?.targets !== 'replace',
      spell: (text) => spellText(text, spellings),
      about: () => aboutMessage(xml, message),
      ...slotOf(xml, source, target, isCounted),
    },
  ]
}

/**
 * The first of several texts that the translator may get is the comment that tells equal sources
 * apart.
 */
const aboutMessage = (xml: Xml, message: Element): About =>
  aboutOf(
    ['comment', 'extracomment', 'translatorcomment'].map((local) => {
      const element = childOf(xml, message, local)
      return element && textIn(xml, element)
    }),
  )

type Slot = Pick<SegmentPlace, 'start' | 'end' | 'also' | 'compose'>

function slotOf(xml: Xml, source: Element, target: Element | undefined, isCounted: boolean): Slot {
  const token = (at: number) => xml.tokens[at] ?? { start: 0, end: 0 }
  const forms = (written: string, { targetLanguage }: Target) => {
    if (!isCounted) return written
    const layout =
      target && !isEmpty(target) ? layoutOf(xml.text, token(target.open).end) : undefined
    const count = pluralForms(targetLanguage).count
    const all = Array.from({ length: count }, () => `<numerusform>${written}</numerusform>`)
    return layout ? all.map((one) => layout.before + one).join('') + layout.after : all.join('')
  }
  if (target && !isEmpty(target))
    return {
      start: token(target.open).end,
      end: token(target.close).start,
      compose: forms,
      also: () => finished(xml, target),
    }
  const at = target
    ? token(target.open)
    : { start: token(source.close).end, end: token(source.close).end }
  const indent = target
    ? ''
    : (/(?:\r\n|\r|\n)[ \t]*$/.exec(xml.text.slice(0, token(source.open).start))?.[0] ?? '')
  return {
    ...at,
    compose: (written, to) => `${indent}<translation>${forms(written, to)}</translation>`,
  }
}

/** The whitespace around the first form, if forms are on their own lines. */
function layoutOf(text: string, from: number): { before: string; after: string } | undefined {
  const before = /^(?:\r\n|\r|\n)[ \t]*/.exec(text.slice(from, from + 200))?.[0]
  if (before === undefined) return undefined
  const close = text.indexOf('</translation', from)
  const after =
    /(?:\r\n|\r|\n)[ \t]*$/.exec(text.slice(Math.max(from, close - 200), close))?.[0] ?? ''
  return { before, after }
}

/** Removes the mark `unfinished`. */
function finished(xml: Xml, target: Element): Edit[] {
  const start = xml.tokens[target.open]?.start ?? 0
  const type = attributesOf(target.tag).find(({ name }) => name === 'type')
  if (!type) return []
  const name = target.tag.lastIndexOf('type', type.start)
  const blank = layoutBefore(target.tag, name).length
  return [{ start: start + name - blank, end: start + type.end + 1, text: '' }]
}

function piecesIn(xml: Xml, element: Element, spellings: Spellings): Piece[] {
  return xml.tokens.slice(element.open + 1, element.close).flatMap((token): Piece[] => {
    if (token.kind === 'text') return readCharacters(raw(xml.text, token), spellings)
    if (token.kind === 'cdata') return [{ text: readCdata(raw(xml.text, token).slice(9, -3)) }]
    return [markup(xml.text, token)]
  })
}

const textIn = (xml: Xml, element: Element): string => sourceOf(piecesIn(xml, element, new Map()))
