/**
 * The catalogues: every language has every text, with the same values and tags, in valid syntax.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { checkNames, checkOf } from '@dragoman/contract/wire'
import { describe, expect, it } from 'vitest'
import { formatMessage, type MessagePart, parseMessage, pseudo } from './messages.ts'

const languages = ['de', 'fr', 'es', 'ja', 'ar']
const folder = (language: string) => new URL(`./${language}/`, import.meta.url)
const read = (language: string, file: string) =>
  JSON.parse(readFileSync(new URL(file, folder(language)), 'utf8')) as Record<string, string>
const filesOf = (language: string) =>
  readdirSync(folder(language)).filter((name) => name.endsWith('.json'))
const files = filesOf('en')

/** The names of the values and tags of a message, in alphabetical order. */
function namesIn(parts: readonly MessagePart[]): string[] {
  const found = parts.flatMap((part): string[] => {
    if (typeof part === 'string' || 'count' in part) return []
    if ('tag' in part) return [`<${part.tag}>`, ...namesIn(part.parts)]
    if ('kind' in part) return [part.arg, ...Object.values(part.cases).flatMap(namesIn)]
    return [part.arg]
  })
  return [...new Set(found)].sort()
}

describe('the catalogues', () => {
  it.each(languages)('%s has the files of English', (language) => {
    expect(filesOf(language)).toEqual(files)
  })

  it.each(languages.flatMap((language) => files.map((file) => [language, file] as const)))(
    '%s/%s',
    (language, file) => {
      const [english, texts] = [read('en', file), read(language, file)]
      expect(Object.keys(texts).sort()).toEqual(Object.keys(english).sort())
      for (const [key, text] of Object.entries(texts))
        expect([key, namesIn(parseMessage(text))]).toEqual([
          key,
          namesIn(parseMessage(english[key] ?? '')),
        ])
    },
  )
})

it('has a sentence for every finding of a check, with facts that the finding has', () => {
  const texts = read('en', 'checks.json')
  const sentences = checkNames.flatMap((name) =>
    Object.entries(checkOf(name).says).map(([says, facts]) => [`${name}.${says}`, facts] as const),
  )
  const own = Object.keys(texts).filter((key) => key !== 'more' && !/^(mark|fix)\./.test(key))
  expect(own.sort()).toEqual(sentences.map(([key]) => key).sort())
  for (const [key, facts] of sentences)
    expect([
      key,
      namesIn(parseMessage(texts[key] ?? '')).filter((name) => !facts.includes(name)),
    ]).toEqual([key, []])
})

it('has words for the fix of checks that have one', () => {
  const fixes = Object.keys(read('en', 'checks.json')).filter((key) => key.startsWith('fix.'))
  const mending = checkNames.filter((name) => checkOf(name).fixes).map((name) => `fix.${name}`)
  expect(fixes.filter((key) => !mending.includes(key))).toEqual([])
})

describe('a message', () => {
  const write = (
    text: string,
    values = {},
    language = 'en',
    change = (parts: MessagePart[]) => parts,
  ) =>
    formatMessage<string>(
      change(parseMessage(text)),
      values,
      language,
      (tag, inside) => `[${tag} ${inside.join('')}]`,
    ).join('')

  it.each([
    ['Hello {name}', { name: '<b>' }, 'en', 'Hello <b>'],
    ['{n, plural, one {# job} other {# jobs}}', { n: 1 }, 'en', '1 job'],
    ['{n, plural, =0 {none} one {# job} other {# jobs}}', { n: 0 }, 'en', 'none'],
    ['{n, plural, one {# job} other {# jobs}}', { n: 12345 }, 'en', '12,345 jobs'],
    ['{n, plural, two {مهمتان} few {# مهام} other {# مهمة}}', { n: 2 }, 'ar', 'مهمتان'],
    ['{who, select, me {mine} other {theirs}}', { who: 'me' }, 'en', 'mine'],
    ['<b>{n}</b> late', { n: 3 }, 'en', '[b 3] late'],
  ])('%s', (text, values, language, expected) => {
    expect(write(text, values, language)).toBe(expected)
  })

  it('is longer and accented in the pseudo-locale, with its values as they are', () => {
    expect(write('Open {page}', { page: 'Jobs' }, 'en', pseudo)).toBe('Opëñ Jobs ~~')
  })

  it.each(['{n, plural, one {x}}', '{', '<b>x', '{n, date}'])('%s is refused', (text) => {
    expect(() => parseMessage(text)).toThrow(SyntaxError)
  })
})
