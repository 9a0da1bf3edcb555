/**
 * JSON: every string value is a segment; its id is `#` and its JSON pointer, numbered if a key
 * occurs twice. Keys never become keys of an object. Comments and trailing commas are accepted,
 * because many files have them. A plural, as i18next and Rails write it, gets the forms that the
 * target language needs.
 */
import type { FormatOptions } from '@dragoman/contract/wire'
import { defineFormat, escapeId, type SegmentPlace } from '../define-format.ts'
import { openPlurals } from './json-plurals.ts'
import { placeString, readDocument } from './json-scan.ts'

export const json = defineFormat({
  id: 'json',
  charset: { fallsBack: false },
  protects: { newlines: true, names: true },
  find: (text, options) => {
    const places: SegmentPlace[] = []
    const isText = textsOf(options.json)
    const plurals = openPlurals(text)
    readDocument(
      text,
      (id, from, to) => {
        const isForm = plurals.value(id)
        const place = isText(id) ? placeString(text, id, from, to) : undefined
        if (place) places.push(isForm ? plurals.withForms(place, to) : place)
      },
      { key: plurals.key },
    )
    return places
  },
})

/** Decides by the keys of the path to a value. */
function textsOf({
  keys,
  skipKeys = [],
}: NonNullable<FormatOptions['json']> = {}): (id: string) => boolean {
  if (!keys?.length && skipKeys.length === 0) return () => true
  const [wanted, left] = [
    keys?.length && new Set(keys.map(escapeId)),
    new Set(skipKeys.map(escapeId)),
  ]
  return (id) => {
    const path = id.split('/').slice(1)
    return !path.some((key) => left.has(key)) && (!wanted || path.some((key) => wanted.has(key)))
  }
}
