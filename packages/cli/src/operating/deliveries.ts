/**
 * `dragoman deliveries`: what the hub sent to listeners, why deliveries fail, and sending them
 * again.
 */
import type { DeliveryCause, SentDelivery } from '@dragoman/contract/wire'
import { type Command, flag, readArgs, type Screen, text, UsageError } from '../command.ts'
import { type Column, json, showTable } from '../table.ts'
import { listCommand } from './list-command.ts'
import { moment } from './moment.ts'
import { reach, reachHelp, reachOptions } from './reach.ts'

const states = ['PENDING', 'DELIVERED', 'PARKED'] as const
const filters = {
  state: { query: 'state', shown: 'STATE', says: 'PENDING, DELIVERED or PARKED', values: states },
  listener: { query: 'listenerId', shown: 'ID', says: 'only of this listener' },
  job: { query: 'jobId', shown: 'ID', says: 'only about this job' },
  code: { query: 'responseCode', shown: 'N', says: 'only with this last response code' },
  since: {
    query: 'since',
    shown: 'TIME',
    says: 'created at this time or later, such as 2026-11-14T08:00',
  },
  until: { query: 'until', shown: 'TIME', says: 'created at this time or earlier' },
  site: { query: 'siteId', shown: 'NAME', says: 'only of this site (for an operator)' },
} as const

const list = listCommand({
  name: 'deliveries list',
  says: 'list deliveries, newest first',
  about:
    'Lists the deliveries of all listeners of the site, or of all sites for an operator, newest first.',
  call: 'listSiteDeliveries',
  filters,
  columns: [
    { title: 'DELIVERY', of: ({ deliveryId }) => deliveryId },
    { title: 'SITE', of: ({ siteId }) => siteId },
    { title: 'JOB', of: ({ jobId }) => jobId },
    { title: 'EVENT', of: ({ eventType }) => eventType },
    { title: 'STATE', of: ({ state }) => state },
    { title: 'CREATED', of: ({ createdTime }) => moment(createdTime) },
    { title: 'TRIES', of: ({ tries }) => tries },
    { title: 'LAST RESPONSE', of: ({ responseCode, error }) => responseCode ?? error },
  ],
  none: 'There are no such deliveries.',
})

const causes: Command = {
  says: 'show why deliveries fail',
  help: `Usage: dragoman deliveries causes [OPTION]…

Groups the deliveries that fail now by listener and by the last response or error, the most frequent first.

  --site NAME      only of this site (for an operator)
${reachHelp}`,
  run: async (args, screen) => {
    const { values } = readArgs({ args, options: { ...reachOptions, site: { type: 'string' } } })
    const query = values.site === undefined ? {} : { siteId: values.site }
    return reach(values, screen, async (hub) => {
      const found = (await hub.call('listDeliveryCauses', { query })).causes
      if (values.json) screen.out(json(found))
      else showTable(screen, found, causeColumns, 'No delivery fails.')
      return 0
    })
  },
}

const causeColumns: readonly Column<DeliveryCause>[] = [
  { title: 'COUNT', of: ({ count }) => count },
  { title: 'SITE', of: ({ siteId }) => siteId },
  { title: 'LISTENER', of: ({ listenerId }) => listenerId },
  { title: 'SINCE', of: ({ firstTime }) => moment(firstTime) },
  { title: 'LAST', of: ({ lastTime }) => moment(lastTime) },
  { title: 'EXAMPLE', of: ({ deliveryId }) => deliveryId },
  { title: 'CAUSE', of: ({ says }) => says },
]

const show: Command = {
  says: 'show a delivery: what was sent, and the response',
  help: `Usage: dragoman deliveries show ID [OPTION]…

Shows a delivery with its body, and with the headers and the first 4 KiB of the response of each attempt. Signatures are
hidden; operators, and therefore --local, do not see bodies.

${reachHelp}`,
  run: async (args, screen) => {
    const { values, positionals } = readArgs({
      args,
      allowPositionals: true,
      options: reachOptions,
    })
    const [deliveryId, ...more] = positionals
    if (deliveryId === undefined || more.length > 0)
      throw new UsageError('Specify one delivery by its ID.')
    return reach(values, screen, async (hub) => {
      const found = await hub.call('findDelivery', { params: { deliveryId } })
      if (values.json) screen.out(json(found))
      else print(screen, found)
      return 0
    })
  },
}

function print(screen: Screen, { attempts, body, ...delivery }: SentDelivery): void {
  for (const [name, value] of Object.entries(delivery))
    screen.out(`${`${name}:`.padEnd(17)} ${Array.isArray(value) ? value.join(' ') : value}`)
  if (body !== undefined) screen.out(`\n${body}`)
  for (const {
    number,
    attemptTime,
    durationMs,
    responseCode,
    error,
    headers = {},
    answer,
  } of attempts) {
    const outcome = [responseCode, error].filter((part) => part !== undefined).join(' ')
    screen.out(`\nAttempt ${number}, ${attemptTime}, ${durationMs} ms: ${outcome}`)
    for (const [name, value] of Object.entries(headers)) screen.out(`  ${name}: ${value}`)
    if (answer) screen.out(`\n${answer}`)
  }
}

const replay: Command = {
  says: 'send deliveries again',
  help: `Usage: dragoman deliveries replay [ID]… [OPTION]…

Sends deliveries again, by id or by filter, in the order of each job. More than 1,000 are sent in the background.

  --dry-run        only count them, and the newer ones of the same jobs that would follow
  --all            every one (the default with ids)
  --failed         those that fail now (the default with a filter)
  --missing        status updates that never arrived at their listener, also those without a delivery
  --state STATE    PENDING, DELIVERED or PARKED
  --listener ID    only of this listener
  --job ID         only about this job
  --code N         only with this last response code
  --since TIME     created at this time or later
  --until TIME     created at this time or earlier
  --site NAME      only of this site (for an operator)
${reachHelp}`,
  run: async (args, screen) => {
    const { values, positionals: deliveryIds } = readArgs({
      args,
      allowPositionals: true,
      options: {
        ...reachOptions,
        ...{ 'dry-run': flag, all: flag, failed: flag, missing: flag },
        ...{
          state: text,
          listener: text,
          job: text,
          code: text,
          since: text,
          until: text,
          site: text,
        },
      },
    })
    const modes = (['all', 'failed', 'missing'] as const).filter((mode) => values[mode])
    if (modes.length > 1) throw new UsageError('Use only one of --all, --failed and --missing.')
    const filter = filterOf(values)
    const isFiltered = Object.keys(filter).length > 0
    if (deliveryIds.length > 0 && isFiltered)
      throw new UsageError('Use either ids or a filter, not both.')
    if (deliveryIds.length === 0 && !isFiltered && modes.length === 0)
      throw new UsageError(
        'Specify ids, a filter such as --listener ID, or --failed for all that fail.',
      )
    const body = {
      ...(deliveryIds.length > 0 ? { deliveryIds } : { filter }),
      ...(modes[0] && { mode: modes[0] }),
      ...(values['dry-run'] && { dryRun: true }),
    }
    return reach(values, screen, async (hub) => {
      const {
        replayed,
        wouldReplay,
        wouldFollow = 0,
      } = await hub.call('replaySiteDeliveries', { body })
      if (values.json)
        screen.out(json(values['dry-run'] ? { wouldReplay, wouldFollow } : { replayed }))
      else if (values['dry-run'])
        screen.out(
          `${counted(wouldReplay)} would be sent again.${wouldFollow > 0 ? ` ${counted(wouldFollow)} of the same jobs would follow.` : ''}`,
        )
      else screen.out(`${counted(replayed)} will be sent again.`)
      return 0
    })
  },
}

const counted = (many = 0): string => (many === 1 ? '1 delivery' : `${many} deliveries`)

function filterOf(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const given = Object.entries(filters).flatMap(([option, { query }]) => {
    const value = values[option]
    if (value === undefined) return []
    if (option !== 'code') return [[query, value]]
    if (!/^\d{3}$/.test(String(value)))
      throw new UsageError(`--code must be a response code such as 503, not "${value}".`)
    return [[query, Number(value)]]
  })
  return Object.fromEntries(given)
}

const verbs: Readonly<Record<string, Command>> = { list, show, causes, replay }

export const deliveries: Command = {
  says: 'list, show and replay deliveries to listeners',
  help: `Usage: dragoman deliveries [VERB] [OPTION]…

${Object.entries(verbs)
  .map(([name, { says }]) => `  ${name.padEnd(6)}  ${says}`)
  .join('\n')}

Without a verb, it lists; --json prints JSON. Run dragoman deliveries VERB --help for details.`,
  verbs,
  run: list.run,
}
