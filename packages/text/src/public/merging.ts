/** Two versions of a list of texts that began as the same one, made into one. */
import {
  type Merged,
  type MergeUnit,
  mergeVersions as merge,
  type Prefer,
} from '../versions/merge-versions.ts'

/**
 * Merges two versions of a list of texts. What only one side changed is taken; what both changed,
 * each in its own way, is a collision, and the side that `prefer` names stays: ours by default.
 *
 * @example
 * import { mergeVersions } from '@dragoman/text'
 *
 * const base = [{ id: 'title', text: 'Garten' }]
 * const ours = [{ id: 'title', text: 'Gartengeräte' }]
 * const { merged } = mergeVersions(base, ours, base)
 * console.log(merged[0]?.text) // Gartengeräte
 */
export const mergeVersions = (
  base: readonly MergeUnit[],
  ours: readonly MergeUnit[],
  theirs: readonly MergeUnit[],
  prefer?: Prefer,
): Merged => merge(base, ours, theirs, prefer)
