/** The readers of the desk: checks of translations, terms in texts and in files, and texts of units. */
import { checkText } from '../../packages/server/src/domain/checks/check-text.ts'
import { buildParts } from '../../packages/server/src/domain/formats/placeholders/parts.ts'
import { cutParts } from '../../packages/server/src/domain/formats/sentences/cut-parts.ts'
import { partsIn } from '../../packages/server/src/domain/memory/texts.ts'
import { openTerms } from '../../packages/server/src/domain/terms/open-terms.ts'
import { readTermCsv } from '../../packages/server/src/domain/terms/read-term-csv.ts'
import { blanks, marks, messages, type Reader } from './hostile-texts.ts'

async function drain(rows: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of rows);
}

const termsOf = (source: string, target: string) =>
  openTerms(
    [
      {
        termId: 'a',
        entries: [
          { language: source, text: 'invoices', status: 'PREFERRED' },
          { language: source, text: '漢字', status: 'PREFERRED' },
          { language: target, text: 'Rechnungen', status: 'PREFERRED' },
          { language: target, text: 'Konto', status: 'FORBIDDEN' },
        ],
      },
    ],
    source,
    target,
  )

const judged = (source: string, target: string) => async (text: string) =>
  (await termsOf(source, target)).judgeTerms(`invoices ${text}`, `Konto ${text}`)

export const deskReaders: readonly Reader[] = [
  {
    name: 'checks of a text',
    read: (text) =>
      checkText(
        { source: [text], tags: [], target: [`${text} `], sourceLanguage: 'en-US', targetLanguage: 'fr-FR' },
        { mends: false },
      ),
    hostile: [
      ...messages,
      ...marks,
      ...blanks,
      '1,000.50 ',
      '١٢ ',
      'http://a.b/c ',
      '{a, plural, other {x}}',
      'a! ',
      '\u200b',
    ],
  },
  {
    name: 'checks that mend the end of a text',
    read: (text) => {
      const languages = { sourceLanguage: 'en-US', targetLanguage: 'de-DE' }
      checkText({ source: [`x ${text}.`], tags: [], target: [`x ${text}`], ...languages })
      checkText({ source: [`x ${text}`], tags: [], target: [`x ${text}\n`], ...languages })
    },
    hostile: ['a', 'a.', '.', ...blanks],
  },
  {
    name: 'terms in a text',
    read: judged('en', 'de'),
    hostile: ['invoices ', 'invoiced ', 'invoice', 'a ', 'Konten ', ...blanks],
  },
  { name: 'terms in a text without spaces', read: judged('zh', 'de'), hostile: ['漢', '漢字', 'a'] },
  {
    name: 'terms of a CSV file',
    read: (text) => drain(readTermCsv(`en,de\n${text}`, {})),
    hostile: ['a,b\n', '"', 'a', ',', '\n', 'a;b|'],
  },
  {
    name: 'sentences of a paragraph',
    read: (text) =>
      cutParts(
        buildParts([{ text: `${text} Then more.` }], (same) => same),
        'en',
      ),
    hostile: ['a. ', 'a', '“a. ', '. ', '<b>a. </b>', ...blanks],
  },
  {
    name: 'texts of units',
    read: (text) => partsIn(text, [{ tag: 1, kind: 'PLACEHOLDER', shows: '{a}' }]),
    hostile: ['{a}', '{', 'a'],
  },
]
