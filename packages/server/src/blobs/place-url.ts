// Places for blobs as a person types them on the command line: a path, or a URL as in
// DRAGOMAN_BLOBS_URL.
import { stat } from 'node:fs/promises'
import { join, posix, resolve } from 'node:path'

/** The blob URL of what was typed; undefined if it is neither a path nor such a URL. */
export function placeUrl(typed: string): string | undefined {
  if (typed.startsWith('s3://')) return URL.canParse(typed) ? typed : undefined
  if (typed.startsWith('file:')) return `file:${resolve(typed.slice('file:'.length))}`
  return typed === '' || typed.includes('://') ? undefined : `file:${resolve(typed)}`
}

/** A store of its own inside a place. */
export function partOfPlace(url: string, part: string): string {
  if (url.startsWith('file:')) return `file:${join(url.slice('file:'.length), part)}`
  const inner = new URL(url)
  inner.pathname = posix.join('/', inner.pathname, part)
  return inner.href
}

/** Whether the folder exists: opening it would create it. A bucket exists, or opening it fails. */
export async function isThere(url: string): Promise<boolean> {
  if (!url.startsWith('file:')) return true
  return stat(url.slice('file:'.length)).then(
    (found) => found.isDirectory(),
    () => false,
  )
}

/** As in messages: a path, or the URL. */
export const placeName = (url: string): string =>
  url.startsWith('file:') ? url.slice('file:'.length) : url
