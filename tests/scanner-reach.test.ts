/**
 * The tables of readers are complete: each hand-written scanner of the sources runs when the
 * readers do. (Regular expressions are judged one by one in tests/regexes.) A new scanner of
 * outside text gets a reader; any other stands in the list here.
 */
import { expect, test } from 'vitest'
import { calledDuring, listScanners, scannersIn } from './campaigns/hand-scanners.ts'
import { alone, repeated } from './campaigns/hostile-texts.ts'
import { readers } from './campaigns/scanner-growth.ts'

/** Loops that look at no outside text. */
const excepted: readonly { readonly has: string; readonly because: string }[] = [
  { has: 'server/src/store/ids.ts ', because: 'new ids.' },
  { has: 'docs/src/', because: 'our own pages.' },
  { has: 'server/src/process/source-lines.ts ', because: 'source maps of our own build.' },
  { has: 'server/src/store/many-rows.ts ', because: 'rows, one after another.' },
  { has: 'risk/model-file.ts readKeys', because: 'a file that ships with the hub.' },
  { has: 'quoting/seen-texts.ts ', because: 'a table that is at most half full.' },
  {
    has: 'metadata-schema.ts slowPattern',
    because: 'at most 24 letters; the patterns tried on them have a time limit.',
  },
  {
    has: 'sdk/src/node/file-source.ts read',
    because: 'a file is read into bytes, piece by piece.',
  },
]

test('each hand-written scanner is run by a reader, or stands in the list with a reason', async () => {
  const all = listScanners()
  expect(all.length).toBeGreaterThan(60)
  const called = await calledDuring(async () => {
    // Some scanners see only short texts, others only long ones. A refusal is a valid result.
    for (const { read, hostile, inside = [alone] } of readers)
      for (const [at, unit] of hostile.entries())
        for (const wrap of inside)
          for (const length of at < 2 ? [40, 1_200] : [40])
            await Promise.resolve(wrap(repeated(unit).make(length)))
              .then(read)
              .catch(() => {})
  })
  const idle = all.filter((one) => !called.has(one))
  expect(idle.filter((one) => !excepted.some(({ has }) => one.includes(has)))).toEqual([])
  expect(excepted.filter(({ has }) => !idle.some((one) => one.includes(has)))).toEqual([])
})

test('a scanner is a function that looks at a text in a loop', () => {
  const source = `
    function walks(text: string) { for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) === 32) return at }
    const peeks = (text: string) => { let at = 0; while (text[at] === ' ') at += 1; return at }
    const searches = (text: string) => text.indexOf(' ')
    function counts(many: number) { for (let at = 0; at < many; at += 1) console.log(at) }
    const room = { skips(text: string) { do text = text.trim(); while (text.startsWith('a')) } }
    function outer(text: string) { const inner = () => { for (;;) text.indexOf('a') }; return inner }
    function asks(given: Buffer) { let at = 0; while (isSpace(given[at])) at += 1; return at }
    function hands(given: string) { let at = 0; while (at < given.length) at = skip(given, at + 1) }
    function letters(word: string) { let all = ''; for (const letter of word) all = letter + all; return all }
    function list(rows: readonly Row[]) { for (let at = 0; at < rows.length; at += 1) use(rows[at]) }
    async function pieces(bytes: AsyncIterable<Buffer>) { for await (const piece of bytes) use(piece) }
    for (const letter of text) table[letter.charCodeAt(0)] = 1
    export default (text: string) => { for (const letter of text) use(letter) }`
  expect(scannersIn(source)).toEqual([
    'walks',
    'peeks',
    'skips',
    'inner',
    'asks',
    'hands',
    'letters',
    '',
  ])
})
