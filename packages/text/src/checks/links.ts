/** URLs, e-mail addresses and paths: the translation has those of the source and no others. */
import { slot } from '../placeholders/protect.ts'
import { listed, namesOf } from './read-text.ts'
import type { Context, Found } from './rule.ts'

export function changedLinks({ source, target }: Context): Found | undefined {
  const [was, is] = [linksIn(source.flat).links, linksIn(target.flat).links]
  const [lost, added] = [more(was, is), more(is, was)]
  if (lost.length > 0)
    return {
      message: `The ${nameOf(lost)} of the source ${lost.length > 1 ? 'are' : 'is'} missing.`,
      facts: [{ says: 'missing', ...namesOf(lost) }],
    }
  if (added.length > 0)
    return {
      message: `The translation has the ${nameOf(added)}, which the source does not have.`,
      facts: [{ says: 'added', ...namesOf(added) }],
    }
  return undefined
}

/** Those that the one has more often than the other. */
export function more(one: readonly string[], other: readonly string[]): string[] {
  const left = new Map<string, number>()
  for (const name of other) left.set(name, (left.get(name) ?? 0) + 1)
  return one.filter((name) => {
    const count = left.get(name) ?? 0
    left.set(name, count - 1)
    return count <= 0
  })
}

function nameOf(links: readonly string[]): string {
  const what = links.every((link) => link.includes('@') && !link.includes('/'))
    ? 'e-mail address'
    : links.every(isPath)
      ? 'path'
      : 'link'
  return `${what}${links.length > 1 ? (what.endsWith('s') ? 'es' : 's') : ''} ${listed(links)}`
}

const isPath = (link: string): boolean => /^(?:~?\/|[A-Za-z]:\\)/.test(link)

/** The links of a text, and the text without them. A word is looked at once. */
export function linksIn(text: string): { links: string[]; rest: string } {
  if (!/[/@\\]|www\./i.test(text)) return { links: [], rest: text }
  const links: string[] = []
  // Chinese and Japanese write no space beside a link.
  const rest = text.replace(/[!-;=?-~\u00a1-\u1fff]{1,2048}/g, (word) => {
    const found = linkOf(word)
    if (found === undefined) return word
    links.push(found)
    const at = word.indexOf(found)
    return `${word.slice(0, at)}${slot}${word.slice(at + found.length)}`
  })
  return { links, rest }
}

function linkOf(given: string): string | undefined {
  const start = given.search(/https?:\/\/|ftp:\/\/|www\./i)
  if (start >= 0) return trimmed(given.slice(start))
  const word = trimmed(given.replace(/^[("'«„“‘[{<*_]{1,8}/, ''))
  if (word.length > 320 && word.includes('@')) return undefined
  const at = word.indexOf('@')
  if (
    at > 0 &&
    /^[\w.+-]{1,64}$/.test(word.slice(0, at)) &&
    /^[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}$/.test(word.slice(at + 1))
  )
    return word
  if (/^~?\/[\w.-]{1,255}\/[\w./-]{0,1024}$/.test(word) || /^[A-Za-z]:\\\S{1,1024}$/.test(word))
    return word
  return undefined
}

/** Final punctuation is not part of a link, nor is a bracket that was opened before it. */
function trimmed(word: string): string {
  let end = word.length
  let surplus = word.split(')').length - word.split('(').length
  for (; end > 0; end -= 1) {
    const last = word.charAt(end - 1)
    if (last === ')' ? surplus <= 0 : !'.,;:!?\'"»“”’]}>*_…'.includes(last)) break
    if (last === ')') surplus -= 1
  }
  return word.slice(0, end)
}
