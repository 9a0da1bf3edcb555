/**
 * Judges a connector by the calls that the sandbox has recorded (docs/certification.md). A round
 * begins when a fault is set for the client, and ends when the next one is set or the faults are
 * cleared; calls without a fault form plain rounds.
 */

import {
  endsRound,
  htmlReport,
  isPassed,
  judgeLog,
  judgeObligations,
  judgeScenarios,
  junitReport,
  plain,
  type Report,
  type Round,
  textReport,
} from '@dragoman/certify'
import { scenarios } from '@dragoman/certify/scenarios'
import { formatTime } from '@dragoman/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Hub } from '../../hub.ts'
import { publicUrl } from '../http/public-url.ts'
import { actedOf } from './fault.ts'
import type { FaultBox } from './fault-box.ts'
import { fieldsOf, refusal, wholeNumber } from './read-fields.ts'

const formats = {
  html: { type: 'text/html; charset=utf-8', write: htmlReport },
  junit: { type: 'application/xml; charset=utf-8', write: junitReport },
  text: { type: 'text/plain; charset=utf-8', write: (report: Report) => `${textReport(report)}\n` },
} as const
type Format = keyof typeof formats | 'json'

export function certify(
  hub: Hub,
  box: FaultBox,
  call: FastifyRequest,
  reply: FastifyReply,
): FastifyReply | object {
  const { client, after, format } = askedOf(call.body)
  const rounds = roundsOf(box, client, after)
  const report: Report = {
    url: publicUrl(hub, call),
    client,
    // The real time: the clock of a sandbox is moved.
    time: formatTime(hub.clock.now() - hub.clock.offset()),
    obligations: [...judgeObligations(rounds), judgeLog(rounds, undefined)],
    scenarios: judged(rounds),
  }
  if (format !== 'json') return reply.type(formats[format].type).send(formats[format].write(report))
  const calls = rounds.reduce((sum, round) => sum + round.calls.length, 0)
  return { passed: isPassed(report), calls, ...report }
}

/**
 * Of the rounds without a fault only the last counts: between faults a developer tries this and
 * that.
 */
function judged(rounds: readonly Round[]): Report['scenarios'] {
  const lastPlain = rounds.findLast(({ scenario }) => scenario === plain.name)
  const counted = rounds.filter((round) => round.scenario !== plain.name || round === lastPlain)
  return judgeScenarios(counted).map((verdict, at) => {
    const round = counted[at]
    const mayGoOn = round?.scenario === plain.name || round === rounds.at(-1)
    if (!mayGoOn || round?.ended === 'in time') return verdict
    const because = 'This round is not over: no job was completed or approved since it began.'
    return { name: verdict.name, says: verdict.says, result: 'not seen', because, evidence: [] }
  })
}

function askedOf(body: unknown): { client: string; after: number; format: Format } {
  const {
    client = 'demo-connector',
    after = 0,
    format = 'json',
  } = fieldsOf(body, ['client', 'after', 'format'])
  if (typeof client !== 'string' || client === '') throw refusal('client', 'is the id of a client.')
  if (format !== 'json' && !Object.hasOwn(formats, String(format)))
    throw refusal('format', `must be json, ${Object.keys(formats).join(', ')}.`)
  return {
    client,
    after: wholeNumber('after', after, 0, Number.MAX_SAFE_INTEGER),
    format: format as Format,
  }
}

/** Rounds without a call of the client are left out. */
function roundsOf({ record }: FaultBox, client: string, after: number): Round[] {
  const calls = record
    .callsAfter(after, Number.POSITIVE_INFINITY)
    .filter((call) => call.client === client)
  const deliveries = record.deliveriesAfter(after, Number.POSITIVE_INFINITY)
  const marks = record
    .marks()
    .filter(({ fault }) => fault?.client === undefined || fault.client === client)
  const cuts = [{ number: 0, fault: undefined }, ...marks]
  return cuts.flatMap(({ number, fault }, at): Round[] => {
    const end = cuts[at + 1]?.number ?? Number.POSITIVE_INFINITY
    const isIn = (one: { readonly number: number }) => one.number > number && one.number <= end
    const mine = calls.filter(isIn)
    if (mine.length === 0) return []
    const { says, goodConnector } = fault ? scenarios[fault.scenario] : plain
    return [
      {
        scenario: fault?.scenario ?? plain.name,
        says,
        goodConnector,
        calls: mine,
        deliveries: deliveries.filter(isIn),
        acted: fault ? actedOf(fault) : 0,
        ended: mine.some(endsRound) ? 'in time' : 'late',
      },
    ]
  })
}
