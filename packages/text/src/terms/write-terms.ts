/**
 * Writes terms as TBX-Basic, version 3 or 2, and as CSV. What is written here is read again
 * unchanged.
 */
import type { Term, TermEntry, TermStatus } from '@dragoman/contract'
import { rowOfCsv } from '../formats/csv/csv-rows.ts'
import { formsOut, withGuard } from './read-term-csv.ts'

/** A list as pieces of text: its head, each term, its end. */
export type ListForm = {
  readonly head: string
  readonly term: (term: Term) => string
  readonly end: string
}

const tbxStatus: Readonly<Record<TermStatus, string>> = {
  PREFERRED: 'preferredTerm-admn-sts',
  ALLOWED: 'admittedTerm-admn-sts',
  FORBIDDEN: 'deprecatedTerm-admn-sts',
}

const signs: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\r': '&#13;',
}
const escaped = (text: string): string => text.replace(/[&<>"\r]/g, (sign) => signs[sign] ?? sign)

const about = '<fileDesc><sourceDesc><p>Terms exported by Dragoman</p></sourceDesc></fileDesc>'
const dialects = {
  '3': {
    head: `<?xml version="1.0" encoding="UTF-8"?>
<tbx type="TBX-Basic" style="dca" xml:lang="en" xmlns="urn:iso:std:iso:30042:ed-2">
<tbxHeader>${about}</tbxHeader>
<text><body>
`,
    end: '</body></text>\n</tbx>\n',
    concept: 'conceptEntry',
    language: 'langSec',
    section: 'termSec',
  },
  '2': {
    head: `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE martif SYSTEM "TBXBasiccoreStructV02.dtd">
<martif type="TBX-Basic" xml:lang="en">
<martifHeader>${about}<encodingDesc><p type="XCSURI">TBXBasicXCSV02.xcs</p></encodingDesc></martifHeader>
<text><body>
`,
    end: '</body></text>\n</martif>\n',
    concept: 'termEntry',
    language: 'langSet',
    section: 'tig',
  },
} as const

export function tbxForm(version: keyof typeof dialects = '3'): ListForm {
  const { head, end, concept, language, section } = dialects[version]
  const noted = (type: string, value: string) => `<termNote type="${type}">${value}</termNote>`
  const sectionsOf = ({ text, status, forms = [], note }: TermEntry): string => {
    const own = `<term>${escaped(text)}</term>${noted('administrativeStatus', tbxStatus[status])}`
    const said = note === undefined ? '' : `<note>${escaped(note)}</note>`
    const variants = forms.map(
      (form) => `<term>${escaped(form)}</term>${noted('termType', 'variant')}`,
    )
    return [`${own}${said}`, ...variants].map((one) => `<${section}>${one}</${section}>\n`).join('')
  }
  const term = ({ termId, definition, entries }: Term): string => {
    const languages = [...new Set(entries.map((entry) => entry.language))]
    const listed = languages.map((code) => {
      const own = entries.filter((entry) => entry.language === code).map(sectionsOf)
      return `<${language} xml:lang="${escaped(code)}">\n${own.join('')}</${language}>\n`
    })
    const said =
      definition === undefined
        ? ''
        : `<descrip type="definition">${escaped(definition)}</descrip>\n`
    // An id in XML begins with a letter.
    return `<${concept} id="c${termId}">\n${said}${listed.join('')}</${concept}>\n`
  }
  return { head, term, end }
}

const rowOf = (cells: readonly string[]): string => rowOfCsv(cells.map(withGuard))

/** One row for each entry. The mark at the beginning tells spreadsheets that it is UTF-8. */
export const csvForm: ListForm = {
  head: `\ufeff${rowOf(['termId', 'language', 'text', 'status', 'forms', 'note', 'definition'])}`,
  term: ({ termId, definition = '', entries }) =>
    entries
      .map(({ language, text, status, forms = [], note = '' }, at) =>
        rowOf([termId, language, text, status, formsOut(forms), note, at === 0 ? definition : '']),
      )
      .join(''),
  end: '',
}
