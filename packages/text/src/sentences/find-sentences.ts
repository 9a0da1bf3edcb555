/**
 * Where the sentences of a text begin. The rules are those of one exact version of sentencex
 * (Wikimedia), because the cut decides what a job costs: another version, or other rules here, need
 * another `cutRule` of the contract. Its work is bounded: a long text is cut window by window.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { initSync, segment } from 'sentencex-wasm'

/**
 * Longer texts are cut in windows: with many quotation marks, the time that sentencex takes grows
 * faster than the text.
 */
export const windowLength = 4_000

let isLoaded = false

/** Two megabytes, so it is read with the first text that may have two sentences. */
function load(): void {
  if (isLoaded) return
  initSync({
    module: readFileSync(
      createRequire(import.meta.url).resolve('sentencex-wasm/sentencex_wasm_bg.wasm'),
    ),
  })
  isLoaded = true
}

/**
 * Offsets in the text at which its second and further sentences begin. Blanks between two sentences
 * are before the offset.
 */
export function sentenceStarts(text: string, language: string): number[] {
  if (!mayEndInside(text)) return []
  load()
  const code = language.split(/[-_]/, 1)[0]?.toLowerCase() ?? ''
  // To sentencex an empty line ends a paragraph; here it is layout. And it fails on other blanks
  // before a full stop: `A\u00a0.`
  const line = text.replace(/\s/g, ' ')
  const starts: number[] = []
  let from = 0
  while (from < line.length) {
    const isLast = line.length - from <= windowLength
    const window = isLast ? line.slice(from) : line.slice(from, endOfWindow(line, from))
    const found = startsIn(window, code)
    // The last sentence of a window may go on behind it.
    for (const one of found.map((at) => from + at)) starts.push(one)
    if (isLast) break
    from += found.at(-1) ?? window.length
  }
  return starts
}

/** Abbreviations that sentencex takes for the end of a sentence. */
const abbreviations: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['fr', new Set(['M.', 'MM.'])],
  ['nl', new Set(['o.a.', 'm.a.w.'])],
])
const longest = 8

function isAbbreviated(before: string, language: string): boolean {
  const word =
    before
      .slice(-longest)
      .trimEnd()
      .split(/[\s(«"“]/)
      .at(-1) ?? ''
  return abbreviations.get(language)?.has(word) === true
}

/** Plain ASCII without a mark that ends a sentence, or with one at its end only, needs no rules. */
function mayEndInside(text: string): boolean {
  const at = text.search(/[.!?\u0080-\uffff]/)
  return at >= 0 && text.slice(at + 1).trim() !== ''
}

/** Never between the halves of a character, and between two words where there are any. */
function endOfWindow(text: string, from: number): number {
  const most = from + windowLength
  const blank = text.lastIndexOf(' ', most - 1)
  if (blank > from + windowLength / 2) return blank + 1
  return text.charCodeAt(most - 1) >>> 10 === 0b110110 ? most - 1 : most
}

function startsIn(window: string, language: string): number[] {
  const sentences = segment(language, window) as readonly string[]
  let at = 0
  const ends = sentences.map(({ length }) => {
    at += length
    return at
  })
  // What it gives back must be the text, or its offsets mean nothing.
  if (at !== window.length) return []
  return ends.slice(0, -1).filter((_, at) => !isAbbreviated(sentences[at] ?? '', language))
}
