/** The offsets of all values of a JSON document by path, for formats that insert members. */
import { readDocument } from './json-scan.ts'

export type Span = { readonly start: number; readonly end: number }
export type JsonShape = {
  readonly text: string
  /** The range of each value, including quotes and brackets. */
  readonly values: ReadonlyMap<string, Span>
  /** The paths of the members of an object, in order, with the offset of each key. */
  readonly members: ReadonlyMap<string, readonly string[]>
  readonly keys: ReadonlyMap<string, number>
}

export function readShape(text: string): JsonShape {
  const values = new Map<string, Span>()
  const members = new Map<string, string[]>()
  const keys = new Map<string, number>()
  const opened = new Map<string, number>()
  readDocument(text, (path, from, to) => values.set(path, { start: from - 1, end: to + 1 }), {
    key: (path, at) => {
      keys.set(path, at)
      members.get(path.slice(0, path.lastIndexOf('/')))?.push(path)
    },
    open: (path, at) => {
      opened.set(path, at)
      members.set(path, [])
    },
    close: (path, end) => values.set(path, { start: opened.get(path) ?? 0, end }),
    literal: (path, start, end) => values.set(path, { start, end }),
  })
  return { text, values, members, keys }
}
