/**
 * A name that a hub gave, as a path that leads nowhere but down and that Linux, macOS and Windows can all write. A name that is
 * one already stays as it is. In another, what cannot stand there is replaced, and a short hash of the whole name keeps it
 * apart from every other name: the same in each run. Pure.
 */
import { createHash } from 'node:crypto'
import { cutName } from '../names.ts'

/** Half of what file systems take at the least: room for a hash and for the name of a file that is being written. */
const mostBytes = 200
const longestExtension = 20

/** What Windows takes for a device, with any extension. */
const devices = /^(?:con|prn|aux|nul|conin\$|conout\$|clock\$|(?:com|lpt)[0-9\u00b9\u00b2\u00b3])$/i
/** Control characters, what Windows keeps for itself, and what turns the direction of a line or breaks it. */
const forbidden = /[\p{Cc}<>:"|?*\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufffe\uffff]|~(?=\d)/gu
/** macOS once took names for the same that differ in these. */
const unseen = /[\u200c\u200d]/g

export function safePath(name: string): string {
  // The same path, however it is written: a leading slash, two in a row and `.` mean nothing.
  const given = name.split(/[\\/]/).filter((part) => part !== '' && part !== '.')
  const safe = given.map(safePart)
  const isAsGiven = safe.length > 0 && safe.every((part, at) => part === given[at])
  return isAsGiven ? safe.join('/') : marked(safe.join('/') || 'file', hashOf(name))
}

/** The same path with a mark at the end of its name, before the extension. */
export function marked(path: string, mark: string): string {
  const slash = path.lastIndexOf('/')
  const { stem, extension } = parted(path.slice(slash + 1))
  return `${path.slice(0, slash + 1)}${stem}-${mark}${extension}`
}

/** Another path for this name, where its own is taken by one that a file system takes for the same. */
export const distinctPath = (path: string, name: string): string => marked(path, hashOf(name))

const hashOf = (name: string): string => createHash('sha256').update(name).digest('hex').slice(0, 8)

function safePart(part: string): string {
  const visible = part
    .toWellFormed()
    .replace(forbidden, '_')
    // Windows drops them, so that another name is meant; `..` is nothing but them.
    .replace(/(?<![. ])[. ]+$/, (end) => '_'.repeat(end.length))
  const [base = ''] = visible.split('.', 1)
  const isDevice = devices.test(base.trimEnd())
  const isGit = visible.replace(unseen, '').toLowerCase() === '.git'
  return cut(isDevice || isGit ? `_${visible}` : visible)
}

function cut(name: string): string {
  if (Buffer.byteLength(name) <= mostBytes) return name
  const { stem, extension } = parted(name)
  return `${cutName(stem, mostBytes - Buffer.byteLength(extension))}${extension}`
}

function parted(name: string): { stem: string; extension: string } {
  const dot = name.lastIndexOf('.')
  const extension = dot > 0 ? name.slice(dot) : ''
  return Buffer.byteLength(extension) > longestExtension
    ? { stem: name, extension: '' }
    : { stem: name.slice(0, name.length - extension.length), extension }
}

/** Names that some file system takes for the same have the same. */
export const folded = (name: string): string => name.normalize('NFKC').toUpperCase().toLowerCase()
