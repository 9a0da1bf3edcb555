/**
 * What of an XML document is text, by ITS 2.0: the attributes `its:translate` (and the plain `translate`) and
 * `its:withinText`, the rules of the document, and those of a rules file. The nearest word counts, and of rules the last.
 */
import type { FormatOptions } from '@dragoman/contract/wire'
import { follow, hasArrived, type Progress, readSelectors, type Selector } from './its-selector.ts'
import { scanXml, type Xml } from './xml-scan.ts'
import { attributeOf, nameOf, splitName } from './xml-tags.ts'

export type Its = {
  /** For each token: 1 where it is not translated. */
  readonly locked: Uint8Array
  /** For each opening or empty tag: 1 where the text around it ends, although the tag stands in the middle of it. */
  readonly breaks: Uint8Array
}

type Rule = { readonly selectors: readonly Selector[]; readonly translate?: boolean; readonly within?: boolean }
type Frame = { readonly locked: boolean; readonly progress: readonly Progress[] }

const namespace = 'http://www.w3.org/2005/11/its'

export function readIts(xml: Xml, options: NonNullable<FormatOptions['xml']> = {}): Its {
  const { text, tokens } = xml
  const named = (names: readonly string[] | undefined, translate: boolean): Rule[] =>
    names?.length ? [{ selectors: names.map((local) => [{ deep: true, local, wants: [] }]), translate }] : []
  const rules = [
    ...named(options.elements, true),
    ...named(options.skipElements, false),
    ...(options.its === undefined ? [] : rulesOf(scanXml(options.its))),
    ...(text.includes(namespace) ? rulesOf(xml) : []),
  ]
  const selectors = rules.flatMap((rule) => rule.selectors)
  const locked = new Uint8Array(tokens.length)
  const breaks = new Uint8Array(tokens.length)
  const open: Frame[] = []
  const usual = (options.elements?.length ?? 0) > 0
  tokens.forEach(({ kind, start, end }, at) => {
    const around = open.at(-1)
    if (kind === 'open' || kind === 'empty') {
      const tag = text.slice(start, end)
      const { local } = splitName(nameOf(tag))
      const progress = selectors.map((selector, which) => follow(selector, around?.progress[which], local, tag))
      const said = judge(rules, progress, tag)
      const frame = { locked: !(said.translate ?? !(around?.locked ?? usual)), progress }
      locked[at] = Number(frame.locked)
      breaks[at] = Number(said.within === false)
      if (kind === 'open') open.push(frame)
    } else {
      if (kind === 'close') open.pop()
      locked[at] = Number(around?.locked ?? false)
    }
  })
  return { locked, breaks }
}

/** The rules in the order of the document. */
function rulesOf({ text, tokens }: Xml): Rule[] {
  return tokens.flatMap(({ kind, start, end }): Rule[] => {
    if (kind !== 'open' && kind !== 'empty') return []
    const tag = text.slice(start, end)
    const { local } = splitName(nameOf(tag))
    const selector = attributeOf(tag, 'selector')
    if (selector === undefined || (local !== 'translateRule' && local !== 'withinTextRule')) return []
    const value = attributeOf(tag, local === 'translateRule' ? 'translate' : 'withinText')
    const selectors = readSelectors(selector)
    return [{ selectors, ...(local === 'translateRule' ? { translate: value !== 'no' } : { within: value !== 'no' }) }]
  })
}

function judge(rules: readonly Rule[], progress: readonly Progress[], tag: string): Omit<Rule, 'selectors'> {
  let said: Omit<Rule, 'selectors'> = {}
  let which = 0
  for (const { selectors, ...rule } of rules) {
    const isMeant = selectors.some((selector, at) => hasArrived(selector, progress[which + at] ?? { now: 0, ever: 0 }))
    which += selectors.length
    if (isMeant) said = { ...said, ...rule }
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
