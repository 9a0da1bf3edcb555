/**
 * The readers of the desk: checks of translations, terms in texts and in files, and texts of units.
 */
import type { TextParts, TextTag } from '@dragoman/contract'
import { openPackage } from '../../packages/server/src/domain/desk/packages/open-package.ts'
import { logProbabilitiesIn } from '../../packages/server/src/domain/engines/drivers/dialects/log-probabilities.ts'
import { checkText } from '../../packages/text/src/checks/check-text.ts'
import { judgeXliff } from '../../packages/text/src/exchange/judge-xliff.ts'
import { writeXliff12 } from '../../packages/text/src/exchange/write-xliff-12.ts'
import { loneEntry, openZip, type ZipEntry } from '../../packages/text/src/formats/zip/zip-read.ts'
import { adaptTarget } from '../../packages/text/src/likeness/adapt.ts'
import { partsIn } from '../../packages/text/src/likeness/texts.ts'
import { buildParts } from '../../packages/text/src/placeholders/parts.ts'
import { tokensIn } from '../../packages/text/src/risk/tokens.ts'
import { cutParts } from '../../packages/text/src/sentences/cut-parts.ts'
import { openTerms } from '../../packages/text/src/terms/open-terms.ts'
import { readTermCsv } from '../../packages/text/src/terms/read-term-csv.ts'
import { inPieces, pack } from '../formats/pack.ts'
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

const unitIn = (source: string) =>
  `<trans-unit id="a" extradata="sent.AAAAAAAAAAAA.none"><source>${source}</source><target>x</target></trans-unit>`
const packageTags: TextTag[] = [
  { tag: 1, kind: 'OPEN', pair: 2, shows: '<b>' },
  { tag: 2, kind: 'CLOSE', pair: 1, shows: '</b>' },
]
const entryOf = (name: string, content: string) => {
  const { bytes, entries } = openZip(pack([{ name, content, stored: true }]))
  const [entry] = entries as [ZipEntry]
  return loneEntry(bytes.subarray(entry.data, entry.end), entry)
}

export const deskReaders: readonly Reader[] = [
  {
    name: 'a similar text whose numbers differ',
    read: (text) => adaptTarget(`2 ${text}`, { source: `1 ${text}`, target: `1 ${text}` }),
    hostile: ['1 ', '1,', '{a} ', '<b>', '1{a}', ...blanks],
  },
  {
    name: 'a text whose risk is estimated',
    read: (text) => tokensIn(text),
    hostile: ["'", "a'", '’', 'a', '1', '，', ...blanks],
  },
  {
    name: 'the log-probabilities of an answer',
    read: (text) => logProbabilitiesIn({ logprobs: { content: [{ token: text, logprob: -1 }] } }),
    hostile: ['"', '\\', '"id":1,"text":"a"', '"id","text"', '"id"'],
  },
  {
    name: 'an XLIFF file of a package',
    read: (text) => {
      const units = `<xliff version="1.2"><file original="o"><body>${text}</body></file></xliff>`
      judgeXliff(entryOf('a.xlf', units), {
        targetLanguage: 'de-DE',
        segments: [{ segmentId: 'a', source: ['x'], tags: packageTags }],
      })
    },
    hostile: [unitIn('x'), unitIn('<g id="1">x</g>'), '<group>', '<x/>', '&amp;', ...blanks],
  },
  {
    name: 'a text that goes into a package',
    read: (text) => {
      const parts: TextParts = [text, { tag: 1 }, text, { tag: 2 }]
      const segment = {
        segmentId: 'a',
        source: parts,
        tags: packageTags,
        target: parts,
        state: 'open',
        matches: [],
      } as const
      writeXliff12({
        ...{
          jobId: 'j',
          assetTaskId: 'a',
          fileName: 'f',
          sourceLanguage: 'en',
          targetLanguage: 'de',
        },
        segments: [segment],
      })
    },
    hostile: ['a', '<', '&', '\u0001', '\r\n', ...blanks],
  },
  {
    name: 'the names in a package',
    read: (text) => openPackage('site', inPieces(pack([{ name: `${text}b`, content: '' }])), 1),
    hostile: ['a/', 'a', '.', 'target/', '~'],
  },
  {
    name: 'checks of a text',
    read: (text) =>
      checkText(
        {
          source: [text],
          tags: [],
          target: [`${text} `],
          sourceLanguage: 'en-US',
          targetLanguage: 'fr-FR',
        },
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
    name: 'numbers in words',
    read: (text) => {
      for (const sourceLanguage of ['zh-CN', 'fr-FR'])
        checkText(
          {
            source: [text],
            tags: [],
            target: [`1 ${text}`],
            sourceLanguage,
            targetLanguage: 'en-US',
          },
          { mends: false },
        )
    },
    hostile: ['十', '万', '1万2000 ', '一九二〇', 'XVIII ', 'quatre-vingt-', 'M', '2千', ...blanks],
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
  {
    name: 'terms in a text without spaces',
    read: judged('zh', 'de'),
    hostile: ['漢', '漢字', 'a'],
  },
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
