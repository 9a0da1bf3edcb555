/**
 * Writes a long list as JSON in steps of about 64 KiB, so that others get in between and its reader
 * decides how much of it is in memory.
 */
import { openPauses } from './pauses.ts'

const stepBytes = 64 * 1024
/** Even if they are long: reading more of them takes another query. */
const fewest = 8

type JsonPiece = string | Buffer

/**
 * `write` gives the items from `from` to `until` with commas between them, in parts. `turn` is that
 * of `openPauses`.
 */
export async function* writeInTurns<P extends JsonPiece>(
  count: number,
  comma: P,
  write: (from: number, until: number) => readonly P[] | Promise<readonly P[]>,
  turn?: () => Promise<void>,
): AsyncGenerator<P> {
  const pause = openPauses(turn)
  for (let [at, many] = [0, 16]; at < count; ) {
    if (at > 0) yield comma
    let length = 0
    for (const part of await write(at, Math.min(at + many, count))) {
      length += part.length
      yield part
    }
    at += many
    // As many as were short enough; few if they are long.
    many = length < stepBytes ? many * 2 : Math.max(fewest, Math.floor((many * stepBytes) / length))
    const wait = pause()
    if (wait) await wait
  }
}
