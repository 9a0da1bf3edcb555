/**
 * A file on disk as an upload source. It is opened for each piece, and refused if the file has
 * changed since the start: a mixture of two versions must never arrive.
 */
import { open, readdir, stat } from 'node:fs/promises'
import { basename, extname, join, relative, sep } from 'node:path'
import type { Item } from '../content.ts'
import type { Source } from '../source.ts'

export async function fileSource(path: string, name = basename(path)): Promise<Source> {
  const begun = await stat(path, { bigint: true })
  if (!begun.isFile()) throw new Error(`${path} is no file.`)
  const begunAs = `${begun.size}-${begun.mtimeNs}`
  return {
    name,
    size: Number(begun.size),
    read: async (start, end) => {
      const file = await open(path)
      try {
        const bytes = new Uint8Array(end - start)
        for (let at = 0; at < bytes.length; ) {
          const { bytesRead } = await file.read(bytes, at, bytes.length - at, start + at)
          if (bytesRead === 0) throw changed(path)
          at += bytesRead
        }
        const present = await file.stat({ bigint: true })
        if (`${present.size}-${present.mtimeNs}` !== begunAs) throw changed(path)
        return bytes
      } finally {
        await file.close()
      }
    },
  }
}

const changed = (path: string) =>
  new Error(`${path} changed during the upload; nothing was stored. Send it again.`)

/**
 * The files of a folder and its subfolders as items of a push, named by their relative path; hidden
 * files are left out.
 */
export async function filesIn(folder: string, extensions?: readonly string[]): Promise<Item[]> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = found
    .filter((one) => one.isFile())
    .map((one) => relative(folder, join(one.parentPath, one.name)).split(sep).join('/'))
    .filter((path) => !/(^|\/)\./.test(path))
    .filter((path) => !extensions || extensions.includes(extname(path)))
    .sort()
  return Promise.all(
    paths.map(async (path) => ({ name: path, file: await fileSource(join(folder, path)) })),
  )
}
