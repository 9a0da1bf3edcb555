/** Reads the files that a command without a hub is given, and says what is wrong with them. */
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { type FormatId, formatRows } from '@dragoman/contract/wire'
import { Refusal, type Screen, UsageError } from '../command.ts'

const problems: Readonly<Record<string, string>> = {
  ENOENT: 'There is no file',
  EISDIR: 'Name a file, not a folder:',
  EACCES: 'You may not read',
}

export async function readGiven({ cwd }: Screen, name: string): Promise<Uint8Array> {
  try {
    return await readFile(resolve(cwd, name))
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException
    const says = problems[code]
    throw new Error(says === undefined ? message : `${says} ${name}.`)
  }
}

/** `--format`. */
export function formatGiven(given: string | undefined): FormatId | undefined {
  if (given === undefined) return undefined
  if (Object.hasOwn(formatRows, given)) return given as FormatId
  throw new UsageError(`There is no format "${given}". dragoman formats lists them.`)
}

/** Refuses a broken file in a sentence that names it; an unknown format is a mistake of the call. */
export function namingFile<T>(name: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'FormatError') throw error
    if ((error as { readonly code?: string }).code === 'UNKNOWN_FORMAT')
      throw new Error(
        `The format of ${name} is not known. Name it with --format; dragoman formats lists them.`,
      )
    throw new Refusal(`${name}: ${error.message}`)
  }
}
