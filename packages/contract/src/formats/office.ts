/** Files that are archives: Office documents, and archives of any other files. */
import { megabytes, rowsOf } from './row.ts'

const holds = (folder: string) => (head: string) =>
  head.startsWith('PK\u0003\u0004') && head.includes('[Content_Types].xml') && head.includes(folder)
const office = 'application/vnd.openxmlformats-officedocument.'

export const officeFormats = rowsOf({
  docx: {
    name: 'Word',
    extensions: ['docx', 'docm', 'dotx', 'dotm'],
    mediaTypes: [`${office}wordprocessingml.document`, `${office}wordprocessingml.template`],
    recognises: holds('word/'),
    text: 'Paragraphs of the document, headers, footers, footnotes, endnotes, text boxes, charts and diagrams. Neighbouring runs that look alike are one text.',
    kept: 'Formatting, fields, deleted text, formulas, comments, pictures, properties, and every other part byte for byte.',
    isProse: true,
    megabytes: megabytes.flat,
  },
  xlsx: {
    name: 'Excel',
    extensions: ['xlsx', 'xlsm', 'xltx', 'xltm'],
    mediaTypes: [`${office}spreadsheetml.sheet`, `${office}spreadsheetml.template`],
    recognises: holds('xl/'),
    text: 'Cells that hold text; texts of drawings, charts and diagrams.',
    kept: 'Numbers, dates, formulas, sheet names, column headings of tables, comments, and every other part byte for byte.',
    megabytes: megabytes.flat,
  },
  pptx: {
    name: 'PowerPoint',
    extensions: ['pptx', 'pptm', 'potx', 'potm', 'ppsx', 'ppsm'],
    mediaTypes: [
      `${office}presentationml.presentation`,
      `${office}presentationml.template`,
      `${office}presentationml.slideshow`,
    ],
    recognises: holds('ppt/'),
    text: 'Paragraphs of slides, notes, charts and diagrams.',
    kept: 'Formatting, slide numbers and dates, layouts, masters, comments, and every other part byte for byte.',
    megabytes: megabytes.flat,
  },
  zip: {
    name: 'ZIP archive',
    extensions: ['zip'],
    mediaTypes: ['application/zip', 'application/x-zip-compressed'],
    text: 'Every file in it of another format of this table.',
    kept: 'All other files and archives in it, byte for byte; the request names them in its warnings.',
    megabytes: megabytes.flat,
  },
})
