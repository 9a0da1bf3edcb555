/**
 * Clients that create, read, change and delete jobs without a pause. Each call may be sent twice (a
 * POST has its key), and is repeated until it is answered; what was acknowledged is compared with
 * the jobs afterwards.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { Counter } from './tally.ts'

type Call = {
  readonly method: string
  readonly path: string
  readonly body?: object
  readonly key?: string
}
/** `status` 0: there was no response. */
export type Refused = {
  readonly call: Call
  readonly status: number
  readonly headers?: Headers
  readonly text: string
}

export type JobWalk = {
  /** Acknowledged calls so far. */
  acknowledged(): number
  /** Of those, the ones that changed something. */
  written(): number
  /** Ends the walk; resolves when every client has its last answer. */
  end(): Promise<void>
  /** Compares what was acknowledged with what is there. */
  hold(tally: Counter): Promise<void>
}

/** Each client's turn: create, read, change, and delete every other one. */
export function walkJobs(
  url: () => string,
  label: string,
  { clients, refused }: { readonly clients: number; readonly refused: (refused: Refused) => void },
): JobWalk {
  /** The name that each job has by its last acknowledged change; undefined for a deleted one. */
  const told = new Map<string, string | undefined>()
  let [acknowledged, written, isOver] = [0, 0, false]
  let token: string | undefined

  const sendOnce = async ({
    method,
    path,
    body,
    key,
  }: Call): Promise<Refused & { json?: unknown }> => {
    const call = { method, path }
    try {
      if (token === undefined) {
        const got = await askToken(url())
        if (got.status !== 200) return { call: { method: 'POST', path: '/connect/token' }, ...got }
        token = (JSON.parse(got.text) as { access_token: string }).access_token
      }
      const answer = await fetch(`${url()}/v2${path}`, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          ...(body && { 'content-type': 'application/json' }),
          ...(key && { 'idempotency-key': key }),
        },
        ...(body && { body: JSON.stringify(body) }),
      })
      const [text, { status, headers }] = [await answer.text(), answer]
      return { call, status, headers, text, ...(answer.ok && { json: JSON.parse(text) }) }
    } catch (error) {
      return { call, status: 0, text: `${error} ${(error as Error).cause ?? ''}` }
    }
  }
  /** Undefined if the job is gone. */
  const send = async (
    call: Call,
  ): Promise<Partial<{ jobId: string; jobName: string }> | undefined> => {
    for (let tried = 0; ; tried += 1) {
      const got = await sendOnce(call)
      // A DELETE that was answered with an error may have taken effect.
      if (got.json !== undefined || (call.method === 'DELETE' && got.status === 404 && tried > 0)) {
        acknowledged += 1
        if (call.method !== 'GET') written += 1
        return (got.json ?? {}) as { jobId?: string; jobName?: string }
      }
      refused(got)
      if (got.status === 404) return undefined
      if (got.status === 401) token = undefined
      if (tried > 5_000)
        throw new Error(`${call.method} ${call.path} is never answered: ${got.status} ${got.text}`)
      await delay(50)
    }
  }
  const walk = async (client: number): Promise<void> => {
    for (let turn = 0; !isOver; turn += 1) {
      const name = `${label} ${client} ${turn}`
      const body = { jobName: name, labels: [label] }
      const made = await send({
        method: 'POST',
        path: '/jobs',
        body,
        key: name.replaceAll(' ', '-'),
      })
      const jobId = made?.jobId ?? ''
      if (told.has(jobId)) throw new Error(`The job ${jobId} was given twice.`)
      told.set(jobId, name)
      const path = `/jobs/${jobId}`
      const read = await send({ method: 'GET', path })
      if (read && read.jobName !== name)
        throw new Error(`The job "${name}" is read as "${read.jobName}".`)
      if (!(await send({ method: 'PUT', path, body: { jobName: `${name} changed` } }))) continue
      told.set(jobId, `${name} changed`)
      if (turn % 2 === 1 && (await send({ method: 'DELETE', path }))) told.set(jobId, undefined)
    }
  }
  const walking = Promise.all(Array.from({ length: clients }, (_, client) => walk(client)))
  walking.catch(() => {
    isOver = true
  })
  return {
    acknowledged: () => acknowledged,
    written: () => written,
    end: async () => {
      isOver = true
      await walking
    },
    hold: async (tally) => {
      const found = new Map<string, string>()
      const bearer = { authorization: `Bearer ${token}` }
      const filter = encodeURIComponent(`labels eq '${label}'`)
      for (let next: string | undefined = ''; next !== undefined; ) {
        const answer = await fetch(`${url()}/v2/jobs?filter=${filter}&navNext=${next}`, {
          headers: bearer,
        })
        const page = (await answer.json()) as {
          jobs: { jobId: string; jobName: string }[]
          next?: string
        }
        for (const { jobId, jobName } of page.jobs) {
          if (!told.has(jobId))
            tally.doubled(`the job ${jobId} "${jobName}" is there, and nobody was told of it`)
          found.set(jobId, jobName)
        }
        next = page.next
      }
      for (const [jobId, name] of told) {
        const [is, was] = [found.get(jobId), name]
        if (is !== was) tally.lost(`the job ${jobId} is "${is}", acknowledged was "${was}"`)
      }
    },
  }
}

async function askToken(url: string): Promise<{ status: number; headers: Headers; text: string }> {
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: 'demo-connector',
  })
  form.set('client_secret', 'demo-connector-secret')
  const answer = await fetch(`${url}/connect/token`, { method: 'POST', body: form })
  return { status: answer.status, headers: answer.headers, text: await answer.text() }
}
