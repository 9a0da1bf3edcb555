/**
 * The built program, for tests that start it as a process. `npm test` has built it beforehand; `npx
 * vitest run` builds it here.
 */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

export async function buildProgram(): Promise<void> {
  if (process.env.DRAGOMAN_TEST_BUILT) return
  const cwd = join(import.meta.dirname, '..')
  await promisify(execFile)(
    process.execPath,
    ['node_modules/typescript/bin/tsc', '-b', 'packages/cli'],
    { cwd },
  )
}
