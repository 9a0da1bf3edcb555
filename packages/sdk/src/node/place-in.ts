/**
 * Chooses a path for a file below a folder, whatever name a hub gives and whatever the folder
 * contains: links are not followed out of it, and two names that a file system may treat as equal
 * get two paths.
 */
import { lstat, mkdir, readdir, realpath } from 'node:fs/promises'
import { isAbsolute, join, relative, sep } from 'node:path'
import { distinctPath, folded, marked, safePath } from './safe-path.ts'

/**
 * The owner of a file: two files of one job must not share a path, but a new job may replace an old
 * one's.
 */
export type Owner = { readonly jobId: string; readonly id: string }

type Taken = { readonly name: string; readonly owner?: Owner }
/**
 * The entries of a folder, keyed by the name that a file system may treat as equal. Read once,
 * updated by each save.
 */
const known = new Map<string, Map<string, Taken>>()
const maxKnown = 1_000

/** The path to write to. Its folders exist. */
export async function placeIn(folder: string, name: string, owner?: Owner): Promise<string> {
  await mkdir(folder, { recursive: true })
  const root = await realpath(folder)
  const parts = safePath(name).split('/')
  const last = parts.pop() ?? ''
  let at = root
  for (const part of parts) at = await enter(root, at, await free(at, part))
  return join(at, await free(at, last, owner))
}

async function enter(root: string, at: string, part: string): Promise<string> {
  const path = join(at, part)
  const found = await lstat(path).catch(() => undefined)
  if (!found) await mkdir(path, { recursive: true })
  if (found?.isSymbolicLink() && !isInside(root, await realpath(path)))
    throw new Error(`${path} is a link that leads outside ${root}; nothing was written.`)
  return path
}

function isInside(root: string, path: string): boolean {
  const way = relative(root, path)
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}

/**
 * The name itself; with a suffix if another file has an equivalent name, and numbered if that is
 * taken, too.
 */
async function free(folder: string, name: string, owner?: Owner): Promise<string> {
  const names = known.get(folder) ?? (await list(folder))
  const alike = names.get(folded(name))
  const own = alike && alike.name !== name ? distinctPath(name, name) : name
  for (let number = 1; ; number += 1) {
    const chosen = number === 1 ? own : marked(own, String(number))
    if (isSibling(names.get(folded(chosen))?.owner, owner)) continue
    names.set(folded(chosen), { name: chosen, ...(owner && { owner }) })
    return chosen
  }
}

const isSibling = (one: Owner | undefined, other: Owner | undefined): boolean =>
  one !== undefined && other !== undefined && one.jobId === other.jobId && one.id !== other.id

async function list(folder: string): Promise<Map<string, Taken>> {
  const names = new Map<string, Taken>()
  for (const name of await readdir(folder)) names.set(folded(name), { name })
  if (known.size >= maxKnown) known.clear()
  known.set(folder, names)
  return names
}
