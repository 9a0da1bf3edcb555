/** `dragoman tasks`: the background tasks, and retrying those that failed. */
import { type Command, readArgs, text, UsageError } from '../command.ts'
import { count, json } from '../table.ts'
import { listCommand } from './list-command.ts'
import { moment } from './moment.ts'
import { reach, reachHelp, reachOptions } from './reach.ts'

const list = listCommand({
  name: 'tasks list',
  says: 'list background tasks',
  about:
    'Lists the background tasks of the site, or of all sites and the hub for an operator, the latest due time first. A task that is done is not listed.',
  call: 'listTasks',
  filters: {
    name: { query: 'name', shown: 'NAME', says: 'only of this name, such as deliver' },
    state: {
      query: 'state',
      shown: 'STATE',
      says: 'due, later, running or parked',
      values: ['due', 'later', 'running', 'parked'],
    },
    job: { query: 'jobId', shown: 'ID', says: 'only of this job' },
    since: { query: 'since', shown: 'TIME', says: 'due at this time or later' },
    site: { query: 'siteId', shown: 'NAME', says: 'only of this site (for an operator)' },
  },
  columns: [
    { title: 'TASK', of: ({ taskId }) => taskId },
    { title: 'NAME', of: ({ name }) => name },
    { title: 'STATE', of: ({ state }) => state },
    { title: 'DUE', of: ({ dueTime }) => moment(dueTime) },
    { title: 'TRIES', of: ({ tries }) => tries },
    { title: 'SITE', of: ({ siteId }) => siteId },
    { title: 'JOB', of: ({ jobId }) => jobId },
    { title: 'LAST ERROR', of: ({ lastError }) => lastError },
  ],
  none: 'There are no such tasks.',
})

const retry: Command = {
  says: 'make parked or scheduled tasks due now',
  help: `Usage: dragoman tasks retry ID [OPTION]…
       dragoman tasks retry [--name NAME] [--state parked|later] [--site NAME] [OPTION]…

Makes a task due now, or all parked ones (of a name, a state, a site). Running tasks cannot be retried. More than 1,000 are made due
in the background.

  --name NAME      only of this name, such as deliver
  --state STATE    parked (default) or later
  --site NAME      only of this site (for an operator)
${reachHelp}`,
  values: { '--state': ['parked', 'later'] },
  run: async (args, screen) => {
    const options = { ...reachOptions, name: text, state: text, site: text }
    const { values, positionals } = readArgs({ args, allowPositionals: true, options })
    const [taskId, ...more] = positionals
    const { name, state, site } = values
    const isFiltered = name !== undefined || state !== undefined || site !== undefined
    if (more.length > 0) throw new UsageError('Specify one task by its ID.')
    if (taskId !== undefined && isFiltered)
      throw new UsageError('Use either an ID or --name, --state and --site.')
    if (taskId === undefined && !isFiltered)
      throw new UsageError('Specify a task by its ID, or --state parked for all that are parked.')
    return reach(values, screen, async (hub) => {
      if (taskId !== undefined) {
        const task = await hub.call('retryTask', { params: { taskId } })
        screen.out(values.json ? json(task) : `Task ${taskId} (${task.name}) is due now.`)
        return 0
      }
      const body = { ...(name && { name }), ...(state && { state }), ...(site && { siteId: site }) }
      const done = await hub.call('retryTasks', { body })
      screen.out(values.json ? json(done) : `${count(done.retried, 'task')} made due.`)
      return 0
    })
  },
}

const verbs: Readonly<Record<string, Command>> = { list, retry }

export const tasks: Command = {
  says: 'list background tasks, and retry those that failed',
  help: `Usage: dragoman tasks [VERB] [OPTION]…

${Object.entries(verbs)
  .map(([name, { says }]) => `  ${name.padEnd(5)}  ${says}`)
  .join('\n')}

Without a verb, it lists; --json prints JSON. Run dragoman tasks VERB --help for details.`,
  verbs,
  run: list.run,
}
