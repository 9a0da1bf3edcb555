/** Writes what arrives to a new file, or to standard output for `-`. */
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import type { Screen } from '../command.ts'

/**
 * Never writes faster than the reader reads; an export that fails leaves no file. Returns how many
 * bytes were written.
 */
export async function writeAll(
  screen: Screen,
  to: string,
  chunks: AsyncIterable<Uint8Array>,
): Promise<number> {
  if (to === '-') return pour(chunks, process.stdout)
  const path = resolve(screen.cwd, to)
  // Refuses to overwrite a file, and creates it only when there is something to write.
  const first = chunks[Symbol.asyncIterator]()
  const begin = await first.next()
  const file = createWriteStream(path, { flags: 'wx', mode: 0o600 })
  await once(file, 'open')
  try {
    const bytes = await pour(resumed(begin, first), file)
    file.end()
    await finished(file)
    return bytes
  } catch (error) {
    file.destroy()
    await rm(path, { force: true })
    throw error
  }
}

async function* resumed(begin: IteratorResult<Uint8Array>, rest: AsyncIterator<Uint8Array>) {
  for (let next = begin; !next.done; next = await rest.next()) yield next.value
}

async function pour(chunks: AsyncIterable<Uint8Array>, target: Writable): Promise<number> {
  let bytes = 0
  for await (const chunk of chunks) {
    bytes += chunk.length
    // `once` rejects if the target fails in the meantime.
    if (!target.write(chunk)) await once(target, 'drain')
  }
  return bytes
}
