/**
 * The guard of an editor with tags: whatever an edit does, by key, paste, drop or input method, no
 * tag stands more often than it may, and a tag enters only when it is placed on purpose. A placed
 * tag that stands elsewhere already is moved.
 */
import {
  Annotation,
  type ChangeSpec,
  EditorState,
  type Extension,
  type Transaction,
} from '@codemirror/state'
import type { TagCharacters } from './tag-characters.ts'

/**
 * On transactions that place tags: the commands for them, and the paste of what was copied in the
 * same segment.
 */
export const placing = Annotation.define<true>()

type Counts = Map<string, number>
type Inserted = { readonly from: number; readonly to: number }

export function guardTags(characters: TagCharacters): Extension {
  return EditorState.transactionFilter.of((transaction) => {
    if (!transaction.docChanged) return transaction
    const changes = surplusOf(transaction, characters)
    return changes.length > 0 ? [transaction, { changes, sequential: true }] : transaction
  })
}

/** The tags of the new document that may not stay. */
function surplusOf(transaction: Transaction, characters: TagCharacters): ChangeSpec[] {
  const inserted: Inserted[] = []
  const [removed, added]: [Counts, Counts] = [new Map(), new Map()]
  transaction.changes.iterChanges((fromA, toA, from, to, text) => {
    count(removed, transaction.startState.sliceDoc(fromA, toA), characters)
    count(added, text.sliceString(0), characters)
    inserted.push({ from, to })
  }, true)
  if (added.size === 0) return []
  const before: Counts = new Map()
  count(before, transaction.startState.sliceDoc(), characters)
  const isPlaced = transaction.annotation(placing) === true
  /** How many of the inserted ones stay, and how many others leave for them. */
  const [stay, leave]: [Counts, Counts] = [new Map(), new Map()]
  for (const [character, here] of added) {
    const stood = before.get(character) ?? 0
    const gone = removed.get(character) ?? 0
    const times = characters.times(character)
    // Without purpose, an edit inserts a tag only where it writes again what it takes away.
    const stays = Math.min(here, isPlaced ? times : gone)
    stay.set(character, stays)
    leave.set(character, Math.max(0, stood - gone + stays - Math.max(times, stood)))
  }
  return removals(transaction.newDoc.sliceString(0), { inserted, added, stay, leave })
}

type Verdict = {
  readonly inserted: readonly Inserted[]
  readonly added: Counts
  readonly stay: Counts
  readonly leave: Counts
}

function removals(document: string, { inserted, added, stay, leave }: Verdict): ChangeSpec[] {
  const found: ChangeSpec[] = []
  const takes = (counts: Counts, character: string): boolean => {
    const left = counts.get(character) ?? 0
    counts.set(character, left - 1)
    return left > 0
  }
  for (let at = 0; at < document.length; at += 1) {
    const character = document.charAt(at)
    if (!added.has(character)) continue
    const isNew = inserted.some(({ from, to }) => at >= from && at < to)
    if (isNew ? !takes(stay, character) : takes(leave, character))
      found.push({ from: at, to: at + 1 })
  }
  return found
}

function count(counts: Counts, text: string, characters: TagCharacters): void {
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at)
    if (characters.times(character) > 0) counts.set(character, (counts.get(character) ?? 0) + 1)
  }
}
