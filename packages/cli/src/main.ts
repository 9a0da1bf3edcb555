/** `dragoman`: the table of commands. Each loads what it needs when it runs, so that `--help` is there at once. */
import { readFileSync } from 'node:fs'
import { check } from './check.ts'
import { clients } from './clients.ts'
import { type Command, runCommand, type Screen } from './command.ts'
import { prices } from './prices.ts'
import { serve } from './serve.ts'

const commands: Readonly<Record<string, Command>> = { serve, clients, prices, check }

const screen: Screen = {
  env: process.env,
  out: (text) => process.stdout.write(`${text}\n`),
  err: (text) => process.stderr.write(`${text}\n`),
}

process.exitCode = await run(process.argv.slice(2))

async function run([name, ...args]: string[]): Promise<number> {
  if (name === undefined) {
    screen.err(usage())
    return 2
  }
  if (['--help', '-h', 'help'].includes(name)) {
    screen.out(usage())
    return 0
  }
  if (['--version', '-v'].includes(name)) {
    screen.out(version())
    return 0
  }
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (command) return runCommand(command, name, args, screen)
  screen.err(`There is no command "${name}"; there are ${Object.keys(commands).join(', ')}.\nTry: dragoman --help`)
  return 2
}

function usage(): string {
  const width = Math.max(...Object.keys(commands).map((name) => name.length))
  const list = Object.entries(commands).map(([name, { says }]) => `  ${name.padEnd(width)}  ${says}`)
  return `Usage: dragoman COMMAND [OPTION]…

${list.join('\n')}

  --help     this, and after a command all about it
  --version  the version

Configured by the environment (DRAGOMAN_PROFILE, DRAGOMAN_DATA, …); docs/config.md lists every key.
Exit code: 0 done, 1 refused or with findings, 2 not understood or could not run.`
}

function version(): string {
  const about: { version: string } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  return about.version
}
