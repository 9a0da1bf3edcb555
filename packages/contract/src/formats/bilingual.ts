/** Formats that hold two languages: files to translate, and what is only ever imported. */
import { megabytes, rowsOf } from './row.ts'
import { rootOf } from './xml-head.ts'

const isXliff = (head: string, version: string): boolean => {
  const root = rootOf(head)
  return root?.local === 'xliff' && root.attribute('version')?.startsWith(version) === true
}

const xliff = { extensions: ['xlf', 'xliff', 'xml'], mediaTypes: ['application/xliff+xml', 'application/x-xliff+xml'] }

export const bilingualFormats = rowsOf({
  'xliff-1.2': {
    ...xliff,
    name: 'XLIFF 1.2',
    recognises: (head) => isXliff(head, '1.'),
    text: 'The source of every unit, or the segments that it is cut into.',
    kept: 'Inline elements, notes, units with `translate="no"`, and targets that are approved or final.',
    megabytes: megabytes.flat,
  },
  'xliff-2': {
    ...xliff,
    name: 'XLIFF 2',
    recognises: (head) => isXliff(head, '2.'),
    text: 'The source of every segment.',
    kept: 'Inline elements, modules, original data, units with `translate="no"`, and segments that are final.',
    megabytes: megabytes.flat,
  },
  po: {
    name: 'gettext PO and POT',
    extensions: ['po', 'pot'],
    mediaTypes: ['text/x-gettext-translation', 'text/x-gettext-translation-template', 'text/x-po'],
    recognises: (head) => /^msgid ""\r?\nmsgstr "/m.test(head),
    text: 'Every `msgid` and `msgid_plural`; the translation goes to `msgstr`, with the plural forms of the target language.',
    kept: 'Contexts, comments, flags, obsolete entries, and entries that are translated and not fuzzy.',
    megabytes: megabytes.flat,
  },
})
