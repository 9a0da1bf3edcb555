/**
 * Prometheus metrics, one registry per hub: calls, tasks, queue depth, calls refused by the
 * throttle, rows dropped by the call log, and process metrics. Labels are route patterns and names
 * from our tables, never text from a caller.
 */

import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { deliveryDepth } from '../../domain/listeners/deliveries.ts'
import { failingTasks, queueDepth } from '../../domain/operations/tasks/queue-depth.ts'
import type { Hub } from '../../hub.ts'
import type { Because } from '../../process/connections.ts'

export type ObservedCall = { route: string; method: string; status: number; seconds: number }

export type Metrics = {
  observeCall(call: ObservedCall): void
  /** Has the type of the runner's option `observe`. */
  observeTask(name: string, ending: string, milliseconds: number): void
  countThrottled(): void
  countDroppedCalls(many: number): void
  countRefusedConnection(because: Because): void
  /** Sets the function that returns the number of open connections. */
  readConnections(read: () => number): void
  /** Sets the function that returns the number of open event streams. */
  readStreams(read: () => number): void
  countCallsOver(): void
  /** The content type of `text`. */
  readonly contentType: string
  text(): Promise<string>
}

const callSeconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const taskSeconds = [0.001, 0.005, 0.025, 0.1, 0.5, 1, 5, 10, 30]

export function openMetrics(hub: Hub): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  const calls = new Histogram({
    name: 'dragoman_call_seconds',
    help: 'Calls by route, method and status, with their duration.',
    labelNames: ['route', 'method', 'status'],
    buckets: callSeconds,
    registers,
  })
  const tasks = new Histogram({
    name: 'dragoman_task_seconds',
    help: 'Task attempts by name and result (done, again, retried, parked, lost).',
    labelNames: ['task', 'ending'],
    buckets: taskSeconds,
    registers,
  })
  const throttled = new Counter({
    name: 'dragoman_throttled_calls_total',
    help: 'Calls refused by the rate limit.',
    registers,
  })
  const dropped = new Counter({
    name: 'dragoman_dropped_log_rows_total',
    help: 'Call log rows dropped because the database could not keep up.',
    registers,
  })
  const refused = new Counter({
    name: 'dragoman_refused_connections_total',
    help: 'Connections over DRAGOMAN_CONNECTIONS (all) or DRAGOMAN_CONNECTIONS_PER_ADDRESS (address).',
    labelNames: ['because'],
    registers,
  })
  for (const because of ['all', 'address'] as const) refused.inc({ because }, 0)
  const counted = (name: string, help: string): ((read: () => number) => void) => {
    let many = () => 0
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(many())
      },
    })
    return (read) => {
      many = read
    }
  }
  const readConnections = counted('dragoman_connections', 'Open connections.')
  const readStreams = counted('dragoman_console_streams', 'Open event streams of the console.')
  const over = new Counter({
    name: 'dragoman_calls_over_log_total',
    help: 'Calls that share one call log row because more came in a minute than get a row each.',
    registers,
  })
  // Queried from the database on each scrape; if the query fails, only this metric is missing.
  const asked = (
    name: string,
    help: string,
    ask: (hub: Hub) => Promise<Record<string, number>>,
    label: 'state' | 'task' | 'rule' = 'state',
  ) =>
    new Gauge({
      name,
      help,
      labelNames: [label],
      registers,
      async collect() {
        this.reset()
        try {
          for (const [value, count] of Object.entries(await ask(hub)))
            this.set({ [label]: value }, count)
        } catch (error) {
          hub.log.warn({ err: error, figure: name }, 'a metric could not be read')
        }
      },
    })
  asked(
    'dragoman_tasks',
    'Tasks by state: due (waiting for a runner), later, running, parked.',
    queueDepth,
  )
  asked(
    'dragoman_failing_tasks',
    'Tasks whose last attempt failed and that will be retried.',
    failingTasks,
    'task',
  )
  asked('dragoman_deliveries', 'Deliveries that have not arrived: pending, parked.', deliveryDepth)
  const findingCounts = async (asked: Hub) =>
    (await import('../../domain/operations/findings/finding-counts.ts')).findingCounts(asked)
  asked(
    'dragoman_findings',
    'Findings by rule, counted at most once a minute.',
    findingCounts,
    'rule',
  )
  return {
    observeCall: ({ route, method, status, seconds }) =>
      calls.observe({ route, method, status: String(status) }, seconds),
    observeTask: (name, ending, milliseconds) =>
      tasks.observe({ task: name, ending }, milliseconds / 1000),
    countThrottled: () => throttled.inc(),
    countDroppedCalls: (many) => dropped.inc(many),
    countRefusedConnection: (because) => refused.inc({ because }),
    readConnections,
    readStreams,
    countCallsOver: () => over.inc(),
    contentType: registry.contentType,
    text: () => registry.metrics(),
  }
}
