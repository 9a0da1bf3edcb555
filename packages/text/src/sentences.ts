export { alignSegments } from './sentences/align-sentences.ts'
export { type CutParagraph, cutParts } from './sentences/cut-parts.ts'
export { joinParagraph } from './sentences/join-paragraph.ts'
