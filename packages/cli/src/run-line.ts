/**
 * The table of commands, and the function that runs one command line. Only the command that runs is
 * loaded, which saves the hub a tenth of its start time.
 */
import { type Command, exitCodes, exitRows, runCommand, type Screen } from './command.ts'
import { didYouMean } from './nearest.ts'
import { version } from './version.ts'

const commands: Readonly<Record<string, () => Promise<Command>>> = {
  serve: async () => (await import('./serve.ts')).serve,
  init: async () => (await import('./init/init.ts')).init,
  login: async () => (await import('./connector/login.ts')).login,
  logout: async () => (await import('./connector/login.ts')).logout,
  push: async () => (await import('./connector/push/push.ts')).push,
  quote: async () => (await import('./connector/quote.ts')).quote,
  status: async () => (await import('./connector/status.ts')).status,
  pull: async () => (await import('./connector/pull/pull.ts')).pull,
  watch: async () => (await import('./connector/watch.ts')).watch,
  jobs: async () => (await import('./connector/jobs.ts')).jobs,
  requests: async () => (await import('./connector/requests.ts')).requests,
  approve: async () => (await import('./connector/review.ts')).approve,
  comments: async () => (await import('./connector/comments.ts')).comments,
  reject: async () => (await import('./connector/review.ts')).reject,
  listen: async () => (await import('./connector/listen.ts')).listen,
  trigger: async () => (await import('./developer/trigger.ts')).trigger,
  logs: async () => (await import('./developer/logs.ts')).logs,
  open: async () => (await import('./developer/open.ts')).open,
  doctor: async () => (await import('./developer/doctor.ts')).doctor,
  work: async () => (await import('./desk/work/work.ts')).work,
  providers: async () => (await import('./providers/providers.ts')).providers,
  routing: async () => (await import('./connector/routing.ts')).routing,
  cassette: async () => (await import('./connector/cassette.ts')).cassette,
  mcp: async () => (await import('./connector/mcp.ts')).mcp,
  quota: async () => (await import('./connector/quota.ts')).quota,
  formats: async () => (await import('./formats.ts')).formats,
  words: async () => (await import('./files/words.ts')).words,
  split: async () => (await import('./files/split.ts')).split,
  clock: async () => (await import('./connector/clock.ts')).clock,
  clients: async () => (await import('./clients.ts')).clients,
  people: async () => (await import('./operating/people.ts')).people,
  prices: async () => (await import('./prices.ts')).prices,
  memory: async () => (await import('./connector/memory.ts')).memory,
  terms: async () => (await import('./desk/terms.ts')).terms,
  sites: async () => (await import('./operating/sites.ts')).sites,
  keys: async () => (await import('./keys.ts')).keys,
  deliveries: async () => (await import('./operating/deliveries.ts')).deliveries,
  tasks: async () => (await import('./operating/tasks.ts')).tasks,
  calls: async () => (await import('./operating/calls.ts')).calls,
  timeline: async () => (await import('./operating/timeline.ts')).timeline,
  audit: async () => (await import('./operating/audit.ts')).audit,
  reports: async () => (await import('./operating/reports.ts')).reports,
  check: async () => (await import('./check.ts')).check,
  findings: async () => (await import('./operating/findings.ts')).findings,
  nodes: async () => (await import('./operating/nodes.ts')).nodes,
  backup: async () => (await import('./backup.ts')).backup,
  restore: async () => (await import('./restore.ts')).restore,
  move: async () => (await import('./move.ts')).move,
  certify: async () => (await import('./certify.ts')).certify,
  completion: async () => (await import('./completion.ts')).completion(loadAll),
  help: async () => (await import('./help.ts')).help(loadAll, usage),
}

async function loadAll(): Promise<Readonly<Record<string, Command>>> {
  return Object.fromEntries(
    await Promise.all(
      Object.entries(commands).map(async ([name, load]) => [name, await load()] as const),
    ),
  )
}

/** Runs one command line and returns its exit code. */
export async function runLine([name, ...args]: readonly string[], screen: Screen): Promise<number> {
  if (name === undefined) {
    screen.err(usage(await loadAll()))
    return exitCodes.notUnderstood
  }
  if (['--help', '-h'].includes(name)) return runLine(['help', ...args], screen)
  if (['--version', '-v'].includes(name)) {
    screen.out(version())
    return exitCodes.done
  }
  const load = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (load) return runCommand(await load(), name, args, screen)
  const names = Object.keys(commands)
  const near = didYouMean(name, names)
  screen.err(
    `Unknown command "${name}"${near ? `.${near}` : `; the commands are ${names.join(', ')}.`}\nTry: dragoman --help`,
  )
  return exitCodes.notUnderstood
}

function usage(all: Readonly<Record<string, Command>>): string {
  const width = Math.max(...Object.keys(all).map((name) => name.length))
  const list = Object.entries(all).map(([name, { says }]) => `  ${name.padEnd(width)}  ${says}`)
  return `Usage: dragoman COMMAND [OPTION]…

${list.join('\n')}

  --help     show this help; after a command, the help of that command
  --version  show the version

The commands from push to quota, and clock, call a hub over HTTP (HUB_URL, HUB_CLIENT_ID, HUB_CLIENT_SECRET, dragoman.yml).
serve, clients, keys, check, backup, restore and move use its database (DRAGOMAN_PROFILE, DRAGOMAN_DATA, …; docs/config.md).
words, split and check with two files need no hub.
calls, timeline, deliveries, tasks, people, audit and reports call a hub, too, or use its database with --local.
Exit codes: ${exitRows.map(({ code, short }) => `${code} ${short}`).join(', ')}.`
}
