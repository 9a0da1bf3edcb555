/**
 * The work of every reader of outside text grows linearly with the text, counted and not timed: a
 * sample. The campaign measures time, on more and longer texts.
 */
import { describe, expect, test } from 'vitest'
import { officePlaces } from '../packages/text/src/formats/office/office-text.ts'
import { tokensOf } from '../packages/text/src/likeness/tokens.ts'
import { pseudoNamedFile } from '../packages/text/src/pseudo/pseudo-file.ts'
import { allocatedBytes, bytesPerCharacter } from './allocated-bytes.ts'
import { findGrowth, type GrowthPlan, type Read } from './campaigns/growth.ts'
import { alone, around, bytesOf, repeated, type Wrap } from './campaigns/hostile-texts.ts'
import { countScanners, readers } from './campaigns/scanner-growth.ts'
import { sized } from './draws.ts'
import { growthOfWork, mostGrowth, withWorkCount } from './work-count.ts'

test('twice the text takes no reader much more than twice the work, whatever the text', async () => {
  const plan = { places: 'one', own: sized(1, 4), common: 0, madeUp: 1 } as const
  const { findings, texts } = await withWorkCount((count) =>
    countScanners({ ...plan, seed: 10 }, count),
  )
  expect(texts).toBeGreaterThan(readers.length)
  expect(findings).toEqual([])
})

const word = (inner: string) =>
  `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006">${inner}</w:document>`
const fallback = around(
  '<mc:AlternateContent><mc:Fallback>',
  '</mc:Fallback></mc:AlternateContent>',
)
const html = (text: string) => pseudoNamedFile('a.html', bytesOf(text), 'de')
const readerOf = (name: string): Read =>
  readers.find((reader) => reader.name === name)?.read ?? alone

/** Texts that once took a time that grew with their square. */
const onceSlow: readonly {
  readonly what: string
  readonly read: Read
  readonly unit: string
  readonly wrap: Wrap
}[] = [
  {
    what: 'short words of an Android string',
    read: (text) => pseudoNamedFile('strings.xml', bytesOf(text), 'de'),
    unit: 'ab ',
    wrap: around('<resources><string name="a">', '</string></resources>'),
  },
  {
    what: 'fields of Word that never end',
    read: (text) => officePlaces(text),
    unit: '<w:r><w:fldChar w:fldCharType="begin"/><w:t>x</w:t></w:r>',
    wrap: (inner) => word(`<w:p>${inner}</w:p>`),
  },
  {
    what: 'equal paragraphs that Word keeps for old programs',
    read: (text) => officePlaces(text),
    unit: '<w:p><w:r><w:t>x</w:t></w:r></w:p>',
    wrap: (inner) => word(fallback(inner)),
  },
  {
    what: 'HTML tags with attributes that look like tags',
    read: html,
    unit: '<a ',
    wrap: (inner) =>
      `<p>x${`<a ${inner.slice(0, inner.length / 2)} title="y">x</a>`.repeat(2)}</p>`,
  },
  {
    what: 'cells of a Markdown table that end with as many blanks',
    read: (text) => pseudoNamedFile('a.md', bytesOf(text), 'de'),
    unit: '\\',
    wrap: (inner) =>
      `|a|\n|-|\n|${inner.slice(0, inner.length / 2)}${' '.repeat(inner.length / 2)}|`,
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

test.each(onceSlow)('$what take linear work', async ({ read, unit, wrap }) => {
  const make = (length: number) => wrap(repeated(unit).make(length))
  const growth = await withWorkCount((count) => growthOfWork(count, read, make, 8_192))
  expect(growth).toBeLessThan(mostGrowth)
})

test.each<[what: string, fileName: string, wrap: Wrap]>([
  ['an attribute of HTML', 'a.html', around('<p title="', '">x</p>')],
  ['an attribute of HTML without quotes', 'a.html', around('<p title=', '>x</p>')],
  ['an attribute of HTML with references', 'a.html', around('<p title="&#233;&amp; ', '">x</p>')],
  ['an attribute of an HTML tag in a text', 'a.html', around('<p>x <a title="', '">x</a></p>')],
  ['a text of HTML', 'a.html', around('<p>&#233; ', '</p>')],
  ['a text of XML', 'a.xml', around('<a>&#233; ', '</a>')],
  ['a text of JSON', 'a.json', around('["a\\nb ', '"]')],
])(
  'a long text is copied a few times, not character by character, as %s',
  async (_, fileName, wrap) => {
    const length = 100_000
    const read = (text: string) => pseudoNamedFile(fileName, bytesOf(text), 'de')
    expect((await allocatedBytes(read, wrap('x'.repeat(length)))) / length).toBeLessThan(
      bytesPerCharacter,
    )
  },
)

test('an emoji costs no more than an ideograph', async () => {
  const texts = ['\ud83d\ude00', '漢'].map((unit) => unit.repeat(5_000))
  for (const text of texts) tokensOf(text)
  const [emoji = 0, ideograph = 0] = await withWorkCount((count) => count(tokensOf, ...texts))
  // An emoji is two units of a text, an ideograph is one.
  expect(emoji / 2).toBeLessThan(4 * ideograph)
})

test('a reader that looks back at all it has read does work that grows with the square', async () => {
  const looksBack = (text: string) => {
    let blanks = 0
    for (let at = 0; at < text.length; at += 16) blanks += text.slice(0, at).split(' ').length
    return blanks
  }
  const blanks = (length: number) => ' '.repeat(length)
  const growth = (read: Read) => withWorkCount((count) => growthOfWork(count, read, blanks))
  expect(await growth(looksBack)).toBeGreaterThan(3.5)
  expect(await growth((text) => text.split(' '))).toBeLessThan(2.1)
})

describe('the campaign, which measures time,', () => {
  let spent = 0
  /** A reader that takes this long, on a clock that only readers move. */
  const verdict = (took: (length: number) => number, plan: GrowthPlan) => {
    const read = (text: string) => {
      spent += took(text.length)
    }
    return findGrowth(read, (length) => ' '.repeat(length), { ...plan, clock: () => spent })
  }

  test('finds a reader that looks back at everything it has read', async () => {
    const plan = { least: 1_024, most: 65_536, milliseconds: 4 }
    const bad = await verdict((length) => length ** 2 / 100_000, plan)
    expect(bad.found).toMatch(/twice as many/)
    expect(bad.times).toBeGreaterThan(3)
    const good = await verdict((length) => length / 10_000, plan)
    expect(good.found).toBeUndefined()
  })

  test('finds one whose looking back costs less than everything else in short texts', async () => {
    // At this length half of the work grows with the text, half of it with its square.
    const even = 8_192
    const mixed = (length: number) => (length / 10_000) * (1 + length / even)
    const { found } = await verdict(mixed, { least: 4_096, most: 2 ** 20, milliseconds: 12 })
    expect(found).toMatch(/twice as many/)
  })

  test('finds one that is slow for every character', async () => {
    const { found } = await verdict((length) => length / 20, {
      least: 1_024,
      most: 1_024,
      milliseconds: 4,
    })
    expect(found).toMatch(/too long a character/)
  })

  test('has nothing against one that is slower while its memory grows', async () => {
    let [longest, times] = [0, 0]
    const grows = (length: number) => {
      times = length > longest ? 1 : length === longest ? times + 1 : times
      longest = Math.max(longest, length)
      // Each longer text is read a few times before there is room for it.
      return (length / 10_000) * (length === longest && times < 7 ? 2 : 1)
    }
    const plan = { least: 16_384, most: 65_536, milliseconds: 4 }
    expect((await verdict(grows, plan)).found).toBeUndefined()
  })
})
