/**
 * What to write where: asks for the translation of each segment in turn and spells it for its
 * place.
 */

import type { Part } from '../placeholders/part.ts'
import { sameParts } from '../placeholders/parts.ts'
import type { Segment, Target, Translate } from './format.ts'
import { FormatError } from './format-error.ts'
import type { Edit, SegmentPlace } from './place.ts'

type Edits = {
  readonly visit: (place: SegmentPlace, segment: Segment) => void
  readonly finish: () => Edit[]
}

type Member = {
  readonly place: SegmentPlace
  readonly segment: Segment
  readonly parts: readonly Part[]
}
type Group = { readonly name: string; readonly members: Member[]; isChanged: boolean }

export function openEdits(translate: Translate<Segment>, target: Target): Edits {
  const edits: Edit[] = []
  const also = new Map<string, Edit>()
  let group: Group | undefined

  const add = (place: SegmentPlace, said: string, texts?: readonly string[]): void => {
    const text = place.compose ? place.compose(said, target, texts ?? [said]) : said
    if (place.also)
      for (const edit of place.also(target, text))
        also.set(`${edit.start} ${edit.end} ${edit.text}`, edit)
    edits.push({ start: place.start, end: place.end, text, verbatim: place.verbatim })
  }
  const endGroup = (): void => {
    if (group?.isChanged) {
      const { members } = group
      const texts = members.map(({ place, segment, parts }) => render(place, segment.id, parts))
      members.forEach(({ place }, at) => {
        add(place, texts[at] ?? '', texts)
      })
    }
    group = undefined
  }
  return {
    visit: (place, segment) => {
      const parts = translate(segment)
      const isChanged =
        parts !== undefined &&
        !sameParts(parts, place.target === undefined ? segment.parts : (segment.target ?? []))
      if (group && group.name !== place.together) endGroup()
      if (place.together) {
        group ??= { name: place.together, members: [], isChanged: false }
        group.members.push({ place, segment, parts: parts ?? segment.parts })
        group.isChanged ||= isChanged
      } else if (isChanged) add(place, render(place, segment.id, parts))
    },
    finish: () => {
      endGroup()
      for (const edit of also.values()) edits.push(edit)
      return edits
    },
  }
}

function render(place: SegmentPlace, id: string, parts: readonly Part[]): string {
  let said = ''
  for (const part of parts) said += part.type === 'code' ? part.raw : spelled(place, id, part.text)
  return place.around ? place.around[0] + said + place.around[1] : said
}

function spelled(place: SegmentPlace, id: string, text: string): string {
  const written = place.spell(text)
  if (written.isWellFormed()) return written
  throw new FormatError(
    'UNREPRESENTABLE',
    `The translation of "${id}" contains half a character (a lone surrogate).`,
  )
}
