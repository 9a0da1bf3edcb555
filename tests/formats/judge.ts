/**
 * Programs that are not ours and say whether a written file is sound. Where one is missing, its
 * test says SKIPPED.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { test } from 'vitest'

/** Debian's own where it is there: that one has the packages of Debian. */
export const python = existsSync('/usr/bin/python3') ? '/usr/bin/python3' : 'python3'

export function isThere(program: string, ...args: readonly string[]): boolean {
  return (
    spawnSync(program, args.length > 0 ? args : ['--version'], { stdio: 'ignore' }).status === 0
  )
}

/** A test that needs a program: the gate installs them all, so that there none may be missing. */
export function judged(program: string, has: boolean, name: string, act: () => void): void {
  if (has || process.env.CI === 'true') test(name, act)
  else test.skip(`SKIPPED, ${program} is missing: ${name}`, () => {})
}

/** What a program says, given this; its complaint where it refuses. */
export function ask(program: string, args: readonly string[], input: string | Uint8Array): string {
  return execFileSync(program, args, {
    input,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
    stdio: ['pipe', 'pipe', 'pipe'],
  })
}

/**
 * Runs a program that starts others, in a process group of its own. When its time is up the whole
 * group ends: a signal to the first process alone would leave the others running.
 */
export function runWhole(program: string, args: readonly string[], timeout: number): void {
  const apart = { stdio: 'pipe', timeout, detached: true } as const
  const { pid, status, error, stderr } = spawnSync(program, args, apart)
  if (error && pid > 0) endGroup(pid)
  if (status !== 0) throw new Error(`${program}: ${error?.message ?? stderr.toString()}`)
}

function endGroup(leader: number): void {
  try {
    process.kill(-leader, 'SIGKILL')
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}
