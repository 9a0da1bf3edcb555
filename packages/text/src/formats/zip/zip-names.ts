/** Names of archive entries. A name that could point outside the folder is refused. */
import { FormatError } from '../format-error.ts'

/** UTF-8, whatever the flag says, or else Latin-1. */
export function nameIn(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return Buffer.from(bytes).toString('latin1')
  }
}

/** As most systems bound a path, with room. */
const longestName = 4_096
const mostFolders = 100

export function mustBeSafeName(name: string): void {
  if (name.length > longestName) throw unusable(name, `${name.length} characters`)
  const steps = name.split(/[/\\]/)
  const isAbsolute = steps[0] === '' || /^[A-Za-z]:/.test(name)
  if (steps.length > mostFolders) throw unusable(name, `${steps.length - 1} folders`)
  if (name !== '' && !isAbsolute && !steps.includes('..') && !name.includes('\0')) return
  throw new FormatError(
    'MALFORMED',
    `The archive has an entry with an unsafe name, "${name.slice(0, 200)}".`,
  )
}

const unusable = (name: string, what: string): FormatError =>
  new FormatError(
    'MALFORMED',
    `The archive has an entry whose name has ${what}, "${name.slice(0, 200)}".`,
  )
