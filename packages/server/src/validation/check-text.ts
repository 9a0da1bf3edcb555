/**
 * The rules of a schema for a text. Reports the first rule that fails; all take linear time at
 * most.
 */
import {
  emailPattern,
  findLanguage,
  languageRefusal,
  oneLine,
  parseTime,
  storable,
} from '@dragoman/contract'
import { type Findings, tell } from './findings.ts'
import type { Node } from './schema-node.ts'

type Rule = { readonly breaks: (text: string) => boolean; readonly says: (text: string) => string }

export function textCheck(node: Node): (text: string, findings: Findings) => void {
  const rules = [...lengthRules(node), ...formRules(node)]
  return (text, findings) => {
    for (const { breaks, says } of rules) if (breaks(text)) return tell(findings, says(text))
    if (node.language && findLanguage(text) === undefined)
      tell(findings, languageRefusal(text).replace(/\.$/, ''), { language: text })
  }
}

function lengthRules({ minLength, maxLength, maxBytes, maxCodePoints, notBlank }: Node): Rule[] {
  const rules: Rule[] = []
  if (minLength !== undefined)
    rules.push({ breaks: ({ length }) => length < minLength, says: () => 'must not be empty' })
  if (maxLength !== undefined)
    rules.push({
      breaks: ({ length }) => length > maxLength,
      says: () => `is longer than ${maxLength} characters`,
    })
  if (maxBytes !== undefined)
    rules.push({
      // One code unit takes at most three bytes.
      breaks: (text) => text.length * 3 > maxBytes && Buffer.byteLength(text) > maxBytes,
      says: (text) =>
        `has ${Buffer.byteLength(text)} bytes in UTF-8; at most ${maxBytes} are allowed`,
    })
  if (maxCodePoints !== undefined)
    rules.push({
      // A character has one or two code units.
      breaks: (text) =>
        text.length > maxCodePoints &&
        (text.length > maxCodePoints * 2 || [...text].length > maxCodePoints),
      says: () => `is longer than ${maxCodePoints} characters`,
    })
  if (notBlank)
    rules.push({ breaks: (text) => text.trim() === '', says: () => 'must not be empty' })
  return rules
}

const isOneLine = new RegExp(oneLine, 'u')

function formRules(node: Node): Rule[] {
  const { enum: choices, const: only, pattern, time, description } = node
  const rules: Rule[] = []
  if (choices)
    rules.push({
      breaks: (text) => !choices.includes(text),
      says: () => `must be one of ${choices.join(', ')}`,
    })
  if (only !== undefined)
    rules.push({ breaks: (text) => text !== only, says: () => `must be ${only}` })
  if (time)
    rules.push({
      breaks: (text) => parseTime(text) === undefined,
      says: () => 'is not a date such as 2026-11-14 or 2026-11-14T10:00:00Z',
    })
  if (pattern === storable)
    rules.push({
      breaks: (text) => !text.isWellFormed() || text.includes('\0'),
      says: () => 'contains a character that is not allowed',
    })
  else if (pattern === oneLine)
    rules.push({
      breaks: (text) => !isOneLine.test(text),
      says: () =>
        'contains a line break, a control character or a mark that turns the direction of text',
    })
  else if (pattern !== undefined) {
    const regex = new RegExp(pattern, 'u')
    const expected = formOf(pattern, description)
    rules.push({ breaks: (text) => !regex.test(text), says: () => expected })
  }
  return rules
}

/** What a text must look like, for people: no regular expression where words can say it. */
function formOf(pattern: string, description: string | undefined): string {
  if (pattern === emailPattern) return 'is not an e-mail address such as ana@example.org'
  // A description that begins with an article says the form of the value, others its meaning.
  if (description !== undefined && /^(?:An? |Ten |Such )/.test(description))
    return `is not valid; expected: ${description.replace(/\.$/, '')}`
  const [, first, rest, least, most] =
    /^\^(\[[^\]]{1,80}\])?(\[[^\]]{1,80}\])\{(\d{1,4})(?:,(\d{1,4}))?\}\$$/.exec(pattern) ?? []
  if (rest === undefined)
    return description === undefined
      ? `must match ${pattern}`
      : `is not valid; expected: ${description.replace(/\.$/, '')}`
  const more = first === undefined ? 0 : 1
  const [from, to] = [Number(least) + more, Number(most ?? least) + more]
  const many = from === to ? `${to}` : `${from} to ${to}`
  const begins = first === undefined || first === rest ? '' : `, beginning with ${signsOf(first)}`
  return `must be ${many} characters of ${signsOf(rest)}${begins}`
}

const ranges: readonly (readonly [string, string])[] = [
  ['A-Za-z', 'letters from A to Z'],
  ['A-Z', 'capital letters from A to Z'],
  ['a-z', 'small letters from a to z'],
  ['0-9', 'digits'],
  ['\\d', 'digits'],
  [' ', 'blanks'],
]

/** `[A-Za-z0-9_-]` in words. */
function signsOf(set: string): string {
  let left = set.slice(1, -1)
  const words = ranges.flatMap(([range, said]) => {
    if (!left.includes(range)) return []
    left = left.replace(range, '')
    return [said]
  })
  const all = [...words, ...left]
  return all.length < 2 ? all.join('') : `${all.slice(0, -1).join(', ')} and ${all.at(-1)}`
}
