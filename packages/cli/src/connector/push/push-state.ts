/**
 * The progress of a push and what earlier ones sent, in one file that is replaced atomically after
 * every step. A second run finds what is done and does the rest; its idempotency keys ensure that
 * the hub does nothing twice, even if a call was cut off without a response. The next push sends
 * only what differs from what was sent.
 */
import { randomBytes } from 'node:crypto'
import { mkdir, open, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { writeWhole } from '@dragoman/sdk/node'
import { Refusal } from '../../command.ts'

/** The version of a file in a job, for one language. */
type Sent = { readonly sha256: string; readonly jobId: string }
/** The keys are the path, then the hub's code of the language. */
export type SentFiles = Readonly<Record<string, Readonly<Record<string, Sent>>>>

export type PushState = {
  readonly version: 1
  /** The hub and client that everything here is about. */
  readonly hub: string
  readonly fingerprint: string
  /** Part of every Idempotency-Key of this push. */
  readonly key: string
  readonly jobId?: string
  /** Maps paths to file ids at the hub. */
  readonly uploads: Readonly<Record<string, string>>
  readonly added?: boolean
  /** The job is submitted and nothing is left to do. */
  readonly submitted?: boolean
  readonly sent: SentFiles
  /** The last job that was submitted. */
  readonly lastJobId?: string
}

export const newState = (
  { hub, fingerprint }: Pick<PushState, 'hub' | 'fingerprint'>,
  former?: Pick<PushState, 'sent' | 'lastJobId'>,
): PushState => ({
  version: 1,
  hub,
  fingerprint,
  key: randomBytes(16).toString('hex'),
  uploads: {},
  sent: former?.sent ?? {},
  ...(former?.lastJobId !== undefined && { lastJobId: former.lastJobId }),
})

type SentNow = {
  readonly path: string
  readonly sha256: string
  readonly languages: readonly string[]
}

/** The state after the job was submitted with these files. */
export function asSubmitted(state: PushState, jobId: string, files: readonly SentNow[]): PushState {
  const sent: Record<string, Record<string, Sent>> = { ...state.sent }
  for (const { path, sha256, languages } of files)
    sent[path] = {
      ...sent[path],
      ...Object.fromEntries(languages.map((code) => [code, { sha256, jobId }])),
    }
  return { ...state, submitted: true, sent, lastJobId: jobId }
}

/** Every job that still has the newest version of something, oldest first. */
export const jobsOf = ({ sent, lastJobId }: PushState): string[] => {
  const ids = Object.values(sent).flatMap((one) => Object.values(one).map(({ jobId }) => jobId))
  return [
    ...new Set([
      ...ids.filter((id) => id !== lastJobId),
      ...(lastJobId === undefined ? [] : [lastJobId]),
    ]),
  ]
}

const stateFile = (folder: string) => join(folder, 'push.json')

export async function readState(folder: string): Promise<PushState | undefined> {
  const text = await readFile(stateFile(folder), 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  try {
    const found = JSON.parse(text) as PushState
    const isWhole = found.version === 1 && typeof found.fingerprint === 'string'
    return isWhole ? { ...found, hub: found.hub ?? '', sent: found.sent ?? {} } : undefined
  } catch {
    return undefined
  }
}

export async function writeState(folder: string, state: PushState): Promise<void> {
  await mkdir(folder, { recursive: true })
  // Nothing in it belongs in a repository.
  await writeFile(join(folder, '.gitignore'), '*\n', { flag: 'wx' }).catch(() => {})
  await writeWhole(stateFile(folder), [
    new TextEncoder().encode(`${JSON.stringify(state, null, 2)}\n`),
  ])
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
      throw new Refusal(
        `Another push is running in this project (process ${pid}). If it is not, remove ${path}.`,
      )
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
