/** The sentence of a text that shows best what was looked for. Pure. */
import { fitOf, folded, formsOf, hitsOf } from './fold-text.ts'

const mostShown = 160

/** The first of the sentences with the most of the words; a long one is cut around the word. */
export function findSentence(text: string, words: readonly string[]): string {
  let best = { sentence: '', score: 0 }
  for (const line of text.split('\n'))
    for (const sentence of sentencesOf(line)) {
      const whole = folded(sentence)
      const score = words.reduce(
        (sum, word) => sum + (fitOf(whole, word) > 0 ? 1 + fitOf(whole, word) / 10 : 0),
        0,
      )
      if (score > best.score) best = { sentence, score }
    }
  return around(best.sentence || (sentencesOf(text.split('\n', 1)[0] ?? '')[0] ?? ''), words)
}

function sentencesOf(line: string): string[] {
  const ends = [...line.matchAll(/[.!?] /g)].map(({ index }) => index + 2)
  return [0, ...ends]
    .map((start, at) => line.slice(start, ends[at]).replace(/^· /, '').trim())
    .filter(Boolean)
}

function around(sentence: string, words: readonly string[]): string {
  if (sentence.length <= mostShown) return sentence
  const whole = folded(sentence)
  const places = words.flatMap((word) =>
    formsOf(word).flatMap((form) => [...hitsOf(whole, form)].map(({ at }) => at)),
  )
  const first = Math.min(...places, sentence.length)
  const start =
    first < mostShown - 40 || places.length === 0 ? 0 : sentence.lastIndexOf(' ', first - 60) + 1
  const end =
    start + mostShown >= sentence.length
      ? sentence.length
      : sentence.lastIndexOf(' ', start + mostShown)
  return `${start > 0 ? '… ' : ''}${sentence.slice(start, end)}${end < sentence.length ? ' …' : ''}`
}
