/** `dragoman`: the process around one command line. */
import type { Screen } from './command.ts'
import { runLine } from './run-line.ts'

const screen: Screen = {
  env: process.env,
  out: (text) => process.stdout.write(`${text}\n`),
  err: (text) => process.stderr.write(`${text}\n`),
  cwd: process.cwd(),
  columns: process.stdout.columns || process.stderr.columns || Number(process.env.COLUMNS) || 80,
  isTerminal: { out: process.stdout.isTTY === true, err: process.stderr.isTTY === true },
}

// The reader of a pipe may exit first, as in `dragoman formats | head`.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
  process.exit(0)
})

process.exitCode = await runLine(process.argv.slice(2), screen)
