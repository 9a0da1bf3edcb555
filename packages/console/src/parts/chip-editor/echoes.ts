/**
 * Tells a value that comes back from the page, perhaps late, from one that the page chose itself: only that one may replace what
 * stands in the editor.
 */
import { sameText, type TextPart } from './texts.ts'

export type Echoes = {
  sent(value: readonly TextPart[]): void
  isEcho(value: readonly TextPart[]): boolean
  /** The page chose a value. */
  clear(): void
}

const most = 100

export function openEchoes(): Echoes {
  let sent: (readonly TextPart[])[] = []
  return {
    sent(value) {
      sent = [...sent.slice(-most), value]
    },
    isEcho(value) {
      const at = sent.findIndex((one) => sameText(one, value))
      // The last one stays: the page may render it many times.
      if (at > 0) sent = sent.slice(at)
      return at >= 0
    },
    clear() {
      sent = []
    },
  }
}
