export { type About, limitFor, limitIn } from './formats/about.ts'
export { bounds, mustFitBytes } from './formats/bounds.ts'
export { decode, peek } from './formats/charset.ts'
export { bounded, type KeyedText, notCompared } from './formats/compare-delivery.ts'
export { findFormat, type Named, optionsOf } from './formats/find-format.ts'
export type {
  Format,
  Rewritten,
  Segment,
  Target,
  Translate,
  Translations,
} from './formats/format.ts'
export { FormatError, type FormatErrorCode } from './formats/format-error.ts'
export { htmlCharset } from './formats/html/html.ts'
export { type HtmlToken, scanHtml } from './formats/html/html-tokens.ts'
export { cutTexts, readFile, writeFile } from './formats/whole-files.ts'
export { findOutsideXml } from './formats/xml/xml-characters.ts'
export { xmlCharset } from './formats/xml/xml-text.ts'
export { openZipFile, type ZipFile, type ZipSource } from './formats/zip/zip-file.ts'
export { type LoneEntry, unpackLone, type ZipEntry } from './formats/zip/zip-read.ts'
export { type NewEntry, zipStream } from './formats/zip/zip-stream.ts'
export type { Part, TextPart } from './placeholders/part.ts'
export type { Cut } from './sentences/cut-parts.ts'
