export { adaptTarget } from './likeness/adapt.ts'
export { decodeXml } from './likeness/decode-xml.ts'
export { distance, type Known, likenessOf, likenessOfTexts } from './likeness/likeness.ts'
export {
  eachProbe,
  maxTokens,
  minEdits,
  minPercent,
  pieceKeys,
  signatureOf,
  twinKey,
  unitKeys,
} from './likeness/pieces.ts'
export { charactersOf, likenessOfShort } from './likeness/short-texts.ts'
export { contextOf, hashOf } from './likeness/source-hash.ts'
export { partsIn, writtenText } from './likeness/texts.ts'
export { TmxError } from './likeness/tmx-error.ts'
export {
  languageOf,
  type TmxPair,
  type TmxUnit,
  unitOf,
  unitsOf,
  type Variant,
  wantedIn,
} from './likeness/tmx-languages.ts'
export { matchRule, plainSource, tokensOf, tokensOfAll, wordsOf } from './likeness/tokens.ts'
