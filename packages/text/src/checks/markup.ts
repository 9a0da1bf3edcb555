/** HTML that runs code, and the forms of an ICU plural. */
import { pluralCategories, smallCategories } from '../plurals/plural-categories.ts'
import { listed, namesOf } from './read-text.ts'
import type { Context, Found } from './rule.ts'

const elements = 'script iframe object embed applet base meta link'.split(' ')

export function dangerousHtml({ source, target }: Context): Found | undefined {
  if (!/[<:&]|on\w{1,40}\s{0,10}=/i.test(target.written)) return undefined
  const [was, is] = [dangersIn(source.written), dangersIn(target.written)]
  const added = [...is]
    .filter(([what, times]) => times > (was.get(what) ?? 0))
    .map(([what]) => what)
  return added.length === 0
    ? undefined
    : {
        message: `The translation has ${listed(added)}, which runs code and is not in the source.`,
        facts: [{ says: 'code', ...namesOf(added) }],
      }
}

function dangersIn(text: string): Map<string, number> {
  const found = new Map<string, number>()
  const add = (what: string) => found.set(what, (found.get(what) ?? 0) + 1)
  const plain = decoded(text)
  for (const [, name] of plain.matchAll(/<\s{0,10}([a-z]{1,12})(?=[\s/>])/g))
    if (name !== undefined && elements.includes(name)) add(`<${name}>`)
  for (const [tag] of plain.matchAll(/<[a-z][^<>]{0,4096}/g))
    for (const [, name] of tag.matchAll(/[\s"'/](on[a-z]{1,40})\s{0,10}=/g))
      add(`the attribute ${name}`)
  // White space and controls inside the name do not stop a browser.
  const tight = plain.replaceAll(/[^!-\uffff]/g, '')
  for (const [name] of tight.matchAll(/(?:javascript|vbscript):|data:text\/html/g)) add(name)
  return found
}

const named: Readonly<Record<string, string>> = {
  colon: ':',
  tab: '\t',
  newline: '\n',
  lt: '<',
  gt: '>',
  sol: '/',
}

/** Lowers the case and resolves entities. */
const decoded = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{1,8}));?/g, (whole, number, hex, name) => {
      if (name !== undefined) return named[name] ?? whole
      const code = number === undefined ? Number.parseInt(hex, 16) : Number(number)
      return code <= 0x10ffff ? String.fromCodePoint(code).toLowerCase() : whole
    })

/** Arguments looked at in one text. */
const most = 20

export function pluralForms({ source, target, to, pair }: Context): Found | undefined {
  if (!/,\s{0,8}plural\s{0,8},/.test(source.written) || !pair) return undefined
  for (const { argument, forms } of pluralsIn(target.written)) {
    const missing = missingForms(forms, to.code)
    if (missing.length > 0)
      return {
        message: `The plural of "${argument}" has no form ${listed(missing)}, which the target language needs.`,
        facts: [{ says: 'argument', argument, ...namesOf(missing) }],
      }
  }
  return undefined
}

/** The forms that a language needs for whole numbers. An exact number may stand for its form. */
export function missingForms(forms: ReadonlySet<string>, language: string): string[] {
  const small = smallCategories(language.replaceAll('_', '-'))
  const needed = small.length > 0 ? small : smallCategories(language.split(/[-_]/, 1)[0] ?? '')
  const known = pluralCategories(language)
  const exact: Readonly<Record<string, string>> = { zero: '=0', one: '=1', two: '=2' }
  return known.filter(
    (form) =>
      (needed.includes(form) || form === 'other') &&
      !forms.has(form) &&
      !forms.has(exact[form] ?? ''),
  )
}

function pluralsIn(text: string): { argument: string; forms: Set<string> }[] {
  const found: { argument: string; forms: Set<string> }[] = []
  for (const match of text.matchAll(/\{\s{0,8}([\w.$-]{1,64})\s{0,8},\s{0,8}plural\s{0,8},/g)) {
    if (found.length === most) break
    found.push({ argument: match[1] ?? '', forms: formsFrom(text, match.index + match[0].length) })
  }
  return found
}

/** The words before the braces of the first level. */
function formsFrom(text: string, from: number): Set<string> {
  const forms = new Set<string>()
  let [depth, word] = [0, '']
  for (let at = from; at < text.length && depth >= 0; at += 1) {
    const character = text.charAt(at)
    if (character === '{') {
      if (depth === 0) forms.add(word)
      depth += 1
    } else if (character === '}') {
      depth -= 1
      word = ''
    } else if (depth === 0 && character.trim() !== '')
      word = text.charAt(at - 1).trim() === '' ? character : word + character
  }
  return forms
}
