/**
 * Writes a long list as JSON in steps of about 64 KiB, so that others get in between and its reader decides how much of it is in
 * memory.
 */
import { openPauses } from './pauses.ts'

const stepBytes = 64 * 1024
/** However long they are: what is read for them takes a query. */
const fewest = 8

/** `write` gives the items from `from` to `until` with commas between them. `turn` is that of `openPauses`. */
export async function* writeInTurns(
  count: number,
  write: (from: number, until: number) => string | Promise<string>,
  turn?: () => Promise<void>,
): AsyncGenerator<string> {
  const pause = openPauses(turn)
  for (let [at, many] = [0, 16]; at < count; ) {
    const text = await write(at, Math.min(at + many, count))
    yield at === 0 ? text : `,${text}`
    at += many
    // As many as were short enough; few if they are long.
    many = text.length < stepBytes ? many * 2 : Math.max(fewest, Math.floor((many * stepBytes) / text.length))
    const wait = pause()
    if (wait) await wait
  }
}
