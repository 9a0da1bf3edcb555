/**
 * Parses JSON that somebody else wrote, within bounds: a few megabytes of brackets would make
 * millions of objects. One pass over the text counts before anything is made of it.
 */

export type JsonBounds = {
  /** How deep lists and objects may nest. */
  readonly depth?: number
  /** Objects, lists, texts and numbers. */
  readonly values?: number
}

export const usualJsonBounds = { depth: 100, values: 500_000 } as const

/** Throws an error with a sentence. */
export function parseBounded(text: string, bounds: JsonBounds = {}): unknown {
  const { depth: mostDepth, values: mostValues } = { ...usualJsonBounds, ...bounds }
  let [depth, values] = [0, 1]
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === quote) at = endOfString(text, at)
    else if (code === openList || code === openObject) {
      depth += 1
      values += 1
      if (depth > mostDepth) throw new Error(`it has more than ${mostDepth} levels.`)
    } else if (code === closeList || code === closeObject) depth -= 1
    else if (code === comma) values += 1
    if (values > mostValues) throw new Error(`it has more than ${mostValues} values.`)
  }
  return JSON.parse(text)
}

const [quote, comma, backslash] = [0x22, 0x2c, 0x5c]
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d]

/** The place of the quote that ends it, or the end of the text. */
function endOfString(text: string, from: number): number {
  for (let at = from + 1; ; ) {
    const end = text.indexOf('"', at)
    if (end < 0) return text.length
    let slashes = 0
    while (text.charCodeAt(end - 1 - slashes) === backslash) slashes += 1
    if (slashes % 2 === 0) return end
    at = end + 1
  }
}
