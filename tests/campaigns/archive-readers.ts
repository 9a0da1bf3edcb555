/** The readers of archives and of Office files, and those that compare two files. */

import { judgeFields } from '../../packages/text/src/formats/compare-delivery.ts'
import { judgeFile } from '../../packages/text/src/formats/whole-files.ts'
import { readSelectors } from '../../packages/text/src/formats/xml/its-selector.ts'
import { pseudoNamedFile } from '../../packages/text/src/pseudo/pseudo-file.ts'
import { docxOf, pptxOf, xlsxOf } from '../formats/office-samples.ts'
import { pack } from '../formats/pack.ts'
import { alone, around, blanks, bytesOf, markup, type Reader } from './hostile-texts.ts'

const oneText = '<w:p><w:r><w:t>x</w:t></w:r></w:p>'

export const archiveReaders: readonly Reader[] = [
  {
    name: 'Word',
    read: (text) => pseudoNamedFile('a.docx', docxOf(text), 'de'),
    hostile: [
      ...markup,
      '<w:p><w:r><w:t>x</w:t></w:r></w:p>',
      '<w:r><w:fldChar w:fldCharType="begin"/><w:t>x</w:t></w:r>',
      '<w:r><w:fldChar w:fldCharType="end"/><w:t>x</w:t></w:r>',
      '<w:ins><w:r><w:t>x</w:t></w:r></w:ins>',
      '<w:r><w:rPr><w:b/></w:rPr><w:t> x</w:t></w:r>',
      `<mc:AlternateContent><mc:Choice>${oneText}</mc:Choice><mc:Fallback>${oneText}</mc:Fallback></mc:AlternateContent>`,
      `<mc:AlternateContent><mc:Fallback>${oneText}${oneText}</mc:Fallback></mc:AlternateContent>`,
      '<w:p>',
      '_x000D_',
    ],
    inside: [
      around('<w:p>', '</w:p>'),
      around('<w:p><w:r><w:t>', '</w:t></w:r></w:p>'),
      around(`<mc:AlternateContent><mc:Fallback>`, '</mc:Fallback></mc:AlternateContent>'),
      around(`${'<w:ins>'.repeat(900)}<w:p>`, `</w:p>${'</w:ins>'.repeat(900)}`),
      around(`<w:p>${'<w:ins>'.repeat(900)}`, `${'</w:ins>'.repeat(900)}</w:p>`),
    ],
  },
  {
    name: 'Excel',
    read: (text) => pseudoNamedFile('a.xlsx', xlsxOf(text), 'de'),
    hostile: [
      '<si><t>x</t></si>',
      '<si><r><t>x</t></r><rPh><t>y</t></rPh></si>',
      '<t>x</t>',
      '_x000D_',
      ...markup,
    ],
    inside: [alone, around('<si>', '</si>'), around('<si><t>', '</t></si>')],
  },
  {
    name: 'PowerPoint',
    read: (text) => pseudoNamedFile('a.pptx', pptxOf(text), 'de'),
    hostile: [
      '<a:p><a:r><a:t>x</a:t></a:r></a:p>',
      '<a:fld><a:t>x</a:t></a:fld>',
      '<a:br/>',
      ...markup,
    ],
    inside: [alone, around('<a:p>', '</a:p>'), around('<a:p><a:r><a:t>', '</a:t></a:r></a:p>')],
  },
  {
    name: 'archives',
    read: (text) => pseudoNamedFile('a.zip', Buffer.from(text, 'latin1'), 'de'),
    hostile: ['PK\x05\x06', 'PK\x01\x02', '\0', '\n', 'PK\x05\x06\0\0\0\0'],
    inside: [
      alone,
      around(Buffer.from(pack([{ name: 'a.txt', content: 'x' }])).toString('latin1')),
    ],
  },
  {
    name: 'archives of many files',
    read: (text) =>
      pseudoNamedFile(
        'a.zip',
        pack(text.split('\n').map((name) => ({ name, content: 'x', stored: true }))),
        'de',
      ),
    hostile: ['a.txt\n', 'a/', '../', 'ä', '.'],
    inside: [alone, (inner) => inner.replaceAll('a', (_, at: number) => String(at))],
  },
  {
    name: 'ITS selectors',
    read: readSelectors,
    hostile: ['/a', '//a', '//a|', '/@a', "//a[@b='c']", "[@b='", ...blanks],
    inside: [alone, around('//a'), around("//a[@b='", "']")],
  },
  {
    name: 'judged deliveries',
    read: (text) => [
      judgeFields([{ key: 'a', value: text }], [{ key: 'a', value: text.slice(1) }]),
      judgeFile('a.html', bytesOf(text), bytesOf(text.slice(1))),
      judgeFile('a.properties', bytesOf(text), bytesOf(text.slice(1))),
    ],
    hostile: [
      '<b>a</b>',
      '<b id="',
      '</b',
      '%s ',
      '{a} ',
      '{a, b',
      'a=b\n',
      'a/one=b\n',
      ...blanks,
    ],
    inside: [alone, around('<p>', '</p>')],
  },
]
