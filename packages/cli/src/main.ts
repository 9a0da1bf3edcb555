/** `dragoman`: the table of commands. Each loads what it needs when it runs, so that `--help` is instant. */
import { backup } from './backup.ts'
import { certify } from './certify.ts'
import { check } from './check.ts'
import { clients } from './clients.ts'
import { type Command, exitCodes, exitRows, runCommand, type Screen } from './command.ts'
import { completion } from './completion.ts'
import { clock } from './connector/clock.ts'
import { jobs } from './connector/jobs.ts'
import { listen } from './connector/listen.ts'
import { login, logout } from './connector/login.ts'
import { providers } from './connector/providers.ts'
import { pull } from './connector/pull.ts'
import { push } from './connector/push.ts'
import { quota } from './connector/quota.ts'
import { quote } from './connector/quote.ts'
import { requests } from './connector/requests.ts'
import { approve, reject } from './connector/review.ts'
import { status } from './connector/status.ts'
import { watch } from './connector/watch.ts'
import { doctor } from './developer/doctor.ts'
import { logs } from './developer/logs.ts'
import { open } from './developer/open.ts'
import { trigger } from './developer/trigger.ts'
import { formats } from './formats.ts'
import { help } from './help.ts'
import { init } from './init/init.ts'
import { keys } from './keys.ts'
import { move } from './move.ts'
import { didYouMean } from './nearest.ts'
import { audit } from './operating/audit.ts'
import { calls } from './operating/calls.ts'
import { deliveries } from './operating/deliveries.ts'
import { findings } from './operating/findings.ts'
import { nodes } from './operating/nodes.ts'
import { people } from './operating/people.ts'
import { reports } from './operating/reports.ts'
import { sites } from './operating/sites.ts'
import { tasks } from './operating/tasks.ts'
import { timeline } from './operating/timeline.ts'
import { prices } from './prices.ts'
import { restore } from './restore.ts'
import { serve } from './serve.ts'
import { version } from './version.ts'

const commands: Readonly<Record<string, Command>> = {
  serve,
  init,
  login,
  logout,
  push,
  quote,
  status,
  pull,
  watch,
  jobs,
  requests,
  approve,
  reject,
  listen,
  trigger,
  logs,
  open,
  doctor,
  providers,
  quota,
  formats,
  clock,
  clients,
  people,
  prices,
  sites,
  keys,
  deliveries,
  tasks,
  calls,
  timeline,
  audit,
  reports,
  check,
  findings,
  nodes,
  backup,
  restore,
  move,
  certify,
  completion: completion(() => commands),
  help: help(() => commands, usage),
}

const screen: Screen = {
  env: process.env,
  out: (text) => process.stdout.write(`${text}\n`),
  err: (text) => process.stderr.write(`${text}\n`),
  cwd: process.cwd(),
  columns: process.stdout.columns || process.stderr.columns || Number(process.env.COLUMNS) || 80,
  isTerminal: { out: process.stdout.isTTY === true, err: process.stderr.isTTY === true },
}

// The reader of a pipe may end first, as in `dragoman formats | head`.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
  process.exit(0)
})

process.exitCode = await run(process.argv.slice(2))

async function run([name, ...args]: string[]): Promise<number> {
  if (name === undefined) {
    screen.err(usage())
    return exitCodes.notUnderstood
  }
  if (['--help', '-h'].includes(name))
    return runCommand(
      help(() => commands, usage),
      'help',
      args,
      screen,
    )
  if (['--version', '-v'].includes(name)) {
    screen.out(version())
    return exitCodes.done
  }
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (command) return runCommand(command, name, args, screen)
  const names = Object.keys(commands)
  const near = didYouMean(name, names)
  screen.err(
    `Unknown command "${name}"${near ? `.${near}` : `; the commands are ${names.join(', ')}.`}\nTry: dragoman --help`,
  )
  return exitCodes.notUnderstood
}

function usage(): string {
  const width = Math.max(...Object.keys(commands).map((name) => name.length))
  const list = Object.entries(commands).map(([name, { says }]) => `  ${name.padEnd(width)}  ${says}`)
  return `Usage: dragoman COMMAND [OPTION]…

${list.join('\n')}

  --help     show this help; after a command, the help of that command
  --version  show the version

The commands from push to clock call a hub over HTTP (HUB_URL, HUB_CLIENT_ID, HUB_CLIENT_SECRET, dragoman.yml).
serve, clients, keys, check, backup, restore and move use its database (DRAGOMAN_PROFILE, DRAGOMAN_DATA, …; docs/config.md).
calls, timeline, deliveries, tasks, people, audit and reports call a hub, too, or use its database with --local.
Exit codes: ${exitRows.map(({ code, short }) => `${code} ${short}`).join(', ')}.`
}
