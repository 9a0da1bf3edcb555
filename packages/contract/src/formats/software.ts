/** Formats of software: texts by key, for one language a file. */
import { megabytes, rowsOf } from './row.ts'

export const softwareFormats = rowsOf({
  json: {
    name: 'JSON',
    extensions: ['json'],
    mediaTypes: ['application/json'],
    text: 'Every string that is a value.',
    kept: 'Keys, numbers, order, indentation, comments.',
    megabytes: megabytes.flat,
  },
  yaml: {
    name: 'YAML',
    extensions: ['yml', 'yaml'],
    mediaTypes: ['application/yaml', 'application/x-yaml', 'text/yaml', 'text/x-yaml'],
    text: 'Every value that is a text; in a locale file with one language key, that key becomes the target language.',
    kept: 'Keys, numbers, dates, yes and no, comments, anchors, aliases, tags, and the style of every value that can carry its text.',
    megabytes: 20,
  },
  properties: {
    name: 'Java properties',
    extensions: ['properties'],
    mediaTypes: ['text/x-java-properties'],
    text: 'Every value.',
    kept: 'Keys, comments, order, and whether characters are written as they are or as `\\uXXXX`.',
    megabytes: megabytes.flat,
  },
  'apple-strings': {
    name: 'Apple strings',
    extensions: ['strings'],
    mediaTypes: ['text/x-apple-strings'],
    text: 'Every value.',
    kept: 'Keys, comments, order, and the charset, UTF-16 too.',
    megabytes: megabytes.flat,
  },
})
