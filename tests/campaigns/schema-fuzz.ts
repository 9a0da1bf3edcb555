/**
 * Calls every endpoint by its schema, validly and not, as every client of two sites. Ids from
 * responses are used in later calls, even in those of the other site. Each call has its own seed,
 * printed with a finding.
 */
import { endpointNames, successesOf } from '@dragoman/contract'
import { type AttackAnswer, sendCall, shownCall } from './attack-call.ts'
import type { AttackedHub } from './attacked-hub.ts'
import { type Attacking, type FuzzedCall, fuzzCall, markOf } from './fuzzed-call.ts'
import { type Chance, chanceOf } from './history-walk.ts'
import { judgeForm, judgeRefusal, judgeTexts, parsed } from './judged-answer.ts'
import { jobIn, learnIds } from './learned-ids.ts'
import type { Counter } from './tally.ts'

export type FuzzPlan = { readonly calls: number; readonly seed: number }

/** Concurrent calls. */
const atOnce = 4
/**
 * Above this the hub may close the connection while the body is still being sent, and the response
 * is lost.
 */
const cutBytes = 60_000

export async function fuzzBySchema(
  hub: AttackedHub,
  plan: FuzzPlan,
  tally: Counter,
): Promise<void> {
  const learned = hub.sites.map(({ providerIds }) => learnIds(providerIds))
  const statuses = new Map<number, number>()
  const taken = new Set<string>()
  let next = 0
  const attack = async () => {
    while (next < plan.calls) {
      const number = next++
      const chance = chanceOf(plan.seed * 1_000_003 + number)
      const side = chance() < 0.7 ? 0 : 1
      const [own, foreign] = side === 0 ? learned : [...learned].reverse()
      if (!own || !foreign) return
      const at = { hub, site: hub.sites[side], own, foreign }
      const fuzzed = await fuzzCall(at, chance)
      const answer = await sendCall(hub.url, fuzzed.call)
      tally.round()
      for (const says of judge(at, fuzzed, answer))
        tally.found(
          `seed ${plan.seed}, call ${number}: the answer ${says}; ${shownCall(fuzzed.call)}`,
        )
      if (!answer) continue
      // Rotated keys with `revoke` refuse every token from before: the rest of the calls would not
      // get in.
      if (answer.status === 401) hub.renewTokens()
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
      const path = fuzzed.call.path.replace(/^\/v2|\?.*$/g, '')
      const isGone = fuzzed.endpoint.call === 'DELETE /jobs/{jobId}' && answer.status < 300
      if (isGone || (path.startsWith('/jobs/') && answer.text.includes('JOB_NOT_FOUND')))
        own.forget(jobIn(path) ?? '')
      if (answer.status >= 400 || isGone) continue
      taken.add(fuzzed.endpoint.call)
      const answered = parsed(answer.text)
      own.learn(answered, path)
      if (fuzzed.endpoint.call.endsWith('/sourcefiles')) await upload(answered, chance)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, attack))
  const told = [...statuses]
    .sort(([one], [other]) => one - other)
    .map(([status, times]) => `${times} x ${status}`)
  tally.figure(`${told.join(' ')}, ${taken.size} of ${endpointNames.length} endpoints taken`)
}

function judge(
  at: Attacking,
  { endpoint, call, may }: FuzzedCall,
  answer: AttackAnswer | undefined,
): string[] {
  if (!answer) return (call.body?.length ?? 0) > cutBytes ? [] : ['never came']
  const { hub, site } = at
  const never = [
    ...hub.sites.filter((one) => one !== site).map(markOf),
    ...hub.secrets.values(),
    hub.env.DRAGOMAN_MASTER_KEY ?? 'none',
  ]
  return [
    ...judgeTexts(answer, { never }),
    // A head that is too large is refused before an endpoint is found.
    ...judgeRefusal(answer, answer.status === 431 ? undefined : may),
    ...(answer.status < 400 && may && !successesOf(endpoint).includes(answer.status)
      ? [`is ${answer.status}`]
      : []),
    // A spoilt path may be another call, with another form.
    ...(may ? judgeForm(answer, endpoint) : []),
  ]
}

const contents = [
  '<p>One</p>',
  '{"a":"b"}',
  '',
  '\u0000',
  '<tmx version="1.4"><body></body></tmx>',
  '<xliff version="2.0"/>',
]

/** Half of the files arrive, so that their readers run; most do not match their names. */
async function upload(transfer: unknown, chance: Chance): Promise<void> {
  const { fmsPostMultipartUrl } = transfer as { fmsPostMultipartUrl?: string }
  if (fmsPostMultipartUrl === undefined || chance() < 0.5) return
  const form = new FormData()
  form.set('file', new Blob([contents[Math.floor(chance() * contents.length)] ?? '']), 'x.html')
  await fetch(fmsPostMultipartUrl, { method: 'POST', body: form }).then((answer) =>
    answer.arrayBuffer(),
  )
}
