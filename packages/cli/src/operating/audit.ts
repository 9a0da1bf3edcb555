/** `dragoman audit`: who did what to which thing. */
import { listCommand } from './list-command.ts'
import { siteFilter, timeFilters, timeText } from './shown.ts'

export const audit = listCommand({
  name: 'audit',
  says: 'list administrative acts, or export them',
  about: `Lists the audit log of the last year, newest first: who did what to which thing, in which call.`,
  call: 'listAudit',
  filters: {
    client: { query: 'client', shown: 'ID', says: 'only acts of this client' },
    person: { query: 'person', shown: 'ID', says: 'only acts of this person in the console' },
    thing: {
      query: 'thing',
      shown: 'KIND',
      says: "only acts on this kind of thing, for example client or 'price list'",
    },
    id: { query: 'thingId', shown: 'ID', says: 'only acts on the thing with this id' },
    verb: { query: 'verb', shown: 'VERB', says: 'only these acts, for example removed' },
    ...timeFilters,
    ...siteFilter,
  },
  exports: true,
  columns: [
    { title: 'TIME', of: ({ time }) => timeText(time) },
    {
      title: 'WHO',
      of: ({ actor, clientId, personId }) =>
        clientId ?? (personId === undefined ? actor : `person ${personId}`),
    },
    { title: 'SITE', of: ({ siteId }) => siteId },
    { title: 'THING', of: ({ thing, thingId }) => `${thing} ${thingId}` },
    {
      title: 'ACT',
      of: ({ verb, fields }) => [verb, ...(fields ? [`(${fields.join(', ')})`] : [])].join(' '),
    },
    { title: 'WAS', of: ({ was }) => factsText(was) },
    { title: 'IS', of: ({ is }) => factsText(is) },
    { title: 'TRACE', of: ({ traceId }) => traceId },
  ],
  none: 'There are no such acts in the audit log.',
})

const factsText = (facts: Record<string, unknown> = {}): string =>
  Object.entries(facts)
    .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(' ')
