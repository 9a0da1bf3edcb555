/** `dragoman nodes`: the nodes of the hub. */
import { listCommand } from './list-command.ts'
import { moment } from './moment.ts'

export const nodes = listCommand({
  name: 'nodes',
  says: 'list the nodes of the hub',
  about: `Lists the nodes of the hub, newest first, with the difference of their clocks from that of the database and the number of
tasks they run. A node that stopped is not listed; one that disappeared is listed for a day.`,
  call: 'listNodes',
  filters: {},
  columns: [
    { title: 'NODE', of: (node) => node.nodeId },
    { title: 'HOST', of: (node) => node.host },
    { title: 'VERSION', of: (node) => node.version },
    { title: 'STATE', of: (node) => node.state },
    { title: 'STARTED', of: (node) => moment(node.startedDate) },
    { title: 'SEEN', of: (node) => node.seenDate.slice(0, 19).replace('T', ' ') },
    {
      title: 'CLOCK',
      of: (node) => (node.clockSkewMs === undefined ? '' : `${node.clockSkewMs} ms`),
    },
    { title: 'TASKS', of: (node) => node.tasks },
  ],
  none: 'No node is running.',
})
