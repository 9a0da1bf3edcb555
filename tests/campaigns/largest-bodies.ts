/**
 * Sends the largest calls that a hub accepts, in the shapes that are most expensive to read
 * (body-cases.ts, largest-envelopes.ts), one after another. Each is refused or accepted within the
 * bounds for stalls and memory, so that other callers do not notice.
 */
import { randomUUID } from 'node:crypto'
import { limits } from '@dragoman/contract'
import { type AttackAnswer, type AttackCall, sendCall } from './attack-call.ts'
import type { AttackedHub } from './attacked-hub.ts'
import { type Case, largestCalls } from './body-cases.ts'
import type { Watch } from './hub-watch.ts'
import { judgeRefusal } from './judged-answer.ts'
import { largestEnvelopes } from './largest-envelopes.ts'
import { type Counter, stalled } from './tally.ts'

export type LargestPlan = {
  readonly calls: number
  readonly maxStallMs: number
  /** Only the cases whose name it accepts. */
  readonly only?: (name: string) => boolean
  /** Called with each case and its cost. */
  readonly each?: (line: string) => void
}

/** A plan with fewer calls gets a sample. */
const few = 3_000
/**
 * Above this the hub may close the connection while the body is still being sent, and the refusal
 * is lost.
 */
const cutBytes = 60_000
/** Of an answer: the longest has half a gigabyte. */
const keptBytes = 1024 ** 2
/** Of a refusal, in characters. */
const maxAnswer = 50_000

export async function sendLargestBodies(
  hub: AttackedHub,
  plan: LargestPlan,
  tally: Counter,
): Promise<void> {
  const all = [...largestCalls(), ...largestEnvelopes()].filter(
    ({ name }) => plan.only?.(name) ?? true,
  )
  const cases =
    plan.calls < few ? sampleOf(all, plan.calls / (hub.database === 'sqlite' ? 8 : 24)) : all
  const ids = await makeIds(hub)
  const watch = hub.watch()
  let [slowest, largest] = [
    { stallMs: 0, name: '' },
    { aboveMb: 0, name: '' },
  ]
  try {
    for (const one of cases) {
      const { bytes, answer, stallMs, aboveMb } = await sendUntilQuick(
        hub,
        one,
        ids,
        watch,
        plan.maxStallMs,
      )
      tally.round()
      if (stallMs > plan.maxStallMs)
        tally.found(`${one.name}: ${stalled} ${stallMs.toFixed(0)} ms; at most ${plan.maxStallMs}`)
      plan.each?.(
        `${one.name}: ${answer?.status}, ${stallMs.toFixed(0)} ms, ${aboveMb.toFixed(0)} MB`,
      )
      if (stallMs > slowest.stallMs) slowest = { stallMs, name: one.name }
      if (aboveMb > largest.aboveMb) largest = { aboveMb, name: one.name }
      for (const says of judge(one, bytes, answer)) tally.found(`${one.name}: the answer ${says}`)
    }
  } finally {
    await watch.stop()
  }
  tally.figure(`${cases.length} of ${all.length} shapes`)
  tally.figure(`the slowest ${slowest.name} (${slowest.stallMs.toFixed(0)} ms)`)
  tally.figure(`the largest ${largest.name} (${largest.aboveMb.toFixed(0)} MB)`)
}

const tries = 3

/** A stall counts if it comes back every time: a busy machine makes the same work longer. */
async function sendUntilQuick(
  hub: AttackedHub,
  one: Case,
  ids: Ids,
  watch: Watch,
  maxStallMs: number,
) {
  let best = Number.POSITIVE_INFINITY
  let most = 0
  for (let tried = 1; ; tried += 1) {
    const call = await callOf(hub, one, ids)
    watch.look()
    const answer = await sendCall(hub.url, call)
    const { stallMs, aboveMb } = watch.look()
    best = Math.min(best, stallMs)
    most = Math.max(most, aboveMb)
    if (best <= maxStallMs || tried === tries)
      return { bytes: call.body?.length ?? 0, answer, stallMs: best, aboveMb: most }
  }
}

/** The heaviest cases, and a few of each other kind. */
function sampleOf(all: readonly Case[], many: number): Case[] {
  const heavy = all.filter(({ name }) =>
    /^addRequests, .*(unknown name, within|as it takes)|^SOAP, as many/.test(name),
  )
  const [some, rest] = [spread(heavy, many / 2), all.filter((one) => !heavy.includes(one))]
  return [...some, ...spread(rest, many - some.length)]
}

const spread = <T>(all: readonly T[], many: number): T[] =>
  all.filter(
    (_, at) => Math.floor((at * many) / all.length) !== Math.floor(((at + 1) * many) / all.length),
  )

/** SOAP 1.1 requires a fault to be a 500. */
function judge({ name }: Case, bytes: number, answer: AttackAnswer | undefined): string[] {
  if (!answer) return bytes > cutBytes ? [] : ['never came']
  const tooLong =
    answer.status >= 400 && answer.text.length > maxAnswer
      ? [`has ${answer.text.length} characters`]
      : []
  if (!name.startsWith('SOAP')) return [...judgeRefusal(answer), ...tooLong]
  return answer.text.includes('<faultcode>s:Client')
    ? tooLong
    : [`is no fault of the client: ${answer.text.slice(0, 300)}`]
}

type Ids = Readonly<Record<string, string>>

/** A job and a provider that exist, so that bodies get as far as they can. */
const makeIds = async (hub: AttackedHub): Promise<Ids> => ({
  jobId: await makeJob(hub),
  providerId: hub.sites[0].providerIds[0] ?? '',
  level: '1',
})

const makeJob = async (hub: AttackedHub): Promise<string> =>
  (await post<{ jobId: string }>(hub, '/jobs', { jobName: 'Large bodies' })).jobId

/** As many requests as a call may name. */
async function addRequests(hub: AttackedHub, jobId: string): Promise<string[]> {
  const requests = Array.from({ length: limits.requestsPerCall }, (_, at) => ({
    requestName: 'a',
    sourceNativeId: `${at}`,
    sourceNativeLanguageCode: 'en-us',
    targetNativeLanguageCodes: ['de-de'],
    fields: [{ key: 'k', value: 'v' }],
  }))
  type Added = { requests: { requestId: string }[] }
  const added = await post<Added>(hub, `/jobs/${jobId}/requests/add`, { requests })
  return added.requests.map(({ requestId }) => requestId)
}

async function post<T>(hub: AttackedHub, path: string, body: object): Promise<T> {
  const token = await hub.token(hub.sites[0].clients.content)
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const answer = await fetch(`${hub.url}/v2${path}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(`POST ${path} answered ${answer.status}: ${await answer.text()}`)
  return (await answer.json()) as T
}

async function callOf(hub: AttackedHub, one: Case, usual: Ids): Promise<AttackCall> {
  const token = await hub.token(hub.sites[0].clients[one.as])
  const ids = one.needs ? { ...usual, jobId: await makeJob(hub) } : usual
  const path = one.path.replace(
    /\{(\w+)\}/g,
    (_, name: string) => (ids as Ids)[name] ?? 'A'.repeat(22),
  )
  const body = one.body?.(
    one.needs === 'requests' && ids.jobId ? await addRequests(hub, ids.jobId) : [],
  )
  return {
    method: one.method,
    path: path + (one.query?.() ?? ''),
    // With a key, the body is also hashed.
    headers: [
      ['authorization', `Bearer ${token}`],
      ['idempotency-key', randomUUID()],
      ...one.headers,
    ],
    keeps: keptBytes,
    ...(body && { body }),
  }
}
