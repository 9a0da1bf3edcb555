/**
 * `dragoman trigger`: brings a sandbox job into a state, or causes an event, with the calls that a
 * connector and a provider make.
 */
import { connect } from '@dragoman/sdk'
import {
  type Command,
  exitCodes,
  Refusal,
  readArgs,
  type Screen,
  text,
  UsageError,
} from '../command.ts'
import {
  hubHelp,
  hubOptions,
  type Joined,
  joinHub,
  withVersions,
} from '../connector/hub-connection.ts'
import { interruptible } from '../interrupt.ts'
import { didYouMean } from '../nearest.ts'
import { json, showTable } from '../table.ts'
import { openControls } from '../testing/controls.ts'
import { makeJob, steps, type World } from './trigger-steps.ts'
import { findTrigger, type Trigger, triggers } from './triggers.ts'

export const trigger: Command = {
  says: 'cause an event, or create a job in a given state, in a sandbox',
  help: `Usage: dragoman trigger EVENT… [OPTION]…
       dragoman trigger --list [--json]

Creates a job in a sandbox and brings it into a state, or causes an event for listeners, with the same calls that a connector and
its provider make. It prints each step and the ids. dragoman listen shows what listeners receive.

  --list                 list the events
  --provider NAME        the provider, by name or id (default: Manual)
  --provider-client ID   the client that acts as the provider (default: demo-provider); set its secret in
                         HUB_PROVIDER_SECRET
${hubHelp}

With --json, one JSON object a line for each event. Exit code: 0 done, 1 refused (not a sandbox, or the state was not reached); 2, 3, 4 and 130 as in dragoman --help.`,
  values: { '': triggers.map(({ name }) => name) },
  run: async (args, screen) => {
    const { values, positionals } = readArgs({
      args,
      allowPositionals: true,
      options: {
        ...hubOptions,
        list: { type: 'boolean' },
        provider: text,
        'provider-client': text,
      },
    })
    if (values.list) return list(screen, values.json ?? false)
    if (positionals.length === 0)
      throw new UsageError('Specify an event; dragoman trigger --list lists them.')
    const chosen = positionals.map(mustBeTrigger)
    const joined = await joinHub(values, screen)
    return withVersions(joined, async () => {
      await mustBeSandbox(joined.url)
      const world = await makeWorld(joined, screen, values)
      await interruptible('Interrupted; the job stays as it is.', async (signal) => {
        for (const one of chosen) {
          const lines: string[] = []
          const say = (line: string) => {
            lines.push(line)
            if (!values.json) screen.out(`  ${line}`)
          }
          const done = await cause(one, { ...world, say, signal })
          if (values.json) screen.out(JSON.stringify({ trigger: one.name, ...done, steps: lines }))
          else
            screen.out(
              `${one.name}: job ${done.jobId} is ${done.statusCode}.${heard(done.listeners)}`,
            )
        }
      })
      return exitCodes.done
    })
  },
}

function mustBeTrigger(name: string): Trigger {
  const found = findTrigger(name)
  if (found) return found
  const names = triggers.map((one) => one.name)
  throw new UsageError(
    `There is no event "${name}".${didYouMean(name, names) || ' dragoman trigger --list lists them.'}`,
  )
}

function list(screen: Screen, asJson: boolean): number {
  const rows = triggers.map(({ name, says }) => ({ name, says }))
  if (asJson) screen.out(json(rows))
  else
    showTable(
      screen,
      rows,
      [
        { title: 'EVENT', of: ({ name }) => name },
        { title: 'MAKES', of: ({ says }) => says },
      ],
      '',
    )
  return exitCodes.done
}

async function mustBeSandbox(url: string): Promise<void> {
  await openControls(url)
    .clock.now()
    .catch((error: unknown) => {
      if ((error as { status?: number }).status !== 404) throw error
      throw new Refusal(
        `The hub at ${url} is not a sandbox: trigger makes jobs and plays their provider, so it runs in a sandbox only.`,
      )
    })
}

type Values = { provider?: string; 'provider-client'?: string }

async function makeWorld({ hub, url }: Joined, screen: Screen, values: Values) {
  const clientId = values['provider-client'] ?? 'demo-provider'
  const clientSecret = screen.env.HUB_PROVIDER_SECRET ?? `${clientId}-secret`
  const provider = connect({ url, clientId, clientSecret })
  const { id } = await hub.findProviderNamed(values.provider ?? 'Manual')
  return { screen, connector: hub, provider, providerId: id }
}

async function cause(chosen: Trigger, world: Omit<World, 'jobId' | 'requestIds'>) {
  const made = await makeJob(world, chosen.name, chosen.stuck ?? false)
  for (const step of chosen.steps) await steps[step]({ ...world, ...made })
  const { connector } = world
  const { statusCode, archiveStatus } = await connector.findJob({ params: { jobId: made.jobId } })
  let listeners = 0
  for await (const { disabled } of connector.each('listListeners')) if (!disabled) listeners += 1
  return { ...made, statusCode, archiveStatus, listeners }
}

const heard = (listeners: number): string =>
  listeners > 0
    ? ''
    : ' This client has no listener; dragoman listen registers one and prints what it receives.'
