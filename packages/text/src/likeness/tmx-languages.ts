/**
 * Which texts of a TMX unit belong together: by a pair of languages, or by those that the file
 * itself names.
 */
import { findLanguage } from '@dragoman/contract/wire'

export type TmxPair = { readonly sourceLanguage: string; readonly targetLanguage: string }
export type TmxUnit = {
  readonly source: string
  readonly target: string
  readonly context?: string
  /** If the file named its languages. */
  readonly pair?: TmxPair
}
export type Variant = { readonly language: string; readonly isWanted: boolean; text: string }

/** Whether the text in a language is needed. */
export function wantedIn(pair: TmxPair | undefined): (language: string) => boolean {
  if (!pair) return (language) => findLanguage(language) !== undefined
  const wanted = new Set(
    [pair.sourceLanguage, pair.targetLanguage].flatMap((code) => [languageOf(code), bare(code)]),
  )
  return (language) => wanted.has(languageOf(language))
}

/** Undefined without a text in both languages. */
export function unitOf(variants: readonly Variant[], pair: TmxPair): TmxUnit | undefined {
  const source = textIn(variants, pair.sourceLanguage)
  const target = textIn(variants, pair.targetLanguage)
  return source?.trim() && target?.trim() ? { source, target } : undefined
}

/** The exact language in any spelling, or else one without a region. */
function textIn(variants: readonly Variant[], wanted: string): string | undefined {
  const code = languageOf(wanted)
  const language = bare(wanted)
  const exact = variants.find((one) => languageOf(one.language) === code)
  return (exact ?? variants.find((one) => languageOf(one.language) === language))?.text
}

/**
 * One for each target language that the hub accepts. The source is the declared one, or else the
 * first.
 */
export function unitsOf(
  variants: readonly Variant[],
  declared: string | undefined,
): (TmxUnit | undefined)[] {
  const known = variants.filter(({ isWanted, text }) => isWanted && text.trim() !== '')
  const source =
    declared === undefined || declared === '*all*'
      ? known[0]
      : known.find((one) => languageOf(one.language) === languageOf(declared))
  const targets = known.filter((one) => one !== source)
  if (!source || targets.length === 0) return [undefined]
  return targets.map((target) => ({
    source: source.text,
    target: target.text,
    pair: { sourceLanguage: source.language, targetLanguage: target.language },
  }))
}

const bare = (code: string): string => languageOf(code).split('-', 1)[0] ?? code
/** A code in one spelling. */
export const languageOf = (code: string): string => code.replaceAll('_', '-').toLowerCase()
