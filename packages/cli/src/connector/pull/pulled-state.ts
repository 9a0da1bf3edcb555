/**
 * What pull has written, in one file: a translation that differs from it was edited locally, and is
 * not overwritten. Jobs whose translations have all been written are not requested again.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { writeWhole } from '@dragoman/sdk/node'

type PulledState = {
  readonly version: 1
  /** SHA-256 of what was written, by path relative to the project's folder. */
  readonly files: Readonly<Record<string, string>>
  /** Jobs with nothing left to pull. */
  readonly done: readonly string[]
}

const nothing: PulledState = { version: 1, files: {}, done: [] }
const fileIn = (folder: string) => join(folder, 'pulled.json')

export async function readPulled(folder: string): Promise<PulledState> {
  try {
    const found = JSON.parse(await readFile(fileIn(folder), 'utf8')) as PulledState
    return found.version === 1 ? found : nothing
  } catch {
    return nothing
  }
}

export async function writePulled(folder: string, state: PulledState): Promise<void> {
  await mkdir(folder, { recursive: true })
  // Nothing in it belongs in a repository.
  await writeFile(join(folder, '.gitignore'), '*\n', { flag: 'wx' }).catch(() => {})
  await writeWhole(fileIn(folder), [
    new TextEncoder().encode(`${JSON.stringify(state, null, 2)}\n`),
  ])
}
