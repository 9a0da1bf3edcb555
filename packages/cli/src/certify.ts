/**
 * `dragoman certify`: observes a connector against a sandbox, injects faults, and judges what it
 * did.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import {
  badge,
  htmlReport,
  isPassed,
  judgeLog,
  judgeObligations,
  judgeScenarios,
  junitReport,
  type Report,
  type Round,
  textReport,
} from '@dragoman/certify'
import { parseDuration } from '@dragoman/contract/wire'
import { makeRounds } from './certify/rounds.ts'
import { type RunConnector, runCommandLine, waitForConnector } from './certify/run-connector.ts'
import { openSandbox, type Sandbox } from './certify/sandbox.ts'
import { type Command, readArgs, type Screen, text, UsageError } from './command.ts'
import { hubUrl, mustBePrivate, usualUrl } from './connector/hub-connection.ts'
import { interruptible } from './interrupt.ts'

const help = `Usage: dragoman certify [--command CMD] [--hub URL] [--client ID] [OPTION]…

Runs a connector against a hub in the sandbox profile, once without a fault and once for each
scenario of docs/faults-on-demand.md, and checks every call that the hub received against the obligations of a
connector. In each round the connector creates a job with two or more target languages, waits, downloads the translations and exits.

  --command CMD    run this for each round; it must exit with 0 if the round succeeded. Its environment
                   has HUB_URL, HUB_CLIENT_ID, HUB_CLIENT_SECRET and HUB_SCENARIO.
                   Without it, you run the connector yourself, and certify waits for each round.
  --hub URL        the hub (HUB_URL; http://127.0.0.1:8080)
  --client ID      the client that the connector uses (demo-connector); nothing else should use it during the test
  --secret SECRET  its secret, or HUB_CLIENT_SECRET (the client id followed by -secret)
  --scenario NAME  only this one; repeatable. plain always runs first
  --timeout TIME   how long a round may take (60s with --command, 10m without)
  --allow-http     let the connector send its secret without encryption to a hub that is not on this machine
  --log FILE       the connector's transaction log: every job of these rounds must be in it
  --badge FILE     write an SVG badge with the result and the date
  --html FILE      write the report as a page
  --junit FILE     write the report as JUnit XML
  --json           print the report as JSON

Exit code: 0 nothing is broken, 1 something is or the hub is refused, 2 could not run, 3 hub not reachable. See docs/certification.md.`

const options = {
  command: text,
  hub: text,
  url: text,
  client: text,
  secret: text,
  scenario: { type: 'string', multiple: true },
  timeout: text,
  log: text,
  badge: text,
  html: text,
  junit: text,
  'allow-http': { type: 'boolean' },
  json: { type: 'boolean' },
} as const

type Values = ReturnType<typeof readValues>
const readValues = (args: string[]) => readArgs({ args, options }).values

export const certify: Command = {
  says: 'test a connector against its obligations',
  help,
  run: async (args, screen) => {
    const values = readValues(args)
    const client = values.client ?? 'demo-connector'
    const timeoutMs = timeoutOf(values)
    const url = hubUrl(values, screen) ?? usualUrl
    // The connector sends its secret there.
    mustBePrivate(url, values['allow-http'])
    const sandbox = await openSandbox(url)
    const scenarios = chosen(sandbox, values.scenario)
    const run = runnerOf(values, screen, { url: sandbox.url, client, timeoutMs })
    const told = (round: Round, said: string) => tell(screen, round, said)
    const rounds = await interruptible('Interrupted; removing the faults.', (signal) =>
      makeRounds({ sandbox, client, run, scenarios, told, signal }),
    )
    const log =
      values.log === undefined ? undefined : await readLog(resolve(screen.cwd, values.log))
    const report: Report = {
      url: sandbox.url,
      client,
      ...(values.command !== undefined && { command: values.command }),
      // The real time: the clock of the sandbox was moved by days.
      time: new Date(performance.timeOrigin + performance.now()).toISOString(),
      obligations: [...judgeObligations(rounds), judgeLog(rounds, log)],
      scenarios: judgeScenarios(rounds),
    }
    if (values.badge !== undefined)
      await writeFile(resolve(screen.cwd, values.badge), badge(report))
    if (values.html !== undefined)
      await writeFile(resolve(screen.cwd, values.html), htmlReport(report))
    if (values.junit !== undefined)
      await writeFile(resolve(screen.cwd, values.junit), junitReport(report))
    const passed = isPassed(report)
    screen.out(values.json ? JSON.stringify({ passed, ...report }, null, 2) : textReport(report))
    return passed ? 0 : 1
  },
}

function chosen({ scenarios }: Sandbox, wanted: readonly string[] | undefined): string[] {
  const names = scenarios.map(({ name }) => name)
  const unknown = wanted?.find((name) => name !== 'plain' && !names.includes(name))
  if (unknown !== undefined)
    throw new UsageError(`Unknown scenario "${unknown}"; the scenarios are ${names.join(', ')}.`)
  return wanted ? [...wanted] : names
}

const unitMs: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000 }

function timeoutOf({ timeout, command }: Values): number {
  const given = parseDuration(timeout ?? (command === undefined ? '10m' : '60s'))
  const unit = given && unitMs[given.unit]
  if (!given || unit === undefined)
    throw new UsageError(`--timeout must be a duration like 90s, 5m or 2h, not "${timeout}".`)
  return given.count * unit
}

type Run = { readonly url: string; readonly client: string; readonly timeoutMs: number }

function runnerOf(values: Values, screen: Screen, { url, client, timeoutMs }: Run): RunConnector {
  const { command } = values
  if (command === undefined)
    return waitForConnector({ timeoutMs, quietMs: 3_000, tell: screen.err })
  const secret =
    values.secret ??
    screen.env.HUB_CLIENT_SECRET ??
    screen.env.DRAGOMAN_CLIENT_SECRET ??
    `${client}-secret`
  const env = { ...screen.env, HUB_URL: url, HUB_CLIENT_ID: client, HUB_CLIENT_SECRET: secret }
  return runCommandLine({ command, env, timeoutMs })
}

/**
 * On standard error, so that the report can be piped. The output of a failed round helps to fix it.
 */
function tell(screen: Screen, { scenario, ended, acted, calls }: Round, said: string): void {
  const how =
    ended === 'late' ? 'timed out' : ended === 'in time' ? 'ended' : `exit code ${ended.code}`
  screen.err(`${scenario}: ${how}, ${calls.length} calls, fault applied ${acted} times`)
  if (typeof ended === 'object' && ended.code !== 0 && said.trim() !== '') screen.err(said.trim())
}

async function readLog(path: string): Promise<string> {
  return readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(`--log ${path} cannot be read (${error.code ?? error.message}).`)
  })
}
