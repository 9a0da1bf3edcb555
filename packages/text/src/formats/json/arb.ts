/**
 * Flutter's ARB: the messages. Keys with `@` are metadata and stay; `@@locale` is set to the target
 * language.
 */

import { languageTag } from '../../plurals/plural-forms.ts'
import { aboutOf } from '../about.ts'
import { defineFormat, type Edit, type SegmentPlace } from '../define-format.ts'
import type { Target } from '../format.ts'
import { placeString, readDocument } from './json-scan.ts'

export const arb = defineFormat({
  id: 'arb',
  charset: { fallsBack: false },
  protects: { newlines: true },
  find: (text) => {
    const places: SegmentPlace[] = []
    const descriptions = new Map<string, string>()
    readDocument(text, (id, from, to) => {
      const place = isMessage(id) ? placeString(text, id, from, to) : undefined
      if (place) places.push({ ...place, about: () => aboutOf([descriptions.get(id)]) })
      else if (id.startsWith('#/@') && id.endsWith('/description'))
        descriptions.set(
          `#/${id.slice(3, -'/description'.length)}`,
          JSON.parse(`"${text.slice(from, to)}"`),
        )
    })
    return places
  },
  retarget: (text, { targetLanguage, nameInFiles }: Target): Edit[] => {
    const edits: Edit[] = []
    readDocument(text, (id, from, to) => {
      if (id === '#/@@locale')
        edits.push({
          start: from,
          end: to,
          text: languageTag(nameInFiles ?? targetLanguage).replaceAll('-', '_'),
        })
    })
    return edits
  },
})

/** Whether a key is at the top level and not metadata. */
const isMessage = (id: string): boolean =>
  id.startsWith('#/') && !id.startsWith('#/@') && !id.includes('/', 2)
