/**
 * Keeps the garbage of large bodies small. V8 lets the heap grow to several times what is alive before it collects: after a few
 * bodies of 16 MiB, 170 MB were used of which 30 MB were alive. While such bodies come, it collects when the heap has grown by
 * two fifths. Otherwise V8 decides: collecting more often would cost calls with hundreds of requests a tenth more processor time.
 */
import { setFlagsFromString } from 'node:v8'

const percent = 40
/** How long after the last large body. */
const calmMs = 60_000

let calm: NodeJS.Timeout | undefined

export function growSlowly(): void {
  if (calm) {
    calm.refresh()
    return
  }
  setFlagsFromString(`--heap-growing-percent=${percent}`)
  calm = setTimeout(() => {
    calm = undefined
    // V8's own choice.
    setFlagsFromString('--heap-growing-percent=0')
  }, calmMs).unref()
}
