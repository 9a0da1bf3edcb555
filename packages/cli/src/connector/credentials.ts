/**
 * The credentials that `dragoman login` stores: one file in the user's configuration folder that
 * only this user can read. A file that others can read is refused.
 */
import { chmod, mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { Refusal, type Screen } from '../command.ts'

export type StoredClient = {
  readonly clientId: string
  readonly clientSecret: string
  /** At login, sending the secret unencrypted was allowed. */
  readonly allowsHttp?: boolean
}
export type Credentials = {
  readonly version: 1
  /** The hub of the last login, used where nothing else names one. */
  readonly current?: string
  readonly hubs: Readonly<Record<string, StoredClient>>
}

const none: Credentials = { version: 1, hubs: {} }
const ownOnly = 0o600

/** By the rules of XDG; %APPDATA% on Windows. */
export function credentialsFile({ env }: Pick<Screen, 'env'>): string {
  const folder =
    env.XDG_CONFIG_HOME ||
    (process.platform === 'win32' && env.APPDATA) ||
    join(env.HOME || homedir(), '.config')
  return join(folder, 'dragoman', 'credentials.json')
}

/** The same hub has the same key, however its URL is written. */
export const hubKey = (url: string): string =>
  URL.canParse(url) ? new URL(url).href.replace(/\/$/, '').replace(/\/v2$/, '') : url

export async function readCredentials(screen: Pick<Screen, 'env'>): Promise<Credentials> {
  const file = credentialsFile(screen)
  const found = await stat(file).catch(() => undefined)
  if (!found) return none
  if (process.platform !== 'win32' && (found.mode & 0o077) !== 0)
    throw new Refusal(
      `${file} can be read by others (mode ${(found.mode & 0o777).toString(8)}), so it is not used. Run chmod 600 on it; if others may have read it, rotate the secret: dragoman clients rotate.`,
    )
  try {
    const stored = JSON.parse(await readFile(file, 'utf8')) as Credentials
    if (stored.version === 1 && typeof stored.hubs === 'object') return stored
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  throw new Refusal(`${file} is not a file of credentials. Remove it and run dragoman login again.`)
}

export async function writeCredentials(
  screen: Pick<Screen, 'env'>,
  credentials: Credentials,
): Promise<string> {
  const file = credentialsFile(screen)
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  const beside = `${file}.${process.pid}.part`
  try {
    const handle = await open(beside, 'w', ownOnly)
    try {
      await handle.writeFile(`${JSON.stringify(credentials, null, 2)}\n`)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await chmod(beside, ownOnly)
    await rename(beside, file)
  } catch (error) {
    await rm(beside, { force: true })
    throw error
  }
  return file
}
