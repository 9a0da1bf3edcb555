/**
 * A file of a package that comes back: which task it is of, and its units by id, whatever prefix,
 * order, indentation or encoding a tool has given it. XLIFF 1.2 and 2.x. Pure; run in a worker.
 */
import { decode } from '../formats/charset.ts'
import { FormatError } from '../formats/format-error.ts'
import { filesOf } from '../formats/xliff/xliff.ts'
import { childOf, childrenOf, type Element } from '../formats/xml/xml-elements.ts'
import { scanXml, type Xml } from '../formats/xml/xml-scan.ts'
import { attributeOf } from '../formats/xml/xml-tags.ts'
import { xmlCharset } from '../formats/xml/xml-text.ts'
import { type Identity, identityIn, readMark, type Sent } from './package-file.ts'

/** One source with its target: of a unit that a tool has cut, there are several. */
export type FoundPair = {
  readonly source: Element | undefined
  readonly target: Element | undefined
}
export type FoundUnit = {
  /** Its `id`, and the second place of the id: a tool may have renumbered one of them. */
  readonly ids: readonly [string, string]
  readonly sent?: Sent
  readonly state?: string
  readonly pairs: readonly FoundPair[]
}

export type FoundFile = {
  readonly xml: Xml
  readonly identity: Identity | undefined
  readonly targetLanguage: string | undefined
  readonly units: readonly FoundUnit[]
}

export function readXliff(bytes: Uint8Array): FoundFile {
  const xml = scanXml(decode(bytes, { declared: xmlCharset, fallsBack: false }).text)
  if (xml.tokens.some(({ kind }) => kind === 'doctype'))
    throw new FormatError(
      'MALFORMED',
      'The file has a DOCTYPE, which no XLIFF file needs; remove it.',
    )
  const [root] = childrenOf(xml, undefined)
  if (root?.local !== 'xliff') throw new FormatError('MALFORMED', 'The file is not XLIFF.')
  const files = filesOf(xml)
  const [file] = files
  if (!file || files.length > 1)
    throw new FormatError(
      'MALFORMED',
      `The file has ${files.length} <file> elements; those of a package have one.`,
    )
  const isSecond = (attributeOf(root.tag, 'version') ?? '').startsWith('2')
  return {
    xml,
    identity: identityIn(attributeOf(file.tag, 'original') ?? ''),
    targetLanguage: isSecond
      ? attributeOf(root.tag, 'trgLang')
      : attributeOf(file.tag, 'target-language'),
    units: isSecond
      ? unitsBelow(xml, file, 'unit').map((unit) => unitOf2(xml, unit))
      : unitsOf1(xml, file),
  }
}

/** Units in groups of any depth. */
function unitsBelow(xml: Xml, parent: Element, local: string): Element[] {
  const found: Element[] = []
  const visit = (element: Element): void => {
    for (const child of childrenOf(xml, element)) {
      if (child.local === 'group') visit(child)
      else if (child.local === local) found.push(child)
    }
  }
  visit(parent)
  return found
}

const unitsOf1 = (xml: Xml, file: Element): FoundUnit[] => {
  const body = childOf(xml, file, 'body')
  return (body ? unitsBelow(xml, body, 'trans-unit') : []).map((unit) => {
    const [source, target] = [childOf(xml, unit, 'source'), childOf(xml, unit, 'target')]
    return {
      ...namesOf(unit, 'resname', 'extradata'),
      ...stateIn(target?.tag),
      pairs: [{ source, target }],
    }
  })
}

function unitOf2(xml: Xml, unit: Element): FoundUnit {
  const parts = childrenOf(xml, unit).filter(
    ({ local }) => local === 'segment' || local === 'ignorable',
  )
  const pairs = parts.map((part): FoundPair => {
    const [source, target] = [childOf(xml, part, 'source'), childOf(xml, part, 'target')]
    return { source, target: target ?? (part.local === 'ignorable' ? source : undefined) }
  })
  return { ...namesOf(unit, 'name', 'type'), ...stateIn(parts[0]?.tag), pairs }
}

/** `mark` tells what was sent, if the tool has kept it. */
function namesOf({ tag }: Element, second: string, mark: string): Pick<FoundUnit, 'ids' | 'sent'> {
  const sent = readMark(attributeOf(tag, mark) ?? '')
  const ids = [attributeOf(tag, 'id') ?? '', attributeOf(tag, second) ?? ''] as const
  return { ids, ...(sent && { sent }) }
}

const stateIn = (tag: string | undefined): Pick<FoundUnit, 'state'> => {
  const state = tag && attributeOf(tag, 'state')
  return state === undefined ? {} : { state }
}
