/**
 * Word, Excel and PowerPoint: which texts are found, what is written, and what other programs make
 * of it.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { judgeFile } from '../../packages/text/src/formats/whole-files.ts'
import { openZip, readEntryBytes } from '../../packages/text/src/formats/zip/zip-read.ts'
import { isGate } from '../draws.ts'
import { shout, shown, textOf } from './cases.ts'
import { ask, isThere, judged, runWhole } from './judge.ts'
import { formatOf, holdCut, holdLaws } from './laws.ts'
import { document, docxOf, pptxOf, slide, strings, xlsxOf } from './office-samples.ts'
import { pack } from './pack.ts'
import { sentence } from './words.ts'

const entryOf = (bytes: Uint8Array, name: string): string => {
  const zip = openZip(bytes)
  const entry = zip.entries.find((one) => one.name === name)
  return entry ? textOf(readEntryBytes(zip, entry)) : ''
}

type OfficeCase = readonly [name: string, inside: string, texts: readonly string[], written: string]

const r = (text: string, look = '', attributes = '') =>
  `<w:r${attributes}>${look && `<w:rPr>${look}</w:rPr>`}<w:t xml:space="preserve">${text}</w:t></w:r>`
const p = (inside: string) => `<w:p>${inside}</w:p>`
const seam = (between = '', look = '') =>
  `«</w:t></w:r>${between}<w:r>${look && `<w:rPr>${look}</w:rPr>`}<w:t xml:space="preserve">»`
const field = (type: string) => `<w:r><w:fldChar w:fldCharType="${type}"/></w:r>`
const box = (inside: string) =>
  `<w:r><mc:AlternateContent><mc:Choice Requires="wps"><wps:txbx><w:txbxContent>${inside}</w:txbxContent></wps:txbx></mc:Choice><mc:Fallback><w:pict><v:textbox><w:txbxContent>${inside}</w:txbxContent></v:textbox></w:pict></mc:Fallback></mc:AlternateContent></w:r>`

const word: OfficeCase[] = [
  ['a paragraph', p(r('Hello')), ['Hello'], p(r('HELLO'))],
  [
    'runs that look alike are one text',
    p(r('Hel', '', ' w:rsidR="1"') + r('lo', '', ' w:rsidR="2"')),
    ['Hello'],
    p(r('HELLO', '', ' w:rsidR="1"')),
  ],
  [
    'spelling marks and languages are not seen',
    p(`${r('Hel', '<w:lang w:val="en-US"/>')}<w:proofErr w:type="spellStart"/>${r('lo')}`),
    ['Hello'],
    p(r('HELLO', '<w:lang w:val="en-US"/>')),
  ],
  [
    'bold words are in a pair of codes',
    p(r('a ') + r('big', '<w:b/>') + r(' dog')),
    [`a ${seam('', '<w:b/>')}big${seam()} dog`],
    p(r('A ') + r('BIG', '<w:b/>') + r(' DOG')),
  ],
  [
    'a tab inside a run',
    p('<w:r><w:t>one</w:t><w:tab/><w:t>two</w:t></w:r>'),
    ['one«</w:t><w:tab/><w:t xml:space="preserve">»two'],
    p('<w:r><w:t>ONE</w:t><w:tab/><w:t xml:space="preserve">TWO</w:t></w:r>'),
  ],
  [
    'a link inside a sentence',
    p(`${r('See ')}<w:hyperlink r:id="rId1">${r('here')}</w:hyperlink>${r('.')}`),
    [
      `See «</w:t></w:r><w:hyperlink r:id="rId1"><w:r><w:t xml:space="preserve">»here«</w:t></w:r></w:hyperlink><w:r><w:t xml:space="preserve">».`,
    ],
    p(`${r('SEE ')}<w:hyperlink r:id="rId1">${r('HERE')}</w:hyperlink>${r('.')}`),
  ],
  [
    'a link that begins the sentence stands alone',
    p(`<w:hyperlink r:id="rId1">${r('Here')}</w:hyperlink>${r(' it is')}`),
    ['Here', 'it is'],
    p(`<w:hyperlink r:id="rId1">${r('HERE')}</w:hyperlink>${r(' IT IS')}`),
  ],
  [
    'deleted text stays',
    p(`${r('Kept')}<w:del w:id="1" w:author="a"><w:r><w:delText>gone</w:delText></w:r></w:del>`),
    ['Kept'],
    p(`${r('KEPT')}<w:del w:id="1" w:author="a"><w:r><w:delText>gone</w:delText></w:r></w:del>`),
  ],
  [
    'field codes stay, their result is a text',
    p(
      `${r('Page ')}${field('begin')}<w:r><w:instrText>REF x</w:instrText></w:r>${field('separate')}${r('one')}${field('end')}${r(' of all')}`,
    ),
    [
      `Page ${seam(`${field('begin')}<w:r><w:instrText>REF x</w:instrText></w:r>${field('separate')}`)}one${seam(field('end'))} of all`,
    ],
    p(
      `${r('PAGE ')}${field('begin')}<w:r><w:instrText>REF x</w:instrText></w:r>${field('separate')}${r('ONE')}${field('end')}${r(' OF ALL')}`,
    ),
  ],
  [
    'a text box is counted once and written twice',
    p(r('before') + box(p(r('inside'))) + r('after')),
    ['before', 'inside', 'after'],
    p(r('BEFORE') + box(p(r('INSIDE'))) + r('AFTER')),
  ],
  [
    'formulas stay',
    p(`${r('x is ')}<m:oMath><m:r><m:t>y</m:t></m:r></m:oMath>${r(' here')}`),
    [`x is ${seam('<m:oMath><m:r><m:t>y</m:t></m:r></m:oMath>')} here`],
    p(`${r('X IS ')}<m:oMath><m:r><m:t>y</m:t></m:r></m:oMath>${r(' HERE')}`),
  ],
  ['placeholders are codes', p(r('Dear {name}')), ['Dear «{name}»'], p(r('DEAR {name}'))],
  [
    'a placeholder over two runs beside the character that stands for an object',
    p(r('a \ufffc { ') + r('-} b')),
    ['a \ufffc «{ -}» b'],
    p(r('A \ufffc { -} B')),
  ],
  [
    'entities are written as they were',
    p(r('R&amp;D &#169; &lt;x')),
    ['R&D © <x'],
    p(r('R&amp;D &#169; &lt;X')),
  ],
  [
    'a table',
    `<w:tbl><w:tr><w:tc>${p(r('cell'))}</w:tc></w:tr></w:tbl>`,
    ['cell'],
    `<w:tbl><w:tr><w:tc>${p(r('CELL'))}</w:tc></w:tr></w:tbl>`,
  ],
  ['an empty paragraph and a blank one', `<w:p/>${p(r('  '))}`, [], `<w:p/>${p(r('  '))}`],
]
const excel: OfficeCase[] = [
  ['a string', '<si><t>Hello</t></si>', ['Hello'], '<si><t>HELLO</t></si>'],
  [
    'runs that look alike',
    '<si><r><t>Hel</t></r><r><t>lo</t></r></si>',
    ['Hello'],
    '<si><r><t>HELLO</t></r></si>',
  ],
  [
    'a bold word',
    '<si><r><t>a </t></r><r><rPr><b/></rPr><t>dog</t></r></si>',
    ['a «</t></r><r><rPr><b/></rPr><t xml:space="preserve">»dog'],
    '<si><r><t xml:space="preserve">A </t></r><r><rPr><b/></rPr><t xml:space="preserve">DOG</t></r></si>',
  ],
  [
    'readings stay',
    '<si><t>課</t><rPh sb="0" eb="1"><t>カ</t></rPh><phoneticPr fontId="1"/></si>',
    ['課'],
    '<si><t>課</t><rPh sb="0" eb="1"><t>カ</t></rPh><phoneticPr fontId="1"/></si>',
  ],
  ['lines', '<si><t>one\ntwo</t></si>', ['one«\n»two'], '<si><t>ONE\nTWO</t></si>'],
  [
    'escapes of Excel',
    '<si><t>one_x000D_two</t></si>',
    ['one«_x000D_»two'],
    '<si><t>ONE_x000D_TWO</t></si>',
  ],
  [
    'blanks around',
    '<si><t xml:space="preserve"> a </t></si>',
    ['a'],
    '<si><t xml:space="preserve"> A </t></si>',
  ],
  ['nothing', '<si><t/></si>', [], '<si><t/></si>'],
  ['CDATA', '<si><t><![CDATA[a < b]]></t></si>', ['a < b'], '<si><t>A &lt; B</t></si>'],
  ['a placeholder', '<si><t>Dear %s</t></si>', ['Dear «%s»'], '<si><t>DEAR %s</t></si>'],
  [
    'several',
    '<si><t>a</t></si><si><t>b</t></si>',
    ['a', 'b'],
    '<si><t>A</t></si><si><t>B</t></si>',
  ],
  [
    'the same twice',
    '<si><t>a</t></si><si><t>a</t></si>',
    ['a', 'a'],
    '<si><t>A</t></si><si><t>A</t></si>',
  ],
]
const ar = (text: string, look = '') => `<a:r>${look}<a:t>${text}</a:t></a:r>`
const ap = (inside: string) => `<a:p>${inside}</a:p>`
const bold = '<a:rPr lang="en-US" b="1"/>'
const powerpoint: OfficeCase[] = [
  ['a paragraph', ap(ar('Hello')), ['Hello'], ap(ar('HELLO'))],
  [
    'runs that look alike',
    ap(ar('Hel', '<a:rPr lang="en-US" dirty="0"/>') + ar('lo', '<a:rPr lang="en-GB"/>')),
    ['Hello'],
    ap(ar('HELLO', '<a:rPr lang="en-US" dirty="0"/>')),
  ],
  [
    'a bold word',
    ap(ar('a ') + ar('big', bold) + ar(' dog')),
    [`a «</a:t></a:r><a:r>${bold}<a:t>»big«</a:t></a:r><a:r><a:t>» dog`],
    ap(ar('A ') + ar('BIG', bold) + ar(' DOG')),
  ],
  [
    'a line break',
    ap(`${ar('one')}<a:br/>${ar('two')}`),
    ['one«</a:t></a:r><a:br/><a:r><a:t>»two'],
    ap(`${ar('ONE')}<a:br/>${ar('TWO')}`),
  ],
  [
    'the number of the slide stays',
    ap('<a:fld id="{x}" type="slidenum"><a:t>3</a:t></a:fld>'),
    [],
    ap('<a:fld id="{x}" type="slidenum"><a:t>3</a:t></a:fld>'),
  ],
  ['two paragraphs', ap(ar('one')) + ap(ar('two')), ['one', 'two'], ap(ar('ONE')) + ap(ar('TWO'))],
  [
    'properties at the end',
    ap(`${ar('one')}<a:endParaRPr lang="en-US"/>`),
    ['one'],
    ap(`${ar('ONE')}<a:endParaRPr lang="en-US"/>`),
  ],
  [
    'a bullet',
    ap(`<a:pPr lvl="1"><a:buChar char="x"/></a:pPr>${ar('one')}`),
    ['one'],
    ap(`<a:pPr lvl="1"><a:buChar char="x"/></a:pPr>${ar('ONE')}`),
  ],
  [
    'a link in the look of a run',
    ap(ar('one', '<a:rPr><a:hlinkClick r:id="rId1"/></a:rPr>')),
    ['one'],
    ap(ar('ONE', '<a:rPr><a:hlinkClick r:id="rId1"/></a:rPr>')),
  ],
  ['entities', ap(ar('a &amp; b')), ['a & b'], ap(ar('A &amp; B'))],
  ['placeholders', ap(ar('{{name}} came')), ['«{{name}}» came'], ap(ar('{{name}} CAME'))],
  ['nothing', ap(''), [], ap('')],
]
const kinds = {
  docx: { rows: word, pack: docxOf, part: 'word/document.xml', partOf: document },
  xlsx: { rows: excel, pack: xlsxOf, part: 'xl/sharedStrings.xml', partOf: strings },
  pptx: { rows: powerpoint, pack: pptxOf, part: 'ppt/slides/slide1.xml', partOf: slide },
} as const

describe.each(Object.entries(kinds))('%s', (id, { rows, pack, part, partOf }) => {
  const format = formatOf(id)
  test.each(rows)('%s', (_, inside, texts, written) => {
    const bytes = pack(inside)
    expect(format.read(bytes).map(({ parts }) => shown(parts))).toEqual(texts)
    expect(entryOf(shout(format, bytes), part)).toBe(partOf(written))
    holdLaws(format, bytes)
  })
})

describe('what only an archive shows', () => {
  const header = `<w:hdr xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">${p(r('Top'))}</w:hdr>`
  test('headers are read too, and parts that are not are copied as their raw bytes', () => {
    const bytes = docxOf(
      p(r('Body')),
      { name: 'word/header1.xml', content: header },
      { name: 'word/x.bin', content: 'x'.repeat(999) },
    )
    expect(
      formatOf('docx')
        .read(bytes)
        .map(({ id }) => id),
    ).toEqual(['word/document.xml#s1', 'word/header1.xml#s1'])
    const rawOf = (of: Uint8Array) => {
      const { bytes: all, entries } = openZip(of)
      return entries
        .filter(({ name }) => !name.includes('header'))
        .map(({ name, data, end }) => [name, all.subarray(data, end).toString('hex')])
    }
    const one = new Map([['word/header1.xml#s1', [{ type: 'text', text: 'Oben' } as const]]])
    const written = formatOf('docx').write(bytes, one, { targetLanguage: 'de' })
    expect(rawOf(written)).toEqual(rawOf(bytes))
    expect(entryOf(written, 'word/header1.xml')).toBe(header.replace('Top', 'Oben'))
    holdLaws(formatOf('docx'), bytes)
  })

  test('a paragraph of Word is cut into sentences, across runs, and joined again; a zip around it too', () => {
    const bytes = docxOf(
      p(`${r('One thing. ')}${r('Two things. ', '<w:b/>')}${r('Three things. Four')}`),
    )
    expect(holdCut(formatOf('docx'), bytes)).toBeGreaterThan(1)
    const zip = pack([
      { name: 'a.docx', content: bytes },
      { name: 'b.txt', content: 'One thing. Two things.' },
    ])
    expect(holdCut(formatOf('zip'), zip)).toBeGreaterThan(2)
  })

  test('cells with their own text are read, and formulas and numbers stay', () => {
    const cells =
      '<c r="A2" t="inlineStr"><is><t>Own</t></is></c><c r="B2"><f>"x"&amp;A1</f><v>1</v></c><c r="C2" t="str"><f>A1</f><v>Shown</v></c>'
    const bytes = xlsxOf('<si><t>Shared</t></si>', cells)
    expect(
      formatOf('xlsx')
        .read(bytes)
        .map(({ parts }) => shown(parts)),
    ).toEqual(['Own', 'Shared'])
    expect(entryOf(shout(formatOf('xlsx'), bytes), 'xl/worksheets/sheet1.xml')).toContain(
      cells.replace('Own', 'OWN'),
    )
  })

  test('the headings of a table stay, for formulas refer to them', () => {
    const table = {
      name: 'xl/tables/table1.xml',
      content:
        '<table><tableColumns count="1"><tableColumn id="1" name="Price &amp; tax"/></tableColumns></table>',
    }
    const bytes = xlsxOf('<si><t>Price &amp; tax</t></si><si><t>Chair</t></si>', '', table)
    expect(
      formatOf('xlsx')
        .read(bytes)
        .map(({ parts }) => shown(parts)),
    ).toEqual(['Chair'])
  })

  test('notes and diagrams of a presentation are read', () => {
    const more = [
      'ppt/notesSlides/notesSlide1.xml',
      'ppt/diagrams/data1.xml',
      'ppt/slideLayouts/slideLayout1.xml',
    ]
    const bytes = pptxOf(
      ap(ar('Slide')),
      ...more.map((name) => ({ name, content: slide(ap(ar(name.slice(4, 9)))) })),
    )
    expect(
      formatOf('pptx')
        .read(bytes)
        .map(({ parts }) => shown(parts)),
    ).toEqual(['Slide', 'notes', 'diagr'])
  })

  test('what is wrong with a part is said with its name', () => {
    expect(() => formatOf('docx').read(docxOf(`${p(r('x'))}<w:p>`))).toThrow(
      /^In "word\/document.xml": The XML is not well-formed/,
    )
  })

  test('a document named as a workbook, and a file without its main part, are refused', () => {
    const empty = pack([{ name: 'word/styles.xml', content: '<w:styles/>' }])
    expect(() => formatOf('xlsx').read(docxOf(p(r('x'))))).toThrow(
      'The file is not an Excel file: it is a Word file; name it .docx.',
    )
    expect(() => formatOf('docx').read(empty)).toThrow(
      'The file is not a Word file: it has no word/document.xml.',
    )
    for (const delivery of [empty, pptxOf(ap(ar('x')))])
      expect(judgeFile('a.docx', docxOf(p(r('x'))), delivery)).toEqual({
        invalid: expect.stringMatching(/^The file is not a Word file: /),
        warnings: [],
      })
  })

  test('a file with a password is distinguished from a damaged one', () => {
    const ole = Uint8Array.from([
      0xd0,
      0xcf,
      0x11,
      0xe0,
      0xa1,
      0xb1,
      0x1a,
      0xe1,
      ...new Array(600).fill(0),
    ])
    expect(() => formatOf('docx').read(ole)).toThrow(/protected by a password/)
  })
})

const looks = ['', '', '<w:b/>', '<w:i/>']
const referred = (text: string) =>
  text
    .replace(/[&<>]/g, (one) => `&#${one.charCodeAt(0)};`)
    .replace(/[^\t\n\r -\ud7ff\ue000-\ufffd]/g, '')
/**
 * The blank keeps what two runs say apart: `{` and `}` of two neighbours would become one
 * placeholder.
 */
const run = fc
  .tuple(sentence, fc.constantFrom(...looks))
  .map(([text, look]) => r(referred(`${text} `), look))
const { inline } = fc.letrec<{ inline: string }>((tie) => ({
  inline: fc.oneof(
    { depthSize: 'small' },
    run,
    fc.constantFrom(
      '<w:r><w:tab/></w:r>',
      '<w:bookmarkStart w:id="1" w:name="x"/>',
      field('begin'),
      field('end'),
      box(p(r('in a box'))),
    ),
    fc
      .array(tie('inline'), { maxLength: 3 })
      .map((all) => `<w:hyperlink r:id="rId1">${all.join('')}</w:hyperlink>`),
    fc
      .array(tie('inline'), { maxLength: 3 })
      .map((all) => `<w:sdt><w:sdtPr/><w:sdtContent>${all.join('')}</w:sdtContent></w:sdt>`),
  ),
}))
test('generated documents hold the laws', () => {
  const body = fc.array(
    fc.array(inline, { maxLength: 8 }).map((all) => p(all.join(''))),
    { maxLength: 4 },
  )
  fc.assert(
    fc.property(body, (all) => holdLaws(formatOf('docx'), docxOf(all.join('')))),
    { numRuns: 60 },
  )
})

describe('judges', () => {
  const samples = {
    docx: docxOf(word.map(([, inside]) => inside).join('')),
    xlsx: xlsxOf(
      excel.map(([, inside]) => inside).join(''),
      '<c r="A99" t="inlineStr"><is><t>Own</t></is></c>'.replace('A99', 'A14'),
    ),
    pptx: pptxOf(powerpoint.map(([, inside]) => inside).join('')),
  }
  const zipfile =
    'import sys,io,zipfile; z=zipfile.ZipFile(io.BytesIO(sys.stdin.buffer.read())); assert z.testzip() is None; print(len(z.namelist()))'
  judged(
    'python3',
    isThere('python3'),
    'python opens what is written, and every checksum is right',
    () => {
      for (const [id, bytes] of Object.entries(samples))
        expect(Number(ask('python3', ['-c', zipfile], shout(formatOf(id), bytes)))).toBe(
          openZip(bytes).entries.length,
        )
    },
  )
  judged('xmllint', isThere('xmllint'), 'xmllint reads every part that is written', () => {
    for (const [id, { part }] of Object.entries(kinds))
      ask(
        'xmllint',
        ['--noout', '-'],
        entryOf(shout(formatOf(id), samples[id as keyof typeof samples]), part),
      )
  })
  const text = { docx: ['txt:Text', 'txt'], xlsx: ['csv', 'csv'], pptx: ['pdf', 'pdf'] } as const
  const expected = {
    docx: /HELLO[\s\S]*A BIG DOG[\s\S]*CELL/,
    xlsx: /HELLO[\s\S]*A DOG[\s\S]*OWN/,
    pptx: /^%PDF/,
  }
  // It takes seconds to start, and is a gigabyte to install.
  for (const id of isGate ? [] : (['docx', 'xlsx', 'pptx'] as const))
    judged('LibreOffice', isThere('soffice'), `LibreOffice opens a ${id} that is written`, () => {
      const folder = mkdtempSync(join(tmpdir(), 'office-'))
      try {
        writeFileSync(join(folder, `a.${id}`), shout(formatOf(id), samples[id]))
        const [filter, extension] = text[id]
        const profile = `-env:UserInstallation=file://${folder}/profile`
        const args = [
          profile,
          '--headless',
          '--convert-to',
          filter,
          '--outdir',
          folder,
          join(folder, `a.${id}`),
        ]
        runWhole('soffice', args, 500_000)
        expect(readFileSync(join(folder, `a.${extension}`), 'utf8')).toMatch(expected[id])
      } finally {
        rmSync(folder, { recursive: true, force: true })
      }
    })
})
