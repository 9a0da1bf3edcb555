/** Formats that hold two languages: files to translate, and files that are only imported. */
import { megabytes, rowsOf } from './row.ts'
import { rootOf } from './xml-head.ts'

const isXliff = (head: string, version: string): boolean => {
  const root = rootOf(head)
  return root?.local === 'xliff' && root.attribute('version')?.startsWith(version) === true
}

const xliff = {
  extensions: ['xlf', 'xliff', 'xml'],
  mediaTypes: ['application/xliff+xml', 'application/x-xliff+xml'],
}

export const bilingualFormats = rowsOf({
  'xliff-1.2': {
    ...xliff,
    name: 'XLIFF 1.2',
    recognises: (head) => isXliff(head, '1.'),
    text: 'The source of every unit, or of its segments.',
    kept: 'Inline elements, notes, units with `translate="no"`, and approved or final targets.',
    megabytes: megabytes.flat,
  },
  'xliff-2': {
    ...xliff,
    name: 'XLIFF 2',
    recognises: (head) => isXliff(head, '2.'),
    text: 'The source of every segment.',
    kept: 'Inline elements, modules, original data, units with `translate="no"`, and final segments.',
    megabytes: megabytes.flat,
  },
  po: {
    name: 'gettext PO and POT',
    extensions: ['po', 'pot'],
    mediaTypes: ['text/x-gettext-translation', 'text/x-gettext-translation-template', 'text/x-po'],
    recognises: (head) => /^msgid ""\r?\nmsgstr "/m.test(head),
    text: 'Every `msgid` and `msgid_plural`; the translation goes to `msgstr`, with the plural forms of the target language.',
    kept: 'Contexts, comments, flags, obsolete entries, and translated entries that are not fuzzy. The translations of a catalogue whose `Language:` is another one are replaced.',
    megabytes: megabytes.flat,
  },
  'qt-ts': {
    name: 'Qt TS',
    extensions: ['ts'],
    mediaTypes: ['text/vnd.trolltech.linguist'],
    recognises: (head) => rootOf(head)?.name === 'TS',
    byNameAlone: false,
    text: 'The `source` of every message; the translation goes to `translation`, with the plural forms of the target language.',
    kept: 'Contexts, locations, comments, vanished messages, and finished translations.',
    megabytes: megabytes.flat,
  },
  tmx: {
    name: 'TMX',
    extensions: ['tmx', 'xml'],
    mediaTypes: ['application/x-tmx+xml'],
    recognises: (head) => rootOf(head)?.name === 'tmx',
    text: 'Nothing: it is a translation memory.',
    kept: 'All of it.',
    megabytes: megabytes.flat,
    advice:
      'A TMX file is a translation memory and is not translated itself. Import it with a translation memory update of the job (POST /v2/jobs/{jobId}/tmupdates).',
  },
  tbx: {
    name: 'TBX',
    extensions: ['tbx', 'xml'],
    mediaTypes: ['application/x-tbx'],
    recognises: (head) => {
      const root = rootOf(head)?.local
      return root === 'martif' || root === 'tbx'
    },
    text: 'Nothing: it is a termbase.',
    kept: 'All of it.',
    megabytes: megabytes.flat,
    advice:
      'A TBX file is a termbase and is not translated itself. Add it to the job as a support asset, so that translators can use its terms.',
  },
})
