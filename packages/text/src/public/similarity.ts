/** How alike two texts are. */
import { likenessOfTexts } from '../likeness/likeness.ts'

/**
 * How alike two texts are in per cent, as the hub's translation memory counts it: 100 for equal
 * texts, 96 to 99 for the same words, otherwise the share of words that stay. Texts that are too
 * different for a match are 0.
 *
 * @example
 * import { similarity } from '@dragoman/text'
 *
 * console.log(similarity('Save the file now', 'Save the file now!')) // 80
 */
export const similarity = (one: string, other: string): number => likenessOfTexts(one, other)
