/** How running text is cut into segments. */
export const segmentations = ['SENTENCES', 'PARAGRAPHS'] as const
export type Segmentation = (typeof segmentations)[number]

/**
 * The rules by which sentences are cut, kept with each job: other rules get another name, and the
 * job keeps its own.
 */
export const cutRule = 'cut/v1'
