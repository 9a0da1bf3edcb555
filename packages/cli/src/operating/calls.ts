/** `dragoman calls`: the call log; with a traceId, one call. */
import type { LoggedCall } from '@dragoman/contract/wire'
import { type Command, readArgs, type Screen, UsageError } from '../command.ts'
import { json } from '../table.ts'
import { listCommand } from './list-command.ts'
import { reach, reachOptions } from './reach.ts'
import { siteFilter, timeFilters, timeText } from './shown.ts'

const list = listCommand({
  name: 'calls [TRACE]',
  says: 'list the calls that the hub received, or show one',
  about: `Lists the call log of the last 7 days, newest first. With TRACE (the x-request-id of a response, the traceId of an error),
shows that call with everything that was recorded.`,
  call: 'listCalls',
  filters: {
    client: { query: 'client', shown: 'ID', says: 'only calls of this client' },
    status: {
      query: (given) => (['4xx', '5xx', 'failed'].includes(given) ? 'statusClass' : 'statusCode'),
      shown: 'N',
      says: 'only calls with this HTTP status; 4xx, 5xx and failed select several',
      values: ['4xx', '5xx', 'failed'],
    },
    code: { query: 'code', shown: 'CODE', says: 'only calls refused with this error code' },
    route: {
      query: 'route',
      shown: 'PATH',
      says: "only calls of this route, for example '/v2/jobs/{jobId}'",
    },
    job: { query: 'jobId', shown: 'JOB', says: 'only calls about this job' },
    without: {
      query: 'without',
      shown: 'console',
      says: 'leave out the calls of the console',
      values: ['console'],
    },
    ...timeFilters,
    ...siteFilter,
  },
  columns: [
    { title: 'TIME', of: ({ time }) => timeText(time) },
    { title: 'STATUS', of: (call) => statusText(call) },
    { title: 'CALL', of: ({ method, route }) => `${method} ${route}` },
    { title: 'JOB', of: ({ jobId }) => jobId },
    { title: 'CLIENT', of: ({ clientId }) => clientId },
    { title: 'MS', of: ({ durationMs }) => durationMs.toFixed(1) },
    { title: 'TRACE', of: ({ traceId }) => traceId },
  ],
  none: 'There are no such calls in the call log.',
})

export const calls: Command = {
  ...list,
  run: (args, screen) => {
    const [first] = args
    return first === undefined || first.startsWith('-')
      ? list.run(args, screen)
      : showOne(args, screen)
  },
}

async function showOne(args: string[], screen: Screen): Promise<number> {
  const { values, positionals } = readArgs({ args, allowPositionals: true, options: reachOptions })
  const [traceId, ...rest] = positionals
  if (!traceId || rest.length > 0) throw new UsageError('Specify one TRACE.')
  return reach(values, screen, async (hub) => {
    const call = await hub.call('findCall', { params: { traceId } })
    if (values.json) screen.out(json(call))
    else for (const line of linesOf(call)) screen.out(line)
    return 0
  })
}

const statusText = ({ statusCode, code, count }: LoggedCall): string =>
  `${statusCode}${code === undefined ? '' : ` ${code}`}${count > 1 ? ` (${count} calls)` : ''}`

/** One name and value per line; bodies last, below their name. */
function linesOf(call: LoggedCall): string[] {
  const { callBody, answerBody, ids = {}, ...rest } = call
  const shown = Object.entries({ ...rest, ...ids })
  const width = Math.max(...shown.map(([name]) => name.length))
  return [
    ...shown.map(([name, value]) => `${name.padEnd(width)}  ${value}`),
    ...(callBody === undefined ? [] : ['', 'callBody', callBody]),
    ...(answerBody === undefined ? [] : ['', 'answerBody', answerBody]),
  ]
}
