/**
 * Turns a name from a hub into a relative path that stays below its folder and that Linux, macOS
 * and Windows can all write. A safe name stays as it is. Otherwise forbidden parts are replaced,
 * and a short hash of the whole name keeps it distinct from every other name, the same in each run.
 * Pure.
 */
import { createHash } from 'node:crypto'
import { cutName } from '../names.ts'

/** Under the usual limit of 255: leaves room for a hash and for the suffix of a temporary file. */
const maxBytes = 200
const longestExtension = 20

/** Windows device names, with any extension. */
const devices = /^(?:con|prn|aux|nul|conin\$|conout\$|clock\$|(?:com|lpt)[0-9\u00b9\u00b2\u00b3])$/i
/**
 * Control characters, characters reserved by Windows, and those that break a line or change its
 * direction.
 */
const forbidden =
  /[\p{Cc}<>:"|?*\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufffe\uffff]|~(?=\d)/gu
/** Older macOS versions ignore these in names. */
const unseen = /[\u200c\u200d]/g

export function safePath(name: string): string {
  // The same path in any notation: a leading slash, double slashes and `.` mean nothing.
  const given = name.split(/[\\/]/).filter((part) => part !== '' && part !== '.')
  const safe = given.map(safePart)
  const isAsGiven = safe.length > 0 && safe.every((part, at) => part === given[at])
  return isAsGiven ? safe.join('/') : marked(safe.join('/') || 'file', hashOf(name))
}

/** The path with a suffix on its name, before the extension. */
export function marked(path: string, mark: string): string {
  const slash = path.lastIndexOf('/')
  const { stem, extension } = parted(path.slice(slash + 1))
  return `${path.slice(0, slash + 1)}${stem}-${mark}${extension}`
}

/** Another path for this name, if its own is taken by an equivalent one. */
export const distinctPath = (path: string, name: string): string => marked(path, hashOf(name))

const hashOf = (name: string): string => createHash('sha256').update(name).digest('hex').slice(0, 8)

function safePart(part: string): string {
  const visible = part
    .toWellFormed()
    .replace(forbidden, '_')
    // Windows drops trailing dots and spaces, which gives another name; `..` consists of nothing
    // else.
    .replace(/(?<![. ])[. ]+$/, (end) => '_'.repeat(end.length))
  const [base = ''] = visible.split('.', 1)
  const isDevice = devices.test(base.trimEnd())
  const isGit = visible.replace(unseen, '').toLowerCase() === '.git'
  return cut(isDevice || isGit ? `_${visible}` : visible)
}

function cut(name: string): string {
  if (Buffer.byteLength(name) <= maxBytes) return name
  const { stem, extension } = parted(name)
  return `${cutName(stem, maxBytes - Buffer.byteLength(extension))}${extension}`
}

function parted(name: string): { stem: string; extension: string } {
  const dot = name.lastIndexOf('.')
  const extension = dot > 0 ? name.slice(dot) : ''
  return Buffer.byteLength(extension) > longestExtension
    ? { stem: name, extension: '' }
    : { stem: name.slice(0, name.length - extension.length), extension }
}

/** Names that some file system treats as equal fold to the same text. */
export const folded = (name: string): string => name.normalize('NFKC').toUpperCase().toLowerCase()
