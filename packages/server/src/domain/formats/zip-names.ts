/** Names of the entries of an archive. One that could leave the folder it is unpacked in is refused. */
import { FormatError } from './format-error.ts'

/** UTF-8, whatever its flag says, or else a character a byte. */
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
  throw new FormatError('MALFORMED', `The archive has an entry with an unsafe name, "${name.slice(0, 200)}".`)
}
