/**
 * An archive of files: each is translated as if it were sent alone. Files of unknown formats and
 * nested archives are copied.
 */
import { type FormatRow, formatRows, mayBeRead } from '@dragoman/contract/wire'
import type { Format } from '../format.ts'
import { defineContainer } from './container.ts'

const longest = 20

/** `find` returns the format of a file. */
export const zipOf = (find: (fileName: string, bytes: Uint8Array) => Format | undefined) =>
  defineContainer({
    id: 'zip',
    formatOf: ({ name }, unpack) => {
      if (!mayBeRead(name) || name.startsWith('__MACOSX/')) return undefined
      const format = find(name, unpack())
      const row: FormatRow | undefined = format && formatRows[format.id]
      return format?.id === 'zip' || row?.advice ? undefined : format
    },
    remark: (copied) => {
      if (copied.length === 0) return []
      const named = copied.slice(0, longest).map((name) => `"${name}"`)
      const more = copied.length > longest ? ` and ${copied.length - longest} more` : ''
      return [`Not translated, copied as they are: ${named.join(', ')}${more}.`]
    },
  })
