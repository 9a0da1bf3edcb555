/** No reader of outside text takes more than a time that grows with its text: a sample; the campaign tries more and longer ones. */
import { expect, test } from 'vitest'
import { officePlaces } from '../packages/server/src/domain/formats/office/office-text.ts'
import { tokensOf } from '../packages/server/src/domain/memory/tokens.ts'
import { pseudoNamedFile } from '../packages/server/src/domain/providers/drivers/pseudo-file.ts'
import { findGrowth, type Read } from './campaigns/growth.ts'
import { alone, around, bytesOf, repeated, type Wrap } from './campaigns/hostile-texts.ts'
import { growScanners, readers } from './campaigns/scanner-growth.ts'

test('twice the text takes every reader at most three times as long, whatever the text', async () => {
  const plan = {
    least: 4_096,
    most: 16_384,
    milliseconds: 3,
    places: 'one',
    own: 4,
    common: 0,
    madeUp: 1,
    seed: 10,
    every: 1,
    from: 0,
  } as const
  const { findings, texts } = await growScanners(plan)
  expect(texts).toBeGreaterThan(readers.length)
  expect(findings).toEqual([])
})

const word = (inner: string) =>
  `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006">${inner}</w:document>`
const fallback = around('<mc:AlternateContent><mc:Fallback>', '</mc:Fallback></mc:AlternateContent>')
const html = (text: string) => pseudoNamedFile('a.html', bytesOf(text), 'de')
const readerOf = (name: string): Read => readers.find((reader) => reader.name === name)?.read ?? alone

/** Texts that once took a time that grew with their square. */
const onceSlow: readonly {
  readonly what: string
  readonly read: Read
  readonly unit: string
  readonly wrap: Wrap
  readonly milliseconds?: number
}[] = [
  {
    what: 'fields of Word that never end',
    read: (text) => officePlaces(text),
    unit: '<w:r><w:fldChar w:fldCharType="begin"/><w:t>x</w:t></w:r>',
    wrap: (inner) => word(`<w:p>${inner}</w:p>`),
    milliseconds: 150,
  },
  {
    what: 'equal paragraphs that Word keeps for old programs',
    read: (text) => officePlaces(text),
    unit: '<w:p><w:r><w:t>x</w:t></w:r></w:p>',
    wrap: (inner) => word(fallback(inner)),
    milliseconds: 150,
  },
  {
    what: 'HTML tags with attributes that look like tags',
    read: html,
    unit: '<a ',
    wrap: (inner) => `<p>x${`<a ${inner.slice(0, inner.length / 2)} title="y">x</a>`.repeat(2)}</p>`,
  },
  {
    what: 'cells of a Markdown table that end with as many blanks',
    read: (text) => pseudoNamedFile('a.md', bytesOf(text), 'de'),
    unit: '\\',
    wrap: (inner) => `|a|\n|-|\n|${inner.slice(0, inner.length / 2)}${' '.repeat(inner.length / 2)}|`,
  },
  {
    what: 'markers of Apertium',
    read: readerOf('answers of Apertium'),
    unit: '<x id="1"/> ',
    wrap: around('<p>', '</p><p></p>'),
  },
  {
    what: 'passwords of accents',
    read: readerOf('passwords and e-mail addresses'),
    unit: '\u0315\u0300',
    wrap: alone,
  },
]

test.each(onceSlow)('$what take linear time', async ({ read, unit, wrap, milliseconds = 40 }) => {
  const plan = { least: 4_096, most: 2 ** 19, milliseconds }
  const { found } = await findGrowth(read, (length) => wrap(repeated(unit).make(length)), plan)
  expect(found).toBeUndefined()
})

test('an emoji costs no more than an ideograph', () => {
  const texts = ['\ud83d\ude00', '漢'].map((unit) => unit.repeat(50_000))
  const least = texts.map(() => Number.POSITIVE_INFINITY)
  for (let round = 0; round < 12; round += 1)
    for (const [at, text] of texts.entries()) {
      const begun = process.cpuUsage()
      tokensOf(text)
      const { user, system } = process.cpuUsage(begun)
      least[at] = Math.min(least[at] ?? 0, user + system)
    }
  const [emoji = 0, ideograph = 0] = least
  expect(emoji).toBeLessThan(4 * ideograph)
})

const blanks = (length: number) => ' '.repeat(length)

test('a reader that looks back at all it has read is found out', async () => {
  const looksBack = (text: string) => {
    let blanks = 0
    for (let at = 0; at < text.length; at += 16) blanks += text.slice(0, at).split(' ').length
    return blanks
  }
  const plan = { least: 1_024, most: 65_536, milliseconds: 4 }
  const bad = await findGrowth(looksBack, blanks, plan)
  expect(bad.found).toMatch(/twice as many/)
  expect(bad.times).toBeGreaterThan(3)
  const good = await findGrowth((text) => text.split(' '), blanks, plan)
  expect(good.found).toBeUndefined()
})

test('so is one whose looking back costs less than all the rest in short texts', async () => {
  // At this length half of the work grows with the text, half of it with its square.
  const even = 8_192
  const mixed = (text: string) => {
    const work = text.length * 50 * (1 + text.length / even)
    let sum = 0
    for (let at = 0; at < work; at += 1) sum = (sum + at) % 7
    return sum
  }
  const { found } = await findGrowth(mixed, blanks, { least: 4_096, most: 2 ** 20, milliseconds: 12 })
  expect(found).toMatch(/twice as many/)
})

test('one that is slow for every character is found out, too', async () => {
  const slow = (text: string) => {
    let sum = 0
    for (let at = 0; at < text.length * 20_000; at += 1) sum = (sum + at) % 7
    return sum
  }
  const { found } = await findGrowth(slow, blanks, { least: 1_024, most: 1_024, milliseconds: 4 })
  expect(found).toMatch(/too long a character/)
})

test('a reader that is slower while its memory grows is not', async () => {
  let [longest, times] = [0, 0]
  const grows = (text: string) => {
    times = text.length > longest ? 1 : text.length === longest ? times + 1 : times
    longest = Math.max(longest, text.length)
    // Each longer text is read a few times before there is room for it.
    const work = text.length * (text.length === longest && times < 7 ? 400 : 200)
    let sum = 0
    for (let at = 0; at < work; at += 1) sum = (sum + at) % 7
    return sum
  }
  const plan = { least: 16_384, most: 65_536, milliseconds: 4 }
  expect((await findGrowth(grows, blanks, plan)).found).toBeUndefined()
})
