/**
 * Sends the largest calls that a hub accepts, in the shapes that are most expensive to read (body-cases.ts,
 * largest-envelopes.ts), one after another. Each is refused or accepted within the bounds for stalls and memory, so that other
 * callers do not notice.
 */
import { randomUUID } from 'node:crypto'
import { type AttackAnswer, type AttackCall, sendCall } from './attack-call.ts'
import type { AttackedHub } from './attacked-hub.ts'
import { type Case, largestCalls } from './body-cases.ts'
import { judgeRefusal } from './judged-answer.ts'
import { largestEnvelopes } from './largest-envelopes.ts'
import type { Counter } from './tally.ts'

export type LargestPlan = {
  readonly calls: number
  /** Only the cases whose name it accepts. */
  readonly only?: (name: string) => boolean
  /** Called with each case and its cost. */
  readonly each?: (line: string) => void
}

/** A plan with fewer calls gets a sample. */
const few = 3_000
/** Above this the hub may close the connection while the body is still being sent, and the refusal is lost. */
const cutBytes = 60_000
/** Of a refusal, in characters. */
const maxAnswer = 50_000

export async function sendLargestBodies(hub: AttackedHub, plan: LargestPlan, tally: Counter): Promise<void> {
  const all = [...largestCalls(), ...largestEnvelopes()].filter(({ name }) => plan.only?.(name) ?? true)
  const cases = plan.calls < few ? sampleOf(all, plan.calls / (hub.engine === 'sqlite' ? 8 : 24)) : all
  const ids = await makeIds(hub)
  const watch = hub.watch()
  let [slowest, largest] = [
    { stallMs: 0, name: '' },
    { aboveMb: 0, name: '' },
  ]
  try {
    for (const one of cases) {
      const call = await callOf(hub, one, ids)
      watch.look()
      const answer = await sendCall(hub.url, call)
      const { stallMs, aboveMb } = watch.look()
      tally.round()
      plan.each?.(`${one.name}: ${answer?.status}, ${stallMs.toFixed(0)} ms, ${aboveMb.toFixed(0)} MB`)
      if (stallMs > slowest.stallMs) slowest = { stallMs, name: one.name }
      if (aboveMb > largest.aboveMb) largest = { aboveMb, name: one.name }
      for (const says of judge(one, call.body?.length ?? 0, answer)) tally.found(`${one.name}: the answer ${says}`)
    }
  } finally {
    await watch.stop()
  }
  tally.figure(`${cases.length} of ${all.length} shapes`)
  tally.figure(`the slowest ${slowest.name} (${slowest.stallMs.toFixed(0)} ms)`)
  tally.figure(`the largest ${largest.name} (${largest.aboveMb.toFixed(0)} MB)`)
}

/** The heaviest cases, and a few of each other kind. */
function sampleOf(all: readonly Case[], many: number): Case[] {
  const heavy = all.filter(({ name }) => /^addRequests, .*(unknown name, within|as it takes)|^SOAP, as many/.test(name))
  const [some, rest] = [spread(heavy, many / 2), all.filter((one) => !heavy.includes(one))]
  return [...some, ...spread(rest, many - some.length)]
}

const spread = <T>(all: readonly T[], many: number): T[] =>
  all.filter((_, at) => Math.floor((at * many) / all.length) !== Math.floor(((at + 1) * many) / all.length))

/** SOAP 1.1 requires a fault to be a 500. */
function judge({ name }: Case, bytes: number, answer: AttackAnswer | undefined): string[] {
  if (!answer) return bytes > cutBytes ? [] : ['never came']
  const tooLong = answer.status >= 400 && answer.text.length > maxAnswer ? [`has ${answer.text.length} characters`] : []
  if (!name.startsWith('SOAP')) return [...judgeRefusal(answer), ...tooLong]
  return answer.text.includes('<faultcode>s:Client')
    ? tooLong
    : [`is no fault of the client: ${answer.text.slice(0, 300)}`]
}

type Ids = Readonly<Record<string, string>>

/** A job and a provider that exist, so that bodies get as far as they can. */
async function makeIds(hub: AttackedHub): Promise<Ids> {
  const [site] = hub.sites
  const answer = await fetch(`${hub.url}/v2/jobs`, {
    method: 'POST',
    headers: { authorization: `Bearer ${await hub.token(site.clients.content)}`, 'content-type': 'application/json' },
    body: JSON.stringify({ jobName: 'Large bodies' }),
  })
  const { jobId } = (await answer.json()) as { jobId: string }
  return { jobId, providerId: site.providerIds[0] ?? '', level: '1' }
}

async function callOf(hub: AttackedHub, one: Case, ids: Ids): Promise<AttackCall> {
  const token = await hub.token(hub.sites[0].clients[one.as])
  const path = one.path.replace(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? 'A'.repeat(22))
  const body = one.body && Buffer.from(one.body())
  return {
    method: one.method,
    path: path + (one.query?.() ?? ''),
    // With a key, the body is also hashed.
    headers: [['authorization', `Bearer ${token}`], ['idempotency-key', randomUUID()], ...one.headers],
    ...(body && { body }),
  }
}
