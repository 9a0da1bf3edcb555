/**
 * Character classes for counting and tokens, from fixed tables, so that they are the same in every
 * JavaScript engine. One array holds the class of every character, for speed.
 */
import { letters, marks, numbers } from './letters.ts'

export const classes = {
  /** Punctuation, symbols, everything else. */
  other: 0,
  blank: 1,
  /** Long dashes, which separate words. */
  dash: 2,
  letter: 3,
  digit: 4,
  /** Belongs to the letter before it. */
  mark: 5,
  /** Han, Kana, Bopomofo: counted per character. */
  ideograph: 6,
  /** Thai, Lao, Khmer, Burmese: written without blanks, counted per base character. */
  unspaced: 7,
} as const

const blanks = '9-d 20 85 a0 1680 2000-200b 2028 2029 202f 205f 3000'
const dashes = '2013 2014 2015'
const ideographs = `2e80-2fd5 3005 3007 3021-3029 3031-3035 3038-303c 3041-3096 309d-309f 30a1-30fa 30fc-30ff 3105-312f
  31a0-31bf 31f0-31ff 3400-4dbf 4e00-9fff f900-faff ff66-ff9d 16fe2-16ff1 1aff0-1afff 1b000-1b2ff 20000-3fffd`
/** Blocks, of which only letters and numbers are base characters. */
const unspaced = 'e00-eff 1000-109f 1780-17ff 19e0-19ff a9e0-a9ff aa60-aa7f'

type Range = readonly [from: number, to: number]
const read = (text: string): Range[] =>
  text
    .trim()
    .split(/\s+/)
    .map((range) => {
      const [from = 0, to = from] = range.split('-').map((end) => Number.parseInt(end, 16))
      return [from, to]
    })

const kinds = new Uint8Array(0x110000)

function paint(text: string, kind: number, onlyBase = false): void {
  for (const [from, to] of read(text))
    for (let at = from; at <= to; at++)
      if (!onlyBase || kinds[at] === classes.letter || kinds[at] === classes.digit) kinds[at] = kind
}
// Later ones overwrite earlier ones.
paint(letters, classes.letter)
paint(numbers, classes.digit)
paint(marks, classes.mark)
paint(ideographs, classes.ideograph)
paint(unspaced, classes.unspaced, true)
paint(blanks, classes.blank)
paint(dashes, classes.dash)

export const classOf = (character: number): number => kinds[character] ?? classes.other
