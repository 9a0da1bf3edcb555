/** `dragoman open`: opens the console page of a job, a delivery or any other thing. */
import { spawn } from 'node:child_process'
import { HubError } from '@dragoman/contract/wire'
import { type Command, exitCodes, Refusal, readArgs, type Screen, UsageError } from '../command.ts'
import { type HubFlags, hubHelp, hubOptions, joinHub } from '../connector/hub-connection.ts'
import { didYouMean } from '../nearest.ts'
import { type Reach, reach } from '../operating/reach.ts'
import { json } from '../table.ts'

/** The pages that have a name, below /console. */
export const pages: Readonly<Record<string, string>> = {
  jobs: '/',
  'new-job': '/jobs/new',
  work: '/work',
  team: '/work/team',
  reports: '/reports',
  deliveries: '/deliveries',
  listeners: '/listeners',
  calls: '/calls',
  health: '/health',
  sandbox: '/sandbox',
  providers: '/providers',
  routing: '/routing',
  terms: '/terms',
  memory: '/memory',
  prices: '/prices',
  codes: '/codes',
  access: '/access',
  me: '/me',
}

/** The kinds of things that have their own page, and the call that finds one by its id. */
const kinds: Readonly<
  Record<string, { path: string; find: (hub: Reach, id: string) => Promise<unknown> }>
> = {
  job: { path: '/jobs', find: (hub, jobId) => hub.call('findJob', { params: { jobId } }) },
  delivery: {
    path: '/deliveries',
    find: (hub, deliveryId) => hub.call('findDelivery', { params: { deliveryId } }),
  },
  listener: {
    path: '/listeners',
    find: (hub, listenerId) => hub.call('findListener', { params: { listenerId } }),
  },
  provider: {
    path: '/providers',
    find: (hub, providerId) => hub.call('findProvider', { params: { providerId } }),
  },
  call: { path: '/calls', find: (hub, traceId) => hub.call('findCall', { params: { traceId } }) },
}

export const open: Command = {
  says: 'open the console at a page, a job or another object',
  help: `Usage: dragoman open [PAGE|ID] [OPTION]…
       dragoman open KIND ID [OPTION]…

Opens the console in the browser: at a page (${Object.keys(pages).join(', ')}), or at an object by
its id (a job, delivery, listener, provider, or the traceId of a call). With KIND (${Object.keys(kinds).join(', ')})
it does not call the hub.

  --print   only print the address; also where no browser can be opened
${hubHelp.replace('demo-connector', 'demo-admin')}`,
  values: { '': [...Object.keys(pages), ...Object.keys(kinds)] },
  run: async (args, screen) => {
    const { values, positionals } = readArgs({
      args,
      allowPositionals: true,
      options: { ...hubOptions, print: { type: 'boolean' } },
    })
    if (positionals.length > 2) throw new UsageError(`"${positionals[2]}" is not understood here.`)
    const path = await pathOf(positionals, values, screen)
    const { url } = await joinHub(values, screen, 'demo-admin')
    const address = `${url}/console${path}`
    const command = values.print || values.json ? undefined : browserOf(screen)
    screen.out(values.json ? json({ url: address }) : address)
    if (command) await start(command, address)
    return exitCodes.done
  },
}

async function pathOf(
  [first = 'jobs', second]: readonly string[],
  flags: HubFlags,
  screen: Screen,
): Promise<string> {
  if (second !== undefined) {
    const kind = Object.hasOwn(kinds, first) ? kinds[first] : undefined
    if (!kind)
      throw new UsageError(
        `"${first}" is no kind of thing; the kinds are ${Object.keys(kinds).join(', ')}.`,
      )
    return `${kind.path}/${encodeURIComponent(second)}`
  }
  const page = Object.hasOwn(pages, first) ? pages[first] : undefined
  if (page !== undefined) return page
  const found = await reach(flags, screen, (hub) => kindOf(hub, first), 'demo-admin')
  if (found !== undefined) return `${kinds[found]?.path}/${encodeURIComponent(first)}`
  throw new Refusal(
    `There is no page, job, delivery, listener, provider or call "${first}" that this client can see.${didYouMean(first, Object.keys(pages))}`,
  )
}

/** The first kind with this id; kinds that the client may not read are skipped. */
async function kindOf(hub: Reach, id: string): Promise<string | undefined> {
  let refused: unknown
  for (const [name, { find }] of Object.entries(kinds))
    try {
      await find(hub, id)
      return name
    } catch (error) {
      if (!(error instanceof HubError) || error.status === 0 || error.code === 'UNAUTHORIZED')
        throw error
      if (error.status >= 500) refused = error
    }
  if (refused) throw refused
  return undefined
}

/** The program that opens a URL; none without a display. BROWSER overrides it. */
function browserOf({ env }: Screen): readonly string[] | undefined {
  if (env.BROWSER) return [env.BROWSER]
  if (process.platform === 'darwin') return ['open']
  if (process.platform === 'win32') return ['cmd', '/c', 'start', '']
  return env.DISPLAY || env.WAYLAND_DISPLAY ? ['xdg-open'] : undefined
}

async function start([program = '', ...before]: readonly string[], address: string): Promise<void> {
  const child = spawn(program, [...before, address], { detached: true, stdio: 'ignore' })
  await new Promise<void>((done, refuse) => {
    child.once('spawn', done)
    child.once('error', (error: NodeJS.ErrnoException) =>
      refuse(
        new Refusal(
          `${program} could not be started (${error.code}); open the address above yourself.`,
        ),
      ),
    )
  })
  child.unref()
}
