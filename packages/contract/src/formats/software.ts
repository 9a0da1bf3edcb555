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
})
