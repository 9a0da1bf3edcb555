/**
 * One command line, run in this process: what it prints and its exit code, without the cost of a
 * process. What only a process can show (standard input, signals, pipes, its exit) is tested with
 * `spawnProgram` or `Project.start`.
 */
import { runLine } from '../packages/cli/src/run-line.ts'
import type { Env } from './hub.ts'

export type Ran = { readonly code: number | null; readonly out: string; readonly err: string }

export async function runCommandLine(
  args: readonly string[],
  env: Env = {},
  cwd = process.cwd(),
): Promise<Ran> {
  const said = { out: '', err: '' }
  const code = await runLine(args, {
    env,
    cwd,
    columns: Number(env.COLUMNS) || 80,
    isTerminal: { out: false, err: false },
    out: (text) => {
      said.out += `${text}\n`
    },
    err: (text) => {
      said.err += `${text}\n`
    },
  })
  return { code, ...said }
}
