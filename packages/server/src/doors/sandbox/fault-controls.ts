/**
 * The sandbox calls for faults and recorded calls (docs/faults-on-demand.md). No token, like
 * everything under /sandbox, but strict input: a misspelt fault would be a test that tests nothing.
 */

import { isScenario, scenarioNames, scenarios } from '@dragoman/certify/scenarios'
import { HubError, limits, parseDuration } from '@dragoman/contract'
import type { FastifyInstance } from 'fastify'
import { describeFault, type FaultOrder } from './fault.ts'
import type { FaultBox } from './fault-box.ts'
import { fieldsOf, refusal, wholeNumber } from './read-fields.ts'

const members = [
  'scenario',
  'times',
  'every',
  'label',
  'provider',
  'client',
  'jobId',
  'seconds',
  'by',
]
const maxTimes = 100_000
const maxEvery = 1_000
const longestSeconds = 600
const usualPage = 1_000

export function registerFaultControls(app: FastifyInstance, box: FaultBox): void {
  app.get('/sandbox/faults', async () => ({
    scenarios: scenarioNames.map((name) => ({ name, ...scenarios[name] })),
    active: box
      .list()
      .filter(({ left }) => left > 0)
      .map(describeFault),
    spent: box
      .list()
      .filter(({ left }) => left === 0)
      .map(describeFault),
  }))
  app.post('/sandbox/faults', { bodyLimit: limits.sandboxBytes }, async (call, reply) => {
    const fault = box.add(askedOf(call.body))
    return reply.code(201).send(describeFault(fault))
  })
  app.delete('/sandbox/faults', async () => {
    const many = box.list().length
    box.clear()
    return { removed: many }
  })
  app.delete('/sandbox/faults/:id', async (call) => {
    const { id } = call.params as { id: string }
    if (!box.remove(id)) throw new HubError('NOT_FOUND', { what: `fault ${id.slice(0, 100)}` })
    return { removed: 1 }
  })
  app.get('/sandbox/calls', async (call) => {
    const { newest, ...query } = call.query as Record<string, unknown>
    const { after, limit } = pageOf(newest === undefined ? query : { limit: newest })
    const calls =
      newest === undefined ? box.record.callsAfter(after, limit) : box.record.newestCalls(limit)
    return { calls, last: calls.at(-1)?.number ?? after }
  })
  app.get('/sandbox/deliveries', async (call) => {
    const { after, limit } = pageOf(call.query as Record<string, unknown>)
    const deliveries = box.record.deliveriesAfter(after, limit)
    return { deliveries, last: deliveries.at(-1)?.number ?? after }
  })
}

function pageOf(query: Record<string, unknown>): { after: number; limit: number } {
  const { after = '0', limit = String(usualPage) } = query
  if (typeof after !== 'string' || !/^\d{1,15}$/.test(after))
    throw new HubError('INVALID_PARAMETER', {
      because: 'after must be the number of a call, 0 or more.',
    })
  if (
    typeof limit !== 'string' ||
    !/^\d{1,4}$/.test(limit) ||
    Number(limit) < 1 ||
    Number(limit) > usualPage
  )
    throw new HubError('INVALID_PARAMETER', { because: `limit must be 1 to ${usualPage}.` })
  return { after: Number(after), limit: Number(limit) }
}

function askedOf(body: unknown): FaultOrder {
  const { scenario, times, every, label, provider, client, jobId, seconds, by } = fieldsOf(
    body,
    members,
  )
  if (typeof scenario !== 'string' || !isScenario(scenario))
    throw refusal('scenario', `must be one of ${scenarioNames.join(', ')}.`)
  if (
    seconds !== undefined &&
    !(typeof seconds === 'number' && seconds >= 0 && seconds <= longestSeconds)
  )
    throw refusal('seconds', `must be a number from 0 to ${longestSeconds}.`)
  const duration =
    by === undefined ? undefined : typeof by === 'string' ? parseDuration(by) : undefined
  if (by !== undefined && !duration) throw refusal('by', 'must be a duration such as 90s 5m 2h 3d.')
  const texts = { label, provider, client, jobId }
  for (const [name, value] of Object.entries(texts))
    if (value !== undefined && (typeof value !== 'string' || value === ''))
      throw refusal(name, 'is a text.')
  const chosen = Object.fromEntries(
    Object.entries(texts).filter(([, value]) => value !== undefined),
  )
  return {
    scenario,
    ...(times !== undefined && { times: wholeNumber('times', times, 1, maxTimes) }),
    ...(every !== undefined && { every: wholeNumber('every', every, 1, maxEvery) }),
    ...(seconds !== undefined && { seconds: Number(seconds) }),
    ...(duration && { by: duration }),
    ...chosen,
  }
}
