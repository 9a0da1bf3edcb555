/** Small Office files that other programs open: only what they must have, and the content given. */
import { type Packed, pack } from './pack.ts'

const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\r\n'
const main = (kind: string) => `http://schemas.openxmlformats.org/${kind}/2006/main`
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const office = 'application/vnd.openxmlformats-officedocument.'

const types = (parts: Readonly<Record<string, string>>): Packed => ({
  name: '[Content_Types].xml',
  content: `${head}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${Object.entries(
    parts,
  )
    .map(([name, type]) => `<Override PartName="/${name}" ContentType="${office}${type}+xml"/>`)
    .join('')}</Types>`,
})
const links = (
  name: string,
  ...targets: readonly (readonly [kind: string, target: string])[]
): Packed => ({
  name,
  content: `${head}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${targets
    .map(
      ([kind, target], at) =>
        `<Relationship Id="rId${at + 1}" Type="${relations}/${kind}" Target="${target}"/>`,
    )
    .join('')}</Relationships>`,
})

const names = [
  `xmlns:w="${main('wordprocessingml')}"`,
  `xmlns:r="${relations}"`,
  'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"',
  'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"',
  'xmlns:v="urn:schemas-microsoft-com:vml"',
  'xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape"',
].join(' ')

export const document = (body: string): string =>
  `${head}<w:document ${names}><w:body>${body}</w:body></w:document>`

/** `body` is what stands in the body of the document. */
export const docxOf = (body: string, ...more: readonly Packed[]): Uint8Array =>
  pack([
    types({ 'word/document.xml': 'wordprocessingml.document.main' }),
    links('_rels/.rels', ['officeDocument', 'word/document.xml']),
    links('word/_rels/document.xml.rels', [
      'hyperlink',
      'https://example.com/" TargetMode="External',
    ]),
    {
      name: 'word/media/image1.png',
      content: Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2]),
      stored: true,
    },
    { name: 'word/document.xml', content: document(body) },
    ...more,
  ])

const sheet = (kind: string, inside: string): string =>
  `${head}<${kind} xmlns="${main('spreadsheetml')}">${inside}</${kind}>`
export const strings = (items: string): string => sheet('sst', items)

/**
 * `items` are shared strings, which the cells of the first column show; `cells` stand in a row of
 * their own.
 */
export const xlsxOf = (items: string, cells = '', ...more: readonly Packed[]): Uint8Array => {
  const count = items.split('<si').length - 1
  const rows = Array.from(
    { length: count },
    (_, at) => `<row r="${at + 1}"><c r="A${at + 1}" t="s"><v>${at}</v></c></row>`,
  )
  const last = cells === '' ? '' : `<row r="${count + 1}">${cells}</row>`
  return pack([
    types({
      'xl/workbook.xml': 'spreadsheetml.sheet.main',
      'xl/worksheets/sheet1.xml': 'spreadsheetml.worksheet',
      'xl/sharedStrings.xml': 'spreadsheetml.sharedStrings',
    }),
    links('_rels/.rels', ['officeDocument', 'xl/workbook.xml']),
    links(
      'xl/_rels/workbook.xml.rels',
      ['worksheet', 'worksheets/sheet1.xml'],
      ['sharedStrings', 'sharedStrings.xml'],
    ),
    {
      name: 'xl/workbook.xml',
      content: sheet(
        'workbook',
        `<sheets><sheet name="Prices" sheetId="1" r:id="rId1" xmlns:r="${relations}"/></sheets>`,
      ),
    },
    {
      name: 'xl/worksheets/sheet1.xml',
      content: sheet('worksheet', `<sheetData>${rows.join('')}${last}</sheetData>`),
    },
    { name: 'xl/sharedStrings.xml', content: strings(items), later: true },
    ...more,
  ])
}

export const slide = (paragraphs: string): string =>
  `${head}<p:sld xmlns:a="${main('drawingml')}" xmlns:r="${relations}" xmlns:p="${main('presentationml')}"><p:cSld><p:spTree><p:nvGrpSpPr><p:cNvPr id="1" name=""/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr/><p:sp><p:nvSpPr><p:cNvPr id="2" name="Box"/><p:cNvSpPr txBox="1"/><p:nvPr/></p:nvSpPr><p:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="6000000" cy="2000000"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></p:spPr><p:txBody><a:bodyPr/>${paragraphs}</p:txBody></p:sp></p:spTree></p:cSld></p:sld>`

/** `paragraphs` are those of a text box on the first slide. */
export const pptxOf = (paragraphs: string, ...more: readonly Packed[]): Uint8Array =>
  pack([
    types({
      'ppt/presentation.xml': 'presentationml.presentation.main',
      'ppt/slides/slide1.xml': 'presentationml.slide',
    }),
    links('_rels/.rels', ['officeDocument', 'ppt/presentation.xml']),
    links('ppt/_rels/presentation.xml.rels', ['slide', 'slides/slide1.xml']),
    {
      name: 'ppt/presentation.xml',
      content: `${head}<p:presentation xmlns:r="${relations}" xmlns:p="${main('presentationml')}"><p:sldIdLst><p:sldId id="256" r:id="rId1"/></p:sldIdLst><p:sldSz cx="9144000" cy="6858000"/><p:notesSz cx="6858000" cy="9144000"/></p:presentation>`,
    },
    { name: 'ppt/slides/slide1.xml', content: slide(paragraphs) },
    ...more,
  ])
