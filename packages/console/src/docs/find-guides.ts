/** Which sections of the guides have the typed words, best first. Pure. */
import { type Folded, fitOf, folded, formsOf, hitsOf } from './fold-text.ts'

export type GuideRow = readonly [
  title: string,
  path: string,
  sections: readonly (readonly [string, string, string])[],
]
type Section = { readonly title: Folded; readonly id: string; readonly body: Folded }
type Guide = {
  readonly title: Folded
  readonly path: string
  readonly sections: readonly Section[]
}
export type FoundSection = {
  readonly title: string
  readonly of: string
  readonly text: string
  readonly path: string
  readonly isNamed: boolean
}

/** Maximum number of sections of one guide. */
const ofOneGuide = 2
/** A section of this many letters counts as neither long nor short. */
const usual = 1500

export const prepareGuides = (rows: readonly GuideRow[]): Guide[] =>
  rows.map(([title, path, sections]) => ({
    title: folded(title),
    path,
    sections: sections.map(([head, id, text]) => ({ title: folded(head), id, body: folded(text) })),
  }))

export function findGuides(guides: readonly Guide[], words: readonly string[]): FoundSection[] {
  const whole = words.join(' ')
  return guides
    .flatMap((guide) => sectionsOf(guide, words))
    .sort((a, b) => b.score - a.score)
    .map(({ guide, section, score: _ }) => {
      const name = section.id === '' ? guide.title : section.title
      return {
        title: name.text,
        of: section.id === '' ? '' : guide.title.text,
        text: section.body.text,
        path: guide.path + (section.id === '' ? '' : `#${section.id}`),
        isNamed: name.folded === whole,
      }
    })
}

type Scored = { readonly guide: Guide; readonly section: Section; readonly score: number }

/**
 * The best sections with every word. If no section has them all but the guide does, the one with
 * the most.
 */
function sectionsOf(guide: Guide, words: readonly string[]): Scored[] {
  const titles = words.map((word) => 80 * fitOf(guide.title, word))
  const rows = guide.sections.map((section, at) => {
    // The title of a guide names its beginning; its sections follow.
    const named = titles.map((score) => (at === 0 ? score : score / 5))
    const inside = words.map(
      (word) => 35 * fitOf(section.title, word) + weightOf(section.body, word),
    )
    return { section, has: inside.map((score, n) => score + (titles[n] ?? 0) > 0), named, inside }
  })
  if (!words.every((_, n) => rows.some(({ has }) => has[n]))) return []
  const about = words.map((_, n) => rows.reduce((sum, { inside }) => sum + (inside[n] ?? 0), 0))
  const scored = rows.map(({ section, has, named, inside }) => {
    const own = words.reduce((sum, _, n) => sum + (named[n] ?? 0) + (inside[n] ?? 0), 0)
    // A guide that speaks of it throughout is more to the point than one that mentions it.
    const whole = about.reduce((sum, one) => sum + Math.min(20, one / 4), 0)
    const count = has.filter(Boolean).length
    return {
      guide,
      section,
      count,
      score: own === 0 ? 0 : (own + whole) * (count === words.length ? 1 : 0.2),
    }
  })
  const full = scored.filter(({ count, score }) => count === words.length && score > 0)
  const best = full.length > 0 ? full : scored.sort((a, b) => b.count - a.count).slice(0, 1)
  return best.sort((a, b) => b.score - a.score).slice(0, ofOneGuide)
}

/**
 * How much a text is about a word: more for whole words, for many, and in a short text; never more
 * than 25.
 */
function weightOf(text: Folded, word: string): number {
  let count = 0
  formsOf(word).forEach((form, at) => {
    for (const { isWhole } of hitsOf(text, form))
      count += (isWhole ? 1 : 0.6) * (at === 0 ? 1 : 0.7)
  })
  return (25 * count) / (count + 0.5 + text.text.length / usual)
}
