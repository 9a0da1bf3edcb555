/**
 * Fuzzes file transfer: forms, TUS and downloads, valid and not, byte by byte. Every call is
 * answered unless it was cut on purpose, nothing is a 5xx except a 503 with Retry-After, and every
 * file ends up as an outside ledger says. Each walk over one transfer has its own seed, printed
 * with a finding.
 */
import { createHash } from 'node:crypto'
import { type RawAnswer, type RawCall, rawCall } from '../raw-call.ts'
import { shownCall } from './attack-call.ts'
import type { AttackedHub } from './attacked-hub.ts'
import { walkDownload } from './fuzzed-download.ts'
import { fuzzForm } from './fuzzed-form.ts'
import { walkTus } from './fuzzed-tus.ts'
import { chanceOf } from './history-walk.ts'
import { judgeRefusal, judgeTexts } from './judged-answer.ts'
import type { Counter } from './tally.ts'
import type { Transfer, Walk } from './transfer-walk.ts'

export type FuzzPlan = { readonly calls: number; readonly seed: number }
const atOnce = 4
const transfersAJob = 200

export const fuzzTransfers = async (
  hub: AttackedHub,
  plan: FuzzPlan,
  tally: Counter,
): Promise<void> =>
  walkTransfers(
    {
      url: hub.url,
      token: await hub.token(hub.sites[0].clients.content),
      never: [...hub.secrets.values(), hub.env.DRAGOMAN_MASTER_KEY ?? 'none'],
    },
    plan,
    tally,
  )

/** `never` are texts that no response may contain. */
export type FuzzedHub = {
  readonly url: string
  readonly token: string
  readonly never: readonly string[]
}

export async function walkTransfers(hub: FuzzedHub, plan: FuzzPlan, tally: Counter): Promise<void> {
  const statuses = new Map<string, number>()
  const { token, never } = hub
  const begin = openTransfers(hub)
  let made = 0
  let walks = 0
  const walk = async () => {
    while (made < plan.calls) {
      const seed = plan.seed * 1_000_003 + walks++
      const chance = chanceOf(seed)
      const { transfer, jobId } = await begin()
      const found = (says: string) => tally.found(`walk ${seed}: ${says}`)
      const link = async () => {
        const answer = await fetch(
          `${hub.url}/v2/jobs/${jobId}/sourcefiles/${transfer.fmsFileId}`,
          {
            redirect: 'manual',
            headers: { authorization: `Bearer ${token}` },
          },
        )
        await answer.arrayBuffer()
        if (answer.status !== 307 && answer.status !== 409)
          found(`its file is asked for: ${answer.status}`)
        return answer.headers.get('location') ?? undefined
      }
      await oneWalk({
        chance,
        transfer,
        found,
        link,
        call: async (call, { isCut = false, unoffered = false } = {}) => {
          made += 1
          tally.round()
          let why = ''
          const answer = await rawCall(hub.url, call, (told) => {
            why = `: ${told}`
          })
          for (const says of judge(call, answer, { isCut, unoffered, never, why }))
            found(`${says}; ${shown(call)}`)
          const told = answer ? String(answer.status) : 'cut'
          statuses.set(told, (statuses.get(told) ?? 0) + 1)
          return answer
        },
        mustHold: async (bytes) => {
          const address = await link()
          if (bytes === undefined && address !== undefined)
            found('the file is there, and nobody was told so')
          if (bytes === undefined) return
          if (address === undefined)
            return found('the file is not there, and its sender was told so')
          const answer = await fetch(address)
          const got = Buffer.from(await answer.arrayBuffer())
          if (answer.status !== 200 || !got.equals(bytes))
            found(
              `the file came back as ${answer.status} with ${sum(got)}, and ${sum(bytes)} was sent`,
            )
        },
      })
    }
  }
  await Promise.all(Array.from({ length: atOnce }, walk))
  const told = [...statuses].sort(([one], [other]) => one.localeCompare(other))
  tally.figure(`${walks} walks, ${told.map(([status, times]) => `${times} x ${status}`).join(' ')}`)
}

const sum = (bytes: Buffer): string =>
  `${bytes.length} bytes ${createHash('sha256').update(bytes).digest('hex').slice(0, 8)}`

function oneWalk(walk: Walk): Promise<void> {
  const how = walk.chance()
  return how < 0.45 ? walkForms(walk) : how < 0.9 ? walkTus(walk) : walkDownload(walk)
}

/** Sends forms until one is accepted; a valid one must be. */
async function walkForms({ chance, transfer, call, found, mustHold }: Walk): Promise<void> {
  const { pathname, search } = new URL(transfer.fmsPostMultipartUrl)
  for (let tries = 1 + Math.floor(chance() * 5); tries > 0; tries -= 1) {
    const { call: form, must, isCut } = fuzzForm(chance)
    const answer = await call({ method: 'POST', path: pathname + search, ...form }, { isCut })
    if (answer?.status === 201) {
      if (must === 'refuse')
        found(`a form that is none was taken; ${shown({ method: 'POST', path: '', ...form })}`)
      const { size } = JSON.parse(answer.text) as { size: number }
      if (must && must !== 'refuse') {
        if (size !== must.keep.length) found(`${size} bytes were kept of ${must.keep.length}`)
        await mustHold(must.keep)
      }
      return
    }
    if (must && must !== 'refuse' && answer?.status !== 503)
      found(
        `a good form was refused with ${answer?.status}; ${shown({ method: 'POST', path: '', ...form })}`,
      )
    // A cut form may have arrived whole before its sender left.
    if (isCut || (answer && answer.status === 409)) return
  }
  await mustHold(undefined)
}

type Judged = {
  readonly isCut: boolean
  readonly unoffered: boolean
  readonly never: readonly string[]
  readonly why: string
}

function judge(
  call: RawCall,
  answer: RawAnswer | undefined,
  { isCut, unoffered, never, why }: Judged,
): string[] {
  if (!answer) return isCut ? [] : [`no answer came${why}`]
  const wrong = judgeTexts(answer, { never })
  if (answer.status === 501 && unoffered) return wrong
  // A HEAD response has no body to check.
  if (call.method === 'HEAD')
    return answer.status >= 500 && answer.status !== 503
      ? [...wrong, `the answer is ${answer.status}`]
      : wrong
  return [...wrong, ...judgeRefusal(answer).map((says) => `the answer ${says}`)]
}

const shown = ({ body, ...call }: RawCall): string =>
  shownCall({ headers: [], ...call, ...(body !== undefined && { body: Buffer.from(body) }) })

/** Transfer objects of new jobs: a job may hold a thousand files. */
function openTransfers(hub: FuzzedHub) {
  const headers = { authorization: `Bearer ${hub.token}`, 'content-type': 'application/json' }
  let job: Promise<string> | undefined
  let left = 0
  const newJob = async (): Promise<string> => {
    const answer = await fetch(`${hub.url}/v2/jobs`, {
      method: 'POST',
      headers,
      body: '{"jobName":"Fuzzed files"}',
    })
    return ((await answer.json()) as { jobId: string }).jobId
  }
  return async (): Promise<{ transfer: Transfer; jobId: string }> => {
    if (left === 0) {
      left = transfersAJob
      job = newJob()
    }
    left -= 1
    const jobId = (await job) ?? ''
    const path = `/v2/jobs/${jobId}/sourcefiles?fileName=page.txt`
    const answer = await fetch(`${hub.url}${path}`, {
      method: 'POST',
      headers: { authorization: headers.authorization },
    })
    if (answer.status !== 201)
      throw new Error(`no transfer object: ${answer.status} ${await answer.text()}`)
    return { transfer: (await answer.json()) as Transfer, jobId }
  }
}
