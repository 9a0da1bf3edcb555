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

export function mustBeSafeName(name: string): void {
  const steps = name.split(/[/\\]/)
  const isAbsolute = steps[0] === '' || /^[A-Za-z]:/.test(name)
  if (name !== '' && !isAbsolute && !steps.includes('..') && !name.includes('\0')) return
  throw new FormatError(
    'MALFORMED',
    `The archive has an entry with an unsafe name, "${name.slice(0, 200)}".`,
  )
}
