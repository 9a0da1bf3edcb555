/** Formats of software: texts by key, one language per file. */
import { returnsArray } from './php-head.ts'
import { megabytes, rowsOf } from './row.ts'

export const softwareFormats = rowsOf({
  json: {
    name: 'JSON',
    extensions: ['json'],
    mediaTypes: ['application/json'],
    text: 'Every string value; a plural (`item_one` and `item_other`, or an object of plural forms) gets the forms of the target language.',
    kept: 'Keys, numbers, order, indentation, comments.',
    megabytes: megabytes.flat,
  },
  yaml: {
    name: 'YAML',
    extensions: ['yml', 'yaml'],
    mediaTypes: ['application/yaml', 'application/x-yaml', 'text/yaml', 'text/x-yaml'],
    text: 'Every string value. In a locale file with a single language key, that key becomes the target language.',
    kept: 'Keys, numbers, dates, booleans, comments, anchors, aliases, tags, and the style of each value where it can hold the translation.',
    megabytes: 20,
  },
  properties: {
    name: 'Java properties',
    extensions: ['properties'],
    mediaTypes: ['text/x-java-properties'],
    text: 'Every value.',
    kept: 'Keys, comments, order, and whether characters are escaped as `\\uXXXX`.',
    megabytes: megabytes.flat,
  },
  'php-array': {
    name: 'PHP arrays',
    extensions: ['php'],
    mediaTypes: ['application/x-php', 'text/x-php'],
    recognises: returnsArray,
    byNameAlone: false,
    text: 'Every value of the array that the file returns, where it is one string.',
    kept: 'Keys, comments, calls, strings that are put together or have variables in them.',
    megabytes: megabytes.flat,
  },
  'apple-strings': {
    name: 'Apple strings',
    extensions: ['strings'],
    mediaTypes: ['text/x-apple-strings'],
    text: 'Every value.',
    kept: 'Keys, comments, order, and the encoding, including UTF-16.',
    megabytes: megabytes.flat,
  },
})
