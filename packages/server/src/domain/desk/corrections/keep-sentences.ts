/**
 * A translation knows paragraphs. Where sentences cannot be told apart in one that a reviewer
 * corrected, the desk remembers which text belongs to which sentence.
 */
import type { TextParts } from '@dragoman/contract'
import type { Hub } from '../../../hub.ts'
import type { Db } from '../../../store/database.ts'
import { sealNote } from '../../files/seals/notes.ts'
import { emptyRow } from '../describe-segment.ts'
import type { DeskSegment } from '../desk-segments.ts'
import { type RequestPath, writeDelivered } from '../drafts.ts'

export type Sentence = { readonly segmentId: string; readonly target: TextParts }

/**
 * Takes the sentences of a desk in their order, and adds those of each corrected paragraph to the
 * list. The parts of an id that name the paragraph come before `~`.
 */
export function openSentences(found: Sentence[]) {
  let open: { readonly of: string; readonly all: Sentence[]; isKept: boolean } | undefined
  const end = () => {
    if (open?.isKept) found.push(...open.all)
    open = undefined
  }
  const add = (segment: DeskSegment, target: TextParts | undefined, isCorrected: boolean) => {
    if (!segment.isSentence) return end()
    const of = paragraphOf(segment)
    if (open?.of !== of) {
      end()
      open = { of, all: [], isKept: false }
    }
    if (target) open.all.push({ segmentId: segment.segmentId, target })
    if (isCorrected || segment.paragraph !== undefined) open.isKept = true
  }
  return Object.assign(add, { end })
}

const paragraphOf = ({ unit }: DeskSegment): string => unit.slice(0, unit.lastIndexOf('~'))

export async function keepSentences(
  hub: Hub,
  tx: Db,
  path: RequestPath,
  sentences: readonly Sentence[],
  version: number,
): Promise<void> {
  const rows = sentences.map(({ segmentId, target }) => ({
    ...emptyRow(path, segmentId),
    version,
    changed_at: hub.clock.now(),
    delivered: sealNote(hub, JSON.stringify(target)),
  }))
  for (const row of rows) await writeDelivered(tx, row)
}
