/** Formats of documents: prose with markup. */
import { megabytes, rowsOf } from './row.ts'
import { rootOf } from './xml-head.ts'

export const documentFormats = rowsOf({
  text: {
    name: 'Plain text',
    extensions: ['txt', 'text'],
    mediaTypes: ['text/plain'],
    text: 'Every non-blank line.',
    kept: 'Line endings, blank lines, and leading and trailing whitespace.',
    isProse: true,
    megabytes: megabytes.flat,
  },
  html: {
    name: 'HTML',
    extensions: ['html', 'htm', 'xhtml'],
    mediaTypes: ['text/html', 'application/xhtml+xml'],
    recognises: (head) => /^\ufeff?\s*<(?:!doctype\s+html|html)\b/i.test(head),
    text: 'Text between block tags; attributes such as `alt`, `title`, `placeholder` and `aria-label`; labels of buttons and options; descriptions, keywords and titles in `meta`.',
    kept: 'Tags, scripts, styles, comments, the elements `code`, `pre`, `kbd`, `samp` and `var` (unless `translate="yes"`), `translate="no"` and the class `notranslate`. `lang` of the root becomes the target language.',
    isProse: true,
    megabytes: megabytes.flat,
  },
  markdown: {
    name: 'Markdown',
    extensions: ['md', 'markdown', 'mdown', 'mkd'],
    mediaTypes: ['text/markdown', 'text/x-markdown'],
    text: 'Paragraphs, headings, list items, table cells, texts and titles of links and images, titles of directives (`:::note Title`), HTML, and some keys of the front matter (YAML or TOML).',
    kept: 'Code, URLs, link definitions, HTML tags, alert markers (`> [!NOTE]`), emoji (`:tada:`), mentions (`@user`), maths (`$x^2$`), other front matter keys.',
    isProse: true,
    megabytes: megabytes.tree,
  },
  csv: {
    name: 'CSV and TSV',
    extensions: ['csv', 'tsv'],
    mediaTypes: ['text/csv', 'text/tab-separated-values'],
    text: 'Every cell with a letter, in the selected columns (default: all but those of keys, such as `key` and `id`).',
    kept: 'The header, keys, formulas, numbers, dates, quotes and delimiters. A translation that a spreadsheet would run (`= + - @` first) gets a leading apostrophe.',
    megabytes: megabytes.flat,
  },
  srt: {
    name: 'SRT subtitles',
    extensions: ['srt'],
    mediaTypes: ['application/x-subrip', 'text/srt'],
    recognises: (head) => /^\ufeff?\d{1,6}\r?\n\d{1,3}:\d\d:\d\d[,.]\d{3} -->/.test(head),
    text: 'Every cue; its lines are joined for translation and wrapped again.',
    kept: 'Numbers, times, tags.',
    megabytes: megabytes.flat,
  },
  vtt: {
    name: 'WebVTT subtitles',
    extensions: ['vtt'],
    mediaTypes: ['text/vtt'],
    recognises: (head) => /^\ufeff?WEBVTT[ \t\r\n]/.test(head),
    text: 'Every cue; its lines are joined for translation and wrapped again.',
    kept: 'Times, settings, speakers, tags, notes, styles, regions.',
    megabytes: megabytes.flat,
  },
  'key-value': {
    name: 'Fields of a request',
    extensions: ['xml'],
    mediaTypes: [],
    recognises: (head) =>
      rootOf(head)?.name === 'content' && /<field\s[^>]{0,64}?\bkey\s*=/.test(head),
    text: 'The content of every `field`.',
    kept: 'Keys, and everything else.',
    megabytes: megabytes.flat,
  },
  xml: {
    name: 'XML',
    extensions: ['xml'],
    mediaTypes: ['application/xml', 'text/xml'],
    text: 'Elements that contain text; their inner elements become tags in it.',
    kept: 'Attributes, comments, entities, `translate="no"` and `its:translate="no"`.',
    megabytes: megabytes.flat,
  },
})
