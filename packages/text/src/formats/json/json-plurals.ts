/**
 * Plurals in JSON: `item_one` and `item_other` of i18next (`item_ordinal_other` for ordinal
 * numbers), or an object whose keys are all plural forms. Forms that only the target language has
 * become copies of `other`, in front of it.
 */

import { ordinalCategories, pluralCategories } from '../../plurals/plural-categories.ts'
import type { SegmentPlace } from '../define-format.ts'
import { layoutBefore } from '../xml/xml-content.ts'
import { endOfKey } from './json-scan.ts'

const form = /([/_])(zero|one|two|few|many|other)$/

type Plurals = {
  /** Called for every key of the document. */
  readonly key: (path: string, at: number) => void
  /** For every text: whether it is the form `other` of something that may be a plural. */
  readonly value: (path: string) => boolean
  /** Whether it is a plural is known when the document has been read: before it is written. */
  readonly withForms: (place: SegmentPlace, end: number) => SegmentPlace
}

export function openPlurals(text: string): Plurals {
  /** The forms of each plural, by its path and the separator. */
  const found = new Map<string, Set<string>>()
  /** Objects with keys that are no forms. */
  const mixed = new Set<string>()
  let keyAt = 0
  return {
    key: (path, at) => {
      keyAt = at
      if (!form.test(path) || path.lastIndexOf('_') > path.lastIndexOf('/'))
        mixed.add(path.slice(0, path.lastIndexOf('/')))
    },
    value: (path) => {
      const [suffix, , category = ''] = form.exec(path) ?? []
      if (suffix === undefined) return false
      const name = path.slice(0, -category.length)
      const forms = found.get(name) ?? new Set()
      if (forms.size === 0) found.set(name, forms)
      forms.add(category)
      return category === 'other'
    },
    withForms: (place, end) => {
      const [at, name] = [keyAt, (place.id ?? '').slice(0, -'other'.length)]
      return {
        ...place,
        also: ({ targetLanguage }, written) => {
          const forms = found.get(name)
          if (!forms || forms.size < 2 || (name.endsWith('/') && mixed.has(name.slice(0, -1))))
            return []
          const categories = name.endsWith('_ordinal_') ? ordinalCategories : pluralCategories
          const keyEnd = endOfKey(text, at) + 1
          const key = text.slice(at, keyEnd)
          if (!key.endsWith('other"')) return []
          const value = text.slice(keyEnd, place.start) + written + text.slice(place.end, end + 1)
          const missing = categories(targetLanguage).filter((category) => !forms.has(category))
          const members = missing.map(
            (category) =>
              `${key.slice(0, -'other"'.length)}${category}"${value},${layoutBefore(text, at)}`,
          )
          return [{ start: at, end: at, text: members.join('') }]
        },
      }
    },
  }
}
