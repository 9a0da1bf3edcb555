/**
 * The requests of a job as its archives name them: a folder for each target language, and no name
 * twice in it.
 */
import { contentFileName } from '../content-file.ts'
import type { RequestWithFile } from '../request.ts'

/** `folder` and `name` are the same in every archive of the job, whatever else is in it. */
export type PlacedRequest = {
  readonly request: RequestWithFile
  readonly folder: string
  readonly name: string
}

/** `requests` are all of the job, in their order. */
export function placed(requests: readonly RequestWithFile[]): PlacedRequest[] {
  const taken = new Map<string, number>()
  return requests.map((request) => {
    const folder = safeName(request.target_language)
    const own = safeName(request.file_name ?? contentFileName(request.request_name))
    return { request, folder, name: freeName(own, folder, taken) }
  })
}

const longest = 120

/** A name that every file system takes. */
export function safeName(name: string): string {
  const plain = name
    .replace(/[\p{Cc}\p{Cs}<>:"/\\|?*]/gu, '_')
    .trim()
    .replace(/^\./, '_')
    .replace(/\.$/, '_')
  const dot = plain.lastIndexOf('.')
  const extension = dot > 0 && plain.length - dot <= 12 ? plain.slice(dot) : ''
  const stem = extension === '' ? plain : plain.slice(0, dot)
  const cut = [...stem].slice(0, longest).join('')
  return /^(?:con|prn|aux|nul|com\d|lpt\d)$/i.test(cut)
    ? `_${cut}${extension}`
    : `${cut || 'file'}${extension}`
}

/** File systems may not tell capitals apart. `taken` has the last number of each name. */
function freeName(name: string, folder: string, taken: Map<string, number>): string {
  const dot = name.lastIndexOf('.')
  const [stem, extension] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, '']
  const keyOf = (some: string) => `${folder}/${some}`.normalize('NFC').toLowerCase()
  const last = taken.get(keyOf(name)) ?? 0
  for (let number = last + 1; ; number += 1) {
    const free = number === 1 ? name : `${stem} (${number})${extension}`
    if (number > 1 && taken.has(keyOf(free))) continue
    taken.set(keyOf(name), number)
    if (number > 1) taken.set(keyOf(free), 1)
    return free
  }
}
