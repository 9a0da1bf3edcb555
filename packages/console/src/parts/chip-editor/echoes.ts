/**
 * Tells a value that the page chose from one that it only repeats: the one it gave before, or what
 * the editor itself has said, perhaps late. Only a chosen value may replace what stands in the
 * editor.
 */
import { sameText, type TextPart } from './texts.ts'

export type Echoes = {
  sent(value: readonly TextPart[]): void
  judge(value: readonly TextPart[]): 'same' | 'echo' | 'chosen'
}

const most = 100

/** `begins` is the value that the page gave first. */
export function openEchoes(begins: readonly TextPart[]): Echoes {
  let given = begins
  let sent: (readonly TextPart[])[] = []
  return {
    sent(value) {
      sent = [...sent.slice(-most), value]
    },
    judge(value) {
      if (sameText(value, given)) return 'same'
      given = value
      const at = sent.findIndex((one) => sameText(one, value))
      // Those before it are past. It stays itself, until the next one comes back.
      sent = at < 0 ? [] : sent.slice(at)
      return at < 0 ? 'chosen' : 'echo'
    },
  }
}
