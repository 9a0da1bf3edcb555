/**
 * What can be done with jobs from the list, by the tables of the contract. The hub decides; this
 * only explains.
 */
import { archiveMoves, findMove, isActive, type Job, jobMoves } from '@dragoman/contract/wire'
import type { GlyphName } from '../../look/glyphs.tsx'

export const acts = {
  submit: { call: 'submitJob', glyph: 'upload' },
  complete: { call: 'completeJob', glyph: 'tick' },
  reopen: { call: 'reopenJob', glyph: 'again' },
  archive: { call: 'archiveJob', glyph: 'file' },
  unarchive: { call: 'unarchiveJob', glyph: 'upload' },
} as const satisfies Record<string, { readonly call: string; readonly glyph: GlyphName }>
export type ActName = keyof typeof acts

export function isAllowed(act: ActName, { statusCode, archiveStatus }: Job): boolean {
  if (act === 'archive' || act === 'unarchive')
    return findMove(archiveMoves, archiveStatus, act) !== undefined
  return isActive(archiveStatus) && findMove(jobMoves, statusCode, act) !== undefined
}
