/**
 * The master key in the data folder, for SQLite hubs without a configured one. It is created once:
 * complete and durable before anything is sealed under it, readable by its owner only, and never
 * replaced.
 */
import { randomBytes } from 'node:crypto'
import { type FileHandle, link, mkdir, open, readFile, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { ConfigError } from './config.ts'
import { masterKey } from './config-values.ts'

export const masterKeyFile = (data: string): string => join(data, 'master.key')

/** The key in the folder, or undefined. */
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
  if (!key)
    throw new ConfigError(`${path} does not contain a master key: 32 bytes in base64 or hex.`)
  return key
}

export async function makeMasterKey(data: string): Promise<Buffer> {
  await mkdir(data, { recursive: true, mode: 0o700 })
  const path = masterKeyFile(data)
  const draft = `${path}.${randomBytes(6).toString('hex')}`
  await durably(draft, 'wx', (file) => file.writeFile(`${randomBytes(32).toString('base64')}\n`))
  try {
    // Unlike a rename, a link fails if another process was first; that process's key then applies.
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

/** Writes a new key into a file that does not exist yet. */
export async function writeNewKey(path: string): Promise<Buffer> {
  const key = randomBytes(32)
  await durably(path, 'wx', (file) => file.writeFile(`${key.toString('base64')}\n`))
  await durably(dirname(path), 'r', async () => {})
  return key
}

async function durably(
  path: string,
  flags: string,
  write: (file: FileHandle) => Promise<void>,
): Promise<void> {
  const file = await open(path, flags, 0o600)
  try {
    await write(file)
    await file.sync()
  } finally {
    await file.close()
  }
}

const codeOf = (error: unknown): string =>
  String((error as { code?: unknown } | undefined)?.code ?? 'unknown reason')
const hasCode = (error: unknown, code: string): boolean => codeOf(error) === code
