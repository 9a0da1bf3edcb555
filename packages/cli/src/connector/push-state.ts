/**
 * The progress of a push, in one file that is replaced atomically after every step. A second run finds what is done and does
 * the rest; its idempotency keys ensure that the hub does nothing twice, even calls cut off without an answer.
 */
import { randomBytes } from 'node:crypto'
import { mkdir, open, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { writeWhole } from '@dragoman/sdk/node'
import { Refusal } from '../command.ts'

export type PushState = {
  readonly version: 1
  readonly fingerprint: string
  /** Part of every Idempotency-Key of this push. */
  readonly key: string
  readonly jobId?: string
  /** Maps paths to file ids at the hub. */
  readonly uploads: Readonly<Record<string, string>>
  readonly added?: boolean
  /** The job is submitted: nothing is left to do. */
  readonly submitted?: boolean
}

export const newState = (fingerprint: string): PushState => ({
  version: 1,
  fingerprint,
  key: randomBytes(16).toString('hex'),
  uploads: {},
})

const stateFile = (folder: string) => join(folder, 'push.json')

export async function readState(folder: string): Promise<PushState | undefined> {
  const text = await readFile(stateFile(folder), 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  try {
    const found = JSON.parse(text) as PushState
    return found.version === 1 && typeof found.fingerprint === 'string' ? found : undefined
  } catch {
    return undefined
  }
}

export async function writeState(folder: string, state: PushState): Promise<void> {
  await mkdir(folder, { recursive: true })
  // Nothing in it belongs in a repository.
  await writeFile(join(folder, '.gitignore'), '*\n', { flag: 'wx' }).catch(() => {})
  await writeWhole(stateFile(folder), [new TextEncoder().encode(`${JSON.stringify(state, null, 2)}\n`)])
}

/** One push at a time per project. A lock whose process has ended is free. */
export async function withLock<T>(folder: string, work: () => Promise<T>): Promise<T> {
  await mkdir(folder, { recursive: true })
  const path = join(folder, 'push.lock')
  for (let tries = 0; ; tries += 1) {
    const file = await open(path, 'wx').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') return undefined
      throw error
    })
    if (file) {
      await file.writeFile(String(process.pid))
      await file.close()
      break
    }
    const pid = Number(await readFile(path, 'utf8').catch(() => ''))
    if (tries > 3 || (pid > 0 && isAlive(pid)))
      throw new Refusal(`Another push is running in this project (process ${pid}). If it is not, remove ${path}.`)
    await rm(path, { force: true })
  }
  try {
    return await work()
  } finally {
    await rm(path, { force: true })
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return pid !== process.pid
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
