/** Every dialect: a new one is a file of its own and a line here. */
import { apertium } from './apertium.ts'
import type { Dialect } from './dialect.ts'
import { libreTranslate } from './libretranslate.ts'

const all = { libretranslate: libreTranslate, apertium } as const satisfies Readonly<Record<string, Dialect>>

export type DialectId = keyof typeof all
export const dialects: Readonly<Record<DialectId, Dialect>> = all
export const dialectIds = Object.keys(all) as readonly DialectId[]
