/**
 * Explains why a database cannot be opened, in a sentence that names the file or folder: SQLite
 * only says that it cannot.
 */
import { type Stats, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { sqliteCode, sqliteCodes } from './sqlite-module.ts'

/** The file or its folder is the problem, and the message says how. */
export class CannotOpenFile extends Error {
  override name = 'CannotOpenFile'
}

/** Runs `work`; errors of the file or its folder become a sentence, others pass through. */
export function explained<T>(path: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    const why = reasonOf(path, error)
    if (why === undefined) throw error
    throw new CannotOpenFile(`The database ${path} cannot be opened: ${why}.`, { cause: error })
  }
}

function reasonOf(path: string, error: unknown): string | undefined {
  const code = sqliteCode(error)
  const system = (error as NodeJS.ErrnoException).code ?? ''
  if (code === sqliteCodes.notDatabase)
    return 'it is not an SQLite database; DRAGOMAN_DATABASE_URL points to another file'
  const isFolder = code === sqliteCodes.cannotOpen || /^E(?!RR_)[A-Z]+$/.test(system)
  if (!isFolder) return undefined
  if (find(path)?.isDirectory()) return 'it is a directory, not a file'
  const folder = dirname(path)
  const file = firstFile(folder)
  if (file !== undefined) return `${file} is not a directory`
  const says = system === '' || system === 'ERR_SQLITE_ERROR' ? 'see its permissions' : system
  if (!find(folder)) return `the folder ${folder} is missing and cannot be created (${says})`
  return `the folder ${folder} cannot be written to (${says})`
}

/** The first parent path that is a file instead of a folder. */
function firstFile(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    const found = find(at)
    if (found) return found.isDirectory() ? undefined : at
    if (dirname(at) === at) return undefined
  }
}

function find(path: string): Stats | undefined {
  try {
    return statSync(path)
  } catch {
    return undefined
  }
}
