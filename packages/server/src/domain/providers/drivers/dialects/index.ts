/** Every dialect: a new one is a file of its own and a line here. */
import { apertium } from './apertium.ts'
import type { Dialect } from './dialect.ts'
import { libreTranslate } from './libretranslate.ts'

export const dialects = { libretranslate: libreTranslate, apertium } as const satisfies Readonly<
  Record<string, Dialect>
>
export type DialectId = keyof typeof dialects
export const dialectIds = Object.keys(dialects) as readonly DialectId[]
