/** Counts the words of texts and files, by the rule of the hub's quotes. */
import type { FormatId } from '@dragoman/contract/wire'
import {
  addCounts,
  type Counts,
  countParts,
  noCounts,
  weightedWords,
} from '../counting/count-words.ts'
import { optionsOf } from '../formats/find-format.ts'
import { cutTexts } from '../formats/whole-files.ts'
import { type FileOptions, openNamed } from './files.ts'

/** The words of a text. */
export type WordCount = {
  /** What a quote charges: each word, and each character of a script without spaces. */
  readonly words: number
  /** Han, Kana and Bopomofo characters; each counts as a word. */
  readonly ideographs: number
  /** Base characters of Thai, Lao, Khmer and Burmese; each counts as a word. */
  readonly unspaced: number
  /** All characters but blanks. */
  readonly characters: number
  /** Words of digits alone. */
  readonly numbers: number
  /** Placeholders, which are no words. */
  readonly placeholders: number
  /** Tags, which are no words. */
  readonly tags: number
}

/** The words of a file. */
export type FileWordCount = WordCount & {
  /** The name of the format, such as `json`. */
  readonly format: FormatId
  /** The number of texts that were counted. */
  readonly segments: number
}

const wordCount = (counts: Counts): WordCount => ({ ...counts, words: weightedWords(counts) })

/**
 * Counts the words of a text. Placeholders and tags are no words.
 *
 * @example
 * import { countWords } from '@dragoman/text'
 *
 * console.log(countWords('Hello {name}, welcome back').words) // 3
 */
export const countWords = (text: string): WordCount => {
  const [parts = []] = cutTexts([text])
  return wordCount(countParts(parts))
}

/**
 * Counts the words of a file as the hub counts them for a quote. Keys, comments and translations
 * that stay are not counted. Throws a FormatError if the format is unknown or the file is broken.
 *
 * @example
 * import { countFileWords } from '@dragoman/text'
 *
 * const bytes = new TextEncoder().encode('<h1>Welcome back</h1><p>You have 5 messages.</p>')
 * const { format, segments, words } = countFileWords('home.html', bytes)
 * console.log(format, segments, words) // html 2 6
 */
export function countFileWords(
  fileName: string,
  bytes: Uint8Array,
  options: FileOptions = {},
): FileWordCount {
  const { format, named } = openNamed(fileName, bytes, options)
  const counted = format.read(bytes, optionsOf(named)).filter(({ held }) => !held)
  const counts = counted.reduce((sum, { parts }) => addCounts(sum, countParts(parts)), noCounts)
  return { format: format.id, segments: counted.length, ...wordCount(counts) }
}
