/**
 * Finds the brace that closes a branch of a message. One pass from the end of a stretch to its
 * start answers for every position, so that a text full of unclosed braces costs no more than any
 * other.
 */

export type Braces = {
  /** The brace that closes the branch whose text starts at `from`, if it is before `limit`. */
  closing(from: number, limit: number): number | undefined
}

/**
 * The maximum length of a message. A message that starts in the first half of a stretch ends inside
 * the stretch.
 */
/** Characters of one message, and its nested braces. */
export const icuBounds = { length: 64 * 1024, depth: 50 } as const

const half = icuBounds.length
const none = -1

/** With `quotes`, an apostrophe before a brace or # quotes everything up to the next apostrophe. */
export function openBraces(text: string, quotes: boolean): Braces {
  let begin = 0
  let end = none
  let closings = new Int32Array()
  let depths = new Uint8Array()

  const work = (from: number): void => {
    begin = from
    end = Math.min(text.length, from + 2 * half)
    const size = end - begin
    // One more position than characters: nothing closes there.
    closings = new Int32Array(size + 1).fill(none)
    depths = new Uint8Array(size + 1)
    let apostrophe = none
    for (let at = size - 1; at >= 0; at--) {
      const character = text.charCodeAt(begin + at)
      let next = at + 1
      let depth = 0
      if (character === 0x7d) {
        closings[at] = at
        continue
      }
      if (character === 0x7b) {
        const inner = closings[next] ?? none
        depth = 1 + (depths[next] ?? 0)
        next = inner === none ? size : inner + 1
      } else if (character === 0x27) {
        if (quotes && isQuoted(text.charCodeAt(begin + next)))
          next = apostrophe === none ? size : apostrophe + 1
        apostrophe = at
      }
      closings[at] = closings[next] ?? none
      depths[at] = Math.min(0xff, Math.max(depth, depths[next] ?? 0))
    }
  }

  return {
    closing: (from, limit) => {
      if (from < begin || Math.min(limit, text.length) > end) work(from)
      const closing = closings[from - begin] ?? none
      const fits =
        closing !== none && begin + closing < limit && (depths[from - begin] ?? 0) < icuBounds.depth
      return fits ? begin + closing : undefined
    },
  }
}

const isQuoted = (character: number): boolean =>
  character === 0x7b || character === 0x7d || character === 0x23
