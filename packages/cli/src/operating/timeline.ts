/** `dragoman timeline JOB`: what happened to a job. */
import type { TimelineEntry } from '@dragoman/contract/wire'
import { listCommand } from './list-command.ts'
import { timeText } from './shown.ts'

export const timeline = listCommand({
  name: 'timeline',
  says: 'show what happened to a job',
  about: `Lists the calls here and to an upstream (->), status changes, updates, deliveries with their attempts, files, tasks and
quotes of a job, oldest first. CAUSE is the trace of the call, or the task, behind an entry.`,
  call: 'listTimeline',
  of: { param: 'jobId', shown: 'JOB' },
  filters: {},
  columns: [
    { title: 'TIME', of: ({ time }) => timeText(time) },
    { title: 'KIND', of: ({ kind }) => kind },
    { title: 'WHAT', of: (entry) => `${whatOf(entry)}${requestsOf(entry)}` },
    { title: 'ID', of: ({ id }) => id },
    { title: 'CAUSE', of: ({ causeId }) => causeId },
  ],
  none: 'Nothing has happened to this job.',
})

/** The entry in a few words. */
function whatOf(entry: TimelineEntry): string {
  const {
    kind,
    method,
    route,
    statusCode,
    code,
    move,
    from,
    to,
    eventType,
    state,
    name,
    fileKind,
  } = entry
  switch (kind) {
    case 'call':
      return words(method, route, statusCode, code)
    case 'upstream':
      return words(
        '->',
        method,
        route,
        statusCode ?? entry.error,
        (entry.tries ?? 1) > 1 && `${entry.tries} times`,
      )
    case 'move':
      return words(`${move}:`, from, '->', to)
    case 'update':
      return words(statusCode, entry.hasError && 'with an error', entry.errorMessage)
    case 'delivery':
      return words(eventType, state)
    case 'attempt':
      return words(entry.responseCode ?? entry.error)
    case 'file':
      return words(fileKind, name, state)
    case 'task':
      return words(name, state, `${entry.tries} tries`, entry.lastError)
    case 'quote':
      return words('price list', entry.priceListId)
  }
}

const words = (...all: readonly (string | number | false | undefined)[]): string =>
  all.filter((word) => word !== undefined && word !== false).join(' ')

function requestsOf({ requestIds = [] }: TimelineEntry): string {
  const [first] = requestIds
  if (first === undefined) return ''
  return requestIds.length === 1 ? ` (${first})` : ` (${requestIds.length} requests)`
}
