/** Settings that several dialects have, and what their files share. */
import { isText, type LanguagePair } from './dialect.ts'

export const formality = {
  enum: ['formal', 'informal'],
  description: 'How readers are addressed, where the engine knows it for the language.',
} as const

export const resourceName = (description: string) =>
  ({
    type: 'string',
    minLength: 1,
    maxLength: 500,
    pattern: '^[^\\s\\p{Cc}]+$',
    description,
  }) as const

/** A part of a host name or a path. */
export const placeName = (description: string) =>
  ({ type: 'string', pattern: '^[A-Za-z0-9][A-Za-z0-9-]{0,62}$', description }) as const

export const json = 'application/json'

/** Every source language to every target language, as most services translate. */
export const everyPair = (
  sources: readonly string[],
  targets: readonly string[] = sources,
): LanguagePair[] => sources.map((source) => ({ source, targets }))

export const textsIn = (values: readonly unknown[]): string[] => values.filter(isText)

/** The texts of an answer; what is not a text there counts as none. */
export const textOrNone = (value: unknown): string | undefined =>
  isText(value) ? value : undefined
