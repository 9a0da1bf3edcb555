export { hasLetter, isBlank } from './placeholders/letters.ts'
export { cutRuns, fromMarkers, type MarkerStyle, toMarkers } from './placeholders/markers.ts'
export { buildParts, hasText, rawOf } from './placeholders/parts.ts'
export { isPlain, protect, slot } from './placeholders/protect.ts'
export {
  codesOf,
  fromWire,
  joined,
  placeholdersIn,
  targetToWire,
  toWire,
  type WireText,
  wireOf,
} from './placeholders/wire-texts.ts'
