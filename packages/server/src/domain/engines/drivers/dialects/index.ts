/** Every dialect: a new one is a file of its own and a line here. */
import { amazon } from './amazon.ts'
import { apertium } from './apertium.ts'
import { azure } from './azure.ts'
import { chat } from './chat.ts'
import { deepl } from './deepl.ts'
import type { Dialect } from './dialect.ts'
import { google } from './google.ts'
import { libreTranslate } from './libretranslate.ts'
import { modernmt } from './modernmt.ts'

const all = {
  libretranslate: libreTranslate,
  apertium,
  deepl,
  google,
  azure,
  amazon,
  modernmt,
  chat,
} as const satisfies Readonly<Record<string, Dialect>>

export type DialectId = keyof typeof all
export const dialects: Readonly<Record<DialectId, Dialect>> = all
export const dialectIds = Object.keys(all) as readonly DialectId[]
