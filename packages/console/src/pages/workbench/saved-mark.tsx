/** Whether what was written is safe: saved and when, on its way, or kept in this browser. */
import { useWriters } from '../../times.ts'
import { useWords } from '../../words/words.ts'
import type { Drafts } from './drafts/use-drafts.ts'
import type { Key } from './texts.ts'

type SavedProps = { readonly drafts: Drafts; readonly isAway: boolean }

export function SavedMark({ drafts: { open, savedAt }, isAway }: SavedProps) {
  const t = useWords<Key>('workbench')
  const writers = useWriters()
  if (open > 0) return t(isAway ? 'keptHere' : 'unsaved', { count: open })
  return savedAt === undefined ? null : t('saved', { time: writers.clock(savedAt) })
}
