/** A judge that hangs leaves nothing behind. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isThere, runWhole } from './judge.ts'

test('when the time of a program is up, what it started ends too', async ({ skip }) => {
  skip(!isThere('ps'), 'ps is not installed')
  const folder = mkdtempSync(join(tmpdir(), 'judge-'))
  try {
    const script = `sleep 1000 & echo $! > ${folder}/child; wait`
    expect(() => runWhole('sh', ['-c', script], 3_000)).toThrow('ETIMEDOUT')
    const child = readFileSync(join(folder, 'child'), 'utf8').trim()
    const states = () =>
      execFileSync('sh', ['-c', `ps -o stat= -p ${child} || true`], { encoding: 'utf8' }).trim()
    // Ended, or waiting to be collected.
    await expect.poll(states).toMatch(/^(?:Z|$)/)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
