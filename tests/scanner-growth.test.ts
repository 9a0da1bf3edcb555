/** No reader of outside text takes more than a time that grows with its text: a sample; the campaign tries more and longer ones. */
import { expect, test } from 'vitest'
import { findGrowth } from './campaigns/growth.ts'
import { growScanners } from './campaigns/scanner-growth.ts'
import { findingsOf, openTally } from './campaigns/tally.ts'

test('twice the text takes every reader at most three times as long, whatever the text', async () => {
  const plan = {
    least: 16_384,
    most: 16_384,
    milliseconds: 2,
    places: 'one',
    own: 4,
    common: 0,
    madeUp: 1,
    seed: 10,
  } as const
  const tally = openTally('growth of readers')
  await growScanners(plan, tally)
  expect(findingsOf(tally.end())).toEqual([])
})

test('a reader that looks back at all it has read is found out', async () => {
  const looksBack = (text: string) => {
    let blanks = 0
    for (let at = 0; at < text.length; at += 16) blanks += text.slice(0, at).split(' ').length
    return blanks
  }
  const plan = { least: 1_024, most: 65_536, milliseconds: 4 }
  expect(await findGrowth(looksBack, (length) => ' '.repeat(length), plan)).toMatch(/twice as many/)
  expect(
    await findGrowth(
      (text) => text.split(' '),
      (length) => ' '.repeat(length),
      plan,
    ),
  ).toBeUndefined()
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
  expect(await findGrowth(grows, (length) => ' '.repeat(length), plan)).toBeUndefined()
})
