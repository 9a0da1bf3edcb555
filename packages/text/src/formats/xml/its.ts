/**
 * What is text in an XML document, by ITS 2.0: the attributes `its:translate` (and the plain
 * `translate`) and `its:withinText`, the rules of the document, and those of a rules file. A local
 * attribute overrides the rules, and a later rule an earlier one. Attributes are text only if a
 * rule or an option says so; `translate="no"` on their element does not change that (ITS 2.0, 8.1).
 */
import type { FormatOptions } from '@dragoman/contract/wire'
import {
  follow,
  hasArrived,
  isMeant,
  isNamed,
  nowhere,
  type Progress,
  readSelectors,
  type Selector,
} from './its-selector.ts'
import { scanXml, type Xml } from './xml-scan.ts'
import { type Attribute, attributeOf, attributesOf, nameOf, splitName } from './xml-tags.ts'

export type Its = {
  /** For each token: 1 where it is not translated. */
  readonly locked: Uint8Array
  /**
   * For each opening or empty tag: 1 where the text around it ends, although the tag stands in the
   * middle of it.
   */
  readonly breaks: Uint8Array
  /**
   * For opening and empty tags: the attributes that are text, counted from the beginning of the
   * tag.
   */
  readonly attributes: ReadonlyMap<number, readonly Attribute[]>
}

type Rule = {
  readonly selectors: readonly Selector[]
  readonly translate?: boolean
  readonly within?: boolean
}
type Frame = { readonly locked: boolean; readonly progress: readonly Progress[] }

/** Around the root element where there are no rules. */
const outside: Frame = { locked: false, progress: [] }

const namespace = 'http://www.w3.org/2005/11/its'

export function readIts(xml: Xml, options: NonNullable<FormatOptions['xml']> = {}): Its {
  const { text, tokens } = xml
  const named = (names: readonly string[] | undefined, translate: boolean): Rule[] =>
    names?.length
      ? [
          {
            selectors: names.map((local) => ({ steps: [{ deep: true, local, wants: [] }] })),
            translate,
          },
        ]
      : []
  const rules = [
    ...named(options.elements, true),
    ...named(options.skipElements, false),
    ...(options.its === undefined ? [] : rulesOf(scanXml(options.its))),
    ...(text.includes(namespace) ? rulesOf(xml) : []),
  ]
  const selectors = rules.flatMap((rule) => rule.selectors)
  const locked = new Uint8Array(tokens.length)
  const breaks = new Uint8Array(tokens.length)
  const attributes = new Map<number, Attribute[]>()
  const mayHold =
    (options.attributes?.length ?? 0) > 0 || selectors.some(({ attribute }) => attribute)
  const open: Frame[] = []
  const usual = (options.elements?.length ?? 0) > 0
  /** Only what a tag says about itself can change something then. */
  const isPlain = rules.length === 0 && !mayHold
  tokens.forEach(({ kind, start, end }, at) => {
    const around = open.at(-1)
    if (kind === 'open' || kind === 'empty') {
      const tag = text.slice(start, end)
      if (isPlain && !tag.includes('translate') && !tag.includes('withinText')) {
        const frame = around ?? outside
        locked[at] = Number(frame.locked)
        if (kind === 'open') open.push(frame)
        return
      }
      const { local } = splitName(nameOf(tag))
      const progress = selectors.map((selector, which) =>
        follow(selector, around?.progress[which], local, tag),
      )
      const said = judge(rules, progress, tag)
      const frame = { locked: !(said.translate ?? !(around?.locked ?? usual)), progress }
      locked[at] = Number(frame.locked)
      breaks[at] = Number(said.within === false)
      if (mayHold) {
        const listed = frame.locked ? [] : (options.attributes ?? [])
        const spoken = attributesOf(tag).filter(({ name }) =>
          isSpoken(rules, progress, name, listed),
        )
        if (spoken.length > 0) attributes.set(at, spoken)
      }
      if (kind === 'open') open.push(frame)
    } else {
      if (kind === 'close') open.pop()
      locked[at] = Number(around?.locked ?? false)
    }
  })
  return { locked, breaks, attributes }
}

/** The rules in the order of the document. */
function rulesOf({ text, tokens }: Xml): Rule[] {
  return tokens.flatMap(({ kind, start, end }): Rule[] => {
    if (kind !== 'open' && kind !== 'empty') return []
    const tag = text.slice(start, end)
    const { local } = splitName(nameOf(tag))
    const selector = attributeOf(tag, 'selector')
    if (selector === undefined || (local !== 'translateRule' && local !== 'withinTextRule'))
      return []
    const value = attributeOf(tag, local === 'translateRule' ? 'translate' : 'withinText')
    const selectors = readSelectors(selector)
    return [
      {
        selectors,
        ...(local === 'translateRule' ? { translate: value !== 'no' } : { within: value !== 'no' }),
      },
    ]
  })
}

/** Whether an attribute is text: by the last rule that selects it, else if it is listed. */
function isSpoken(
  rules: readonly Rule[],
  progress: readonly Progress[],
  name: string,
  listed: readonly string[],
): boolean {
  if (name === 'xmlns' || name.startsWith('xmlns:')) return false
  let spoken = listed.some((one) => isNamed(name, one))
  let which = 0
  for (const { selectors, translate } of rules) {
    const isSelected = selectors.some(
      (selector, at) =>
        isMeant(selector, name) && hasArrived(selector, progress[which + at] ?? nowhere),
    )
    which += selectors.length
    if (isSelected && translate !== undefined) spoken = translate
  }
  return spoken
}

function judge(
  rules: readonly Rule[],
  progress: readonly Progress[],
  tag: string,
): Omit<Rule, 'selectors'> {
  let said: Omit<Rule, 'selectors'> = {}
  let which = 0
  for (const { selectors, ...rule } of rules) {
    const isSelected = selectors.some(
      (selector, at) =>
        !selector.attribute && hasArrived(selector, progress[which + at] ?? nowhere),
    )
    which += selectors.length
    if (isSelected) said = { ...said, ...rule }
  }
  if (!/\s(?:its:)?(?:translate|withinText)\s*=/.test(tag)) return said
  const translate = attributeOf(tag, 'its:translate') ?? attributeOf(tag, 'translate')
  const within = attributeOf(tag, 'its:withinText')
  return {
    ...said,
    ...((translate === 'yes' || translate === 'no') && { translate: translate === 'yes' }),
    ...(within !== undefined && { within: within !== 'no' }),
  }
}
