/** Documents, workbooks and presentations of Office: which parts of the archive hold texts. */
import { type FormatId, formatRows } from '@dragoman/contract/wire'
import { defineFormat } from '../define-format.ts'
import type { Format } from '../format.ts'
import { FormatError } from '../format-error.ts'
import { raw } from '../xml/xml-content.ts'
import { scanXml } from '../xml/xml-scan.ts'
import { attributeOf, nameOf, splitName } from '../xml/xml-tags.ts'
import { refer, xmlCharset } from '../xml/xml-text.ts'
import { type ContainerRules, defineContainer } from '../zip/container.ts'
import { readEntryBytes, type Zip } from '../zip/zip-read.ts'
import { officePlaces } from './office-text.ts'

type OfficeId = Extract<FormatId, 'docx' | 'xlsx' | 'pptx'>

const parts: Readonly<Record<OfficeId, RegExp>> = {
  docx: /^word\/(?:(?:document|header|footer|footnotes|endnotes|charts\/chart|diagrams\/(?:data|drawing))\d{0,9})\.xml$/,
  xlsx: /^xl\/(?:sharedStrings|(?:worksheets\/sheet|drawings\/drawing|charts\/chart|diagrams\/(?:data|drawing))\d{0,9})\.xml$/,
  pptx: /^ppt\/(?:(?:slides\/slide|notesSlides\/notesSlide|charts\/chart|diagrams\/(?:data|drawing))\d{0,9})\.xml$/,
}

/** Without it, no program opens the file. */
const main: Readonly<Record<OfficeId, { readonly part: RegExp; readonly name: string }>> = {
  docx: { part: /^word\/document\d{0,9}\.xml$/, name: 'word/document.xml' },
  xlsx: { part: /^xl\/workbook\d{0,9}\.xml$/, name: 'xl/workbook.xml' },
  pptx: { part: /^ppt\/presentation\d{0,9}\.xml$/, name: 'ppt/presentation.xml' },
}

const article = (id: OfficeId): string => (id === 'xlsx' ? 'an' : 'a')

function mustBeOffice(id: OfficeId, { entries }: Zip): void {
  const has = (one: OfficeId): boolean => entries.some(({ name }) => main[one].part.test(name))
  if (has(id)) return
  const other = (['docx', 'xlsx', 'pptx'] as const).find(has)
  const why = other
    ? `it is ${article(other)} ${formatRows[other].name} file; name it .${other}`
    : `it has no ${main[id].name}`
  throw new FormatError(
    'MALFORMED',
    `The file is not ${article(id)} ${formatRows[id].name} file: ${why}.`,
  )
}

const partFormat = (id: OfficeId, isKept?: (plain: string) => boolean): Format =>
  defineFormat({
    id,
    charset: { declared: xmlCharset, fallsBack: false },
    protects: { newlines: true },
    refer,
    find: (text) => officePlaces(text, isKept),
  })

const plain = { docx: partFormat('docx'), pptx: partFormat('pptx') }

const rules = <Id extends OfficeId>(id: Id, partOf: (zip: Zip) => Format): ContainerRules<Id> => ({
  id,
  check: (zip) => mustBeOffice(id, zip),
  formatOf: ({ name }, _, zip) => (parts[id].test(name) ? partOf(zip) : undefined),
})

export const docx = defineContainer(rules('docx', () => plain.docx))
export const pptx = defineContainer(rules('pptx', () => plain.pptx))
const workbooks = new WeakMap<Zip, Format>()
export const xlsx = defineContainer(
  rules('xlsx', (zip) => {
    const known = workbooks.get(zip)
    if (known) return known
    const columns = columnsOf(zip)
    const format = partFormat('xlsx', (text) => columns.has(text.trim()))
    workbooks.set(zip, format)
    return format
  }),
)

/**
 * Headings of tables: formulas refer to them, and Excel repairs a file whose cell differs from its
 * heading.
 */
function columnsOf(zip: Zip): Set<string> {
  const names = new Set<string>()
  for (const entry of zip.entries) {
    if (!/^xl\/tables\/table\d{0,9}\.xml$/.test(entry.name)) continue
    const xml = scanXml(new TextDecoder().decode(readEntryBytes(zip, entry)))
    for (const token of xml.tokens) {
      const tag = token.kind === 'open' || token.kind === 'empty' ? raw(xml.text, token) : ''
      if (splitName(nameOf(tag)).local === 'tableColumn')
        names.add((attributeOf(tag, 'name') ?? '').trim())
    }
  }
  return names
}
