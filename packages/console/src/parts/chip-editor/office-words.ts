/** What the markup of an Office file does to the text after it, for people who do not read XML. */
import type en from '../../words/en/parts.json'

type OfficeWord = Extract<keyof typeof en, `office${string}`>

/** Of the whole tag: what it holds. */
const held: readonly (readonly [RegExp, OfficeWord])[] = [
  [/<w:hyperlink\b|<a:hlinkClick\b/, 'officeLink'],
  [/<\/w:hyperlink>/, 'officeLinkEnd'],
  [/<[wa]:br\b/, 'officeBreak'],
  [/<w:tab\/>/, 'officeTab'],
  [/<w:drawing\b|<w:pict\b/, 'officePicture'],
  [/<w:(?:footnote|endnote)Reference\b/, 'officeNote'],
]
/** Of the last run: how the text after it looks. */
const looks: readonly (readonly [RegExp, OfficeWord])[] = [
  [/<w:b(?:\/>| w:val="(?:1|true|on)")|\bb="(?:1|true)"/, 'officeBold'],
  [/<w:i(?:\/>| w:val="(?:1|true|on)")|\bi="(?:1|true)"/, 'officeItalic'],
  [/<w:u w:val="(?!none)|\bu="(?!none)/, 'officeUnderlined'],
  [/<w:strike(?:\/>| w:val="(?:1|true|on)")|\bstrike="(?!no)/, 'officeStruck'],
]

const runs = ['<w:r>', '<w:r ', '<a:r>', '<a:r ']

/** Undefined for what is no markup of Office. */
export function officeWords(shows: string): readonly OfficeWord[] | undefined {
  if (!/<\/?[wa]:[a-z]/i.test(shows)) return undefined
  const last = Math.max(...runs.map((run) => shows.lastIndexOf(run)))
  const style = last < 0 ? '' : shows.slice(last)
  const found = [
    ...held.flatMap(([pattern, word]) => (pattern.test(shows) ? [word] : [])),
    ...looks.flatMap(([pattern, word]) => (pattern.test(style) ? [word] : [])),
  ]
  return found.length > 0 ? found : ['officePlain']
}
