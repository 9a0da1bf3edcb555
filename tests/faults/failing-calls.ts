/**
 * Makes system calls of a running process fail, from outside: it knows nothing of the code. Needs
 * strace on Linux.
 */
import { execFileSync, spawn } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A sentence where it cannot be done. */
export function whyNoStrace(): string | undefined {
  if (process.platform !== 'linux') return 'strace runs on Linux only'
  try {
    execFileSync('strace', ['-o', '/dev/null', 'true'], { stdio: 'pipe' })
    return undefined
  } catch (error) {
    return `strace cannot be used here: ${String(error).split('\n')[0]}`
  }
}

export type Failing = {
  /** How many calls were made to fail so far. */
  failed(): number
  /** From now on all calls go through again. */
  stop(): Promise<void>
}

/** `when` as strace counts, in each thread for itself: `3` the third call, `1+` every one. */
export async function failCalls(pid: number, calls: string, when: string): Promise<Failing> {
  const log = join(tmpdir(), `dragoman-strace-${pid}-${calls.length}-${when}`)
  const options = [
    '-f',
    '-o',
    log,
    '-e',
    `trace=${calls}`,
    '-e',
    `inject=${calls}:error=EIO:when=${when}`,
  ]
  const tracer = spawn('strace', [...options, '-p', String(pid)], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const ended = new Promise<void>((resolve) => tracer.once('close', () => resolve()))
  let said = ''
  await new Promise<void>((resolve, reject) => {
    tracer.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text
      if (said.includes('attached')) resolve()
    })
    ended.then(() => reject(new Error(`strace ended: ${said}`)))
  })
  return {
    failed: () => readFileSync(log, 'utf8').split('(INJECTED)').length - 1,
    stop: async () => {
      tracer.kill('SIGINT')
      await ended
      rmSync(log, { force: true })
    },
  }
}
