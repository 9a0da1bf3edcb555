/**
 * The master key in the data folder, for hubs with SQLite that were given none. It is made once: complete and durable
 * before anything is sealed under it, readable by its owner alone, and never replaced.
 */
import { randomBytes } from 'node:crypto'
import { type FileHandle, link, mkdir, open, readFile, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { ConfigError } from './config.ts'
import { masterKey } from './config-values.ts'

export const masterKeyFile = (data: string): string => join(data, 'master.key')

/** The key that lies in the folder, or undefined when none does. */
export async function readMasterKey(data: string): Promise<Buffer | undefined> {
  const path = masterKeyFile(data)
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw new ConfigError(`The master key in ${path} cannot be read (${codeOf(error)}).`)
  }
  const key = masterKey(text.trim())
  if (!key) throw new ConfigError(`${path} does not hold a master key: 32 bytes in base64 or hex.`)
  return key
}

export async function makeMasterKey(data: string): Promise<Buffer> {
  await mkdir(data, { recursive: true, mode: 0o700 })
  const path = masterKeyFile(data)
  const draft = `${path}.${randomBytes(6).toString('hex')}`
  await durably(draft, 'wx', (file) => file.writeFile(`${randomBytes(32).toString('base64')}\n`))
  try {
    // A link, unlike a rename, fails when another process was first; its key is then the key.
    await link(draft, path)
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error
  } finally {
    await unlink(draft)
  }
  await durably(data, 'r', async () => {})
  const key = await readMasterKey(data)
  if (!key) throw new ConfigError(`The master key in ${path} was removed while the hub started.`)
  return key
}

async function durably(path: string, flags: string, write: (file: FileHandle) => Promise<void>): Promise<void> {
  const file = await open(path, flags, 0o600)
  try {
    await write(file)
    await file.sync()
  } finally {
    await file.close()
  }
}

const codeOf = (error: unknown): string => String((error as { code?: unknown } | undefined)?.code ?? 'unknown reason')
const hasCode = (error: unknown, code: string): boolean => codeOf(error) === code
