/** The table of formats as the rows of `GET /v2/formats` and `dragoman formats`. */
import type { Format } from '../schemas/format.ts'
import type { FormatRow } from './row.ts'
import { formatIds, formatRows } from './table.ts'

export const listFormats = (): Format[] =>
  formatIds
    .map((id): Format => {
      const { name, extensions, mediaTypes, text, kept, megabytes, advice }: FormatRow =
        formatRows[id]
      return {
        id,
        name,
        extensions: [...extensions],
        mediaTypes: [...mediaTypes],
        translated: advice === undefined,
        text,
        kept,
        maxBytes: megabytes * 1024 ** 2,
        ...(advice !== undefined && { advice }),
      }
    })
    .sort((one, other) => one.name.localeCompare(other.name, 'en'))
