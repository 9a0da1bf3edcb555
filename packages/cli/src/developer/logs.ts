/** `dragoman logs`: follows the call log of the site, oldest call first. */
import { setTimeout as pause } from 'node:timers/promises'
import type { LoggedCall } from '@dragoman/contract/wire'
import {
  type Command,
  exitCodes,
  Interrupted,
  readArgs,
  type Screen,
  text,
  UsageError,
} from '../command.ts'
import { readLimit } from '../connector/jobs.ts'
import { interruptible } from '../interrupt.ts'
import { type Reach, reach, reachHelp, reachOptions } from '../operating/reach.ts'
import { dim, green, red, strong, yellow } from '../table.ts'

const classes = ['4xx', '5xx', 'failed'] as const

export const logs: Command = {
  says: 'show the latest calls, and follow new ones',
  help: `Usage: dragoman logs [OPTION]…

Prints the latest calls that the hub received, one a line, oldest first. dragoman calls TRACE shows one with its bodies.

  -f, --follow     continue with every new call, until Ctrl-C
  --status N       only calls with this HTTP status; 4xx, 5xx and failed select several
  --client ID      only calls of this client
  --job JOB        only calls about this job
  --code CODE      only calls refused with this error code
  --site NAME      only this site (for an operator)
  --limit N        start with the last N calls (default: 20)
  --count N        with --follow: end after N calls
${reachHelp}

With --json, one JSON object a line. Exit code: 0 done, also after Ctrl-C; 1, 2, 3 and 4 as in dragoman --help.`,
  values: { '--status': classes },
  run: async (args, screen) => {
    const { values } = readArgs({
      args,
      options: {
        ...reachOptions,
        follow: { type: 'boolean', short: 'f' },
        ...{
          status: text,
          client: text,
          job: text,
          code: text,
          site: text,
          limit: text,
          count: text,
        },
      },
    })
    const limit = readLimit(values.limit ?? '20')
    const most = values.count === undefined ? Number.POSITIVE_INFINITY : readLimit(values.count)
    const show = (call: LoggedCall) =>
      screen.out(values.json ? JSON.stringify(call) : lineOf(screen, call))
    return reach(values, screen, async (hub) => {
      const query = queryOf(values)
      const first = await latest(hub, query, limit)
      for (const call of first) show(call)
      if (!values.follow) {
        if (first.length === 0 && !values.json)
          screen.err('There are no such calls in the call log.')
        return exitCodes.done
      }
      try {
        await interruptible('', (signal) => {
          screen.err('Waiting for calls (until Ctrl-C)…')
          return follow(hub, query, first, { show, most, signal })
        })
      } catch (error) {
        if (!(error instanceof Interrupted)) throw error
      }
      return exitCodes.done
    })
  },
}

type Query = Readonly<Record<string, string>>

function queryOf(
  given: Partial<Record<'status' | 'client' | 'job' | 'code' | 'site', string>>,
): Query {
  const { status, client, job: jobId, code, site: siteId } = given
  const isClass = classes.some((one) => one === status)
  if (status !== undefined && !isClass && !/^\d{3}$/.test(status))
    throw new UsageError(`--status must be an HTTP status, 4xx, 5xx or failed, not "${status}".`)
  const all = {
    client,
    jobId,
    code,
    siteId,
    ...(status && { [isClass ? 'statusClass' : 'statusCode']: status }),
  }
  return Object.fromEntries(
    Object.entries(all).filter((one): one is [string, string] => one[1] !== undefined),
  )
}

async function latest(hub: Reach, query: Query, most: number): Promise<LoggedCall[]> {
  const found: LoggedCall[] = []
  for await (const call of hub.each('listCalls', { query })) {
    if (found.length >= most) break
    found.push(call)
  }
  return found.reverse()
}

type Following = {
  readonly show: (call: LoggedCall) => void
  readonly most: number
  readonly signal: AbortSignal
}
const everyMs = 1_000
/**
 * The log is written shortly after a call, and not in the order of the times: each poll looks back
 * this far.
 */
const lookBackMs = 15_000
/** If one poll finds more than this, only the newest are shown; the rest is in `dragoman calls`. */
const atOnce = 2_000

async function follow(
  hub: Reach,
  query: Query,
  first: readonly LoggedCall[],
  { show, most, signal }: Following,
) {
  const keyOf = ({ traceId, time, method, route, count }: LoggedCall) =>
    `${traceId} ${time} ${method} ${route} ${count}`
  let seen = new Map(first.map((call) => [keyOf(call), Date.parse(call.time)]))
  // Until the first call, the log itself says where to start: what was there at the start is not
  // new.
  let newest = Math.max(0, ...seen.values())
  if (newest === 0)
    for (const call of await latest(hub, query, atOnce))
      seen.set(keyOf(call), Date.parse(call.time))
  for (let shown = 0; shown < most; ) {
    await pause(everyMs, undefined, { signal }).catch(() => signal.throwIfAborted())
    const since: Query = newest === 0 ? {} : { since: new Date(newest - lookBackMs).toISOString() }
    // Skips the calls of this command itself, which would otherwise produce new ones forever.
    const found = (await latest(hub, { ...query, ...since }, atOnce)).filter(
      (call) =>
        !seen.has(keyOf(call)) && !(call.method === 'GET' && call.route.endsWith('/v2/calls')),
    )
    for (const call of found) {
      const time = Date.parse(call.time)
      seen.set(keyOf(call), time)
      newest = Math.max(newest, time)
      show(call)
      shown += 1
      if (shown >= most) return
    }
    seen = new Map([...seen].filter(([, time]) => time >= newest - 2 * lookBackMs))
  }
}

/**
 * `08:00:03.120 201 POST /v2/jobs 12 ms demo-connector job 7Qm2… trace …`, coloured by its status
 * class.
 */
function lineOf(screen: Screen, call: LoggedCall): string {
  const {
    time,
    statusCode,
    code,
    method,
    route,
    durationMs,
    clientId = '',
    jobId,
    traceId,
    count,
  } = call
  const paint =
    statusCode >= 500
      ? red
      : statusCode >= 400
        ? yellow
        : statusCode >= 200 && statusCode < 300
          ? green
          : strong
  const status = paint(screen, `${statusCode}${code === undefined ? '' : ` ${code}`}`)
  const many = count > 1 ? ` (${count} calls)` : ''
  const about = jobId === undefined ? '' : `  job ${jobId}`
  return `${dim(screen, time.slice(0, 23).replace('T', ' '))}  ${status}  ${method} ${route}${many}  ${durationMs.toFixed(0)} ms  ${clientId}${about}  ${dim(screen, traceId)}`
}
