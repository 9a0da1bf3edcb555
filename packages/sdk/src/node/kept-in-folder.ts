/**
 * Texts in a folder, one file each, readable by the owner only. A text is written to a temporary
 * file and renamed, so that a killed process leaves either the old text or the new one.
 */
import { createHash, randomBytes } from 'node:crypto'
import { link, mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { KeptTexts } from '../kept-texts.ts'

export function keptInFolder(folder: string): KeptTexts {
  const placeOf = (key: string) => join(folder, `${readable(key)}-${shortHash(key)}`)
  return {
    get: async (key) => {
      try {
        return await readFile(placeOf(key), 'utf8')
      } catch (error) {
        if (isMissing(error)) return undefined
        throw error
      }
    },
    set: async (key, text, { once } = {}) => {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const place = placeOf(key)
      const beside = `${place}.${randomBytes(6).toString('hex')}`
      try {
        await writeFlushed(beside, text)
        // A link fails if the target exists; a rename replaces it.
        if (once) await link(beside, place).catch(unlessThere)
        else await rename(beside, place)
      } finally {
        await rm(beside, { force: true })
      }
      await flushFolder(dirname(place))
    },
    remove: async (key) => rm(placeOf(key), { force: true }),
  }
}

async function writeFlushed(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
}

async function flushFolder(folder: string): Promise<void> {
  // Windows cannot open a folder, and does not need to flush one.
  const handle = await open(folder, 'r').catch(() => undefined)
  await handle?.sync().catch(() => {})
  await handle?.close()
}

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT'
const unlessThere = (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EEXIST') throw error
}
const readable = (key: string): string => key.replace(/[^A-Za-z0-9]+/g, '-').slice(0, 40)
const shortHash = (key: string): string =>
  createHash('sha256').update(key).digest('hex').slice(0, 24)
