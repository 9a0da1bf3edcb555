/**
 * `fetch` that notes the calls which a piece of work makes to another service, in order: what a
 * timeline shows of them and, if asked for, their bodies. Work that nobody watches is not slowed
 * down.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { limits } from '@dragoman/contract'
import type { Hub } from '../../../hub.ts'
import { perHub } from '../../../process/caches.ts'

/** The beginning of a body. */
export type RecordedBody = { readonly bytes: Uint8Array; readonly isCut: boolean }

type Bodies = { readonly sent?: RecordedBody; readonly answered?: RecordedBody }

export type MadeCall = {
  readonly calledAt: number
  readonly method: string
  readonly url: string
  readonly durationUs: number
  /** Undefined if there was no answer; `error` says why. */
  readonly status?: number
  readonly error?: string
  /** These are the headers of the answer. */
  readonly headers: Headers
  readonly sent: Headers
  readonly bodies?: Promise<Bodies>
}

/**
 * `bodyBytes`: how much of bodies may still be kept, if they are: the files of one job must not
 * fill the memory.
 */
export type Watch = { readonly calls: MadeCall[]; bodyBytes?: number; heldBytes?: number }

/** Of bodies that all watches of a node hold; what comes then is left out. */
const mostHeld = 4 * limits.cassetteBytes
const heldBytes = perHub(() => ({ all: 0 }))

function hold(hub: Hub, watch: Watch, bytes: number): void {
  watch.heldBytes = (watch.heldBytes ?? 0) + bytes
  heldBytes(hub).all += bytes
}

/** When the bodies of a watch are stored. */
export const releaseBodies = (hub: Hub, watch: Watch): void =>
  hold(hub, watch, -(watch.heldBytes ?? 0))

const watching = new AsyncLocalStorage<Watch>()

/** Runs it and adds its calls to those of the watch. */
export const watchCalls = <T>(watch: Watch, run: () => Promise<T>): Promise<T> =>
  watching.run(watch, run)

export function watchedFetch(hub: Hub, fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  return async (input, init) => {
    const watch = watching.getStore()
    if (!watch) return fetch(input, init)
    const [calledAt, begun] = [hub.clock.now(), performance.now()]
    const note = (
      more: Pick<MadeCall, 'status' | 'error' | 'bodies'> & { readonly headers?: Headers },
    ): void => {
      const durationUs = Math.round((performance.now() - begun) * 1_000)
      const made = { calledAt, method: init?.method ?? 'GET', url: String(input), durationUs }
      watch.calls.push({
        ...made,
        headers: new Headers(),
        sent: new Headers(init?.headers),
        ...more,
      })
    }
    try {
      const answer = await fetch(input, init)
      const { status, headers } = answer
      note({ status, headers, ...bodiesOf(hub, watch, init?.body, answer) })
      return answer
    } catch (error) {
      note({
        error: error instanceof Error ? error.message : String(error),
        ...bodiesOf(hub, watch, init?.body),
      })
      throw error
    }
  }
}

const leftOut: Bodies = { answered: { bytes: new Uint8Array(), isCut: true } }

function bodiesOf(
  hub: Hub,
  watch: Watch,
  given: RequestInit['body'],
  answer?: Response,
): Pick<MadeCall, 'bodies'> {
  if (watch.bodyBytes === undefined) return {}
  if (watch.bodyBytes <= 0 || heldBytes(hub).all >= mostHeld)
    return { bodies: Promise.resolve(leftOut) }
  // As much as it may have, until it is known.
  hold(hub, watch, most)
  const bodies = readBodies(watch, given, answer?.clone()).then((read) => {
    hold(hub, watch, sizeOf(read) - most)
    return read
  })
  return { bodies }
}

const sizeOf = ({ sent, answered }: Bodies): number =>
  (sent?.bytes.length ?? 0) + (answered?.bytes.length ?? 0)

async function readBodies(
  watch: Watch,
  given: RequestInit['body'],
  answer?: Response,
): Promise<Bodies> {
  const [sent, answered] = await Promise.all([sentBody(given), answer && answeredBody(answer)])
  const read = { ...(sent && { sent }), ...(answered && { answered }) }
  watch.bodyBytes = (watch.bodyBytes ?? 0) - sizeOf(read)
  return read
}

const most = limits.cassetteBodyBytes
/** A copy: a view would keep the whole piece of a file in memory. */
const keep = (bytes: Uint8Array): RecordedBody => ({
  bytes: bytes.slice(0, most),
  isCut: bytes.length > most,
})

/** Returns only the file of a form. */
async function sentBody(given: RequestInit['body']): Promise<RecordedBody | undefined> {
  if (typeof given === 'string') return keep(Buffer.from(given))
  if (given instanceof Uint8Array) return keep(given)
  if (!(given instanceof FormData)) return undefined
  const file = given.get('file')
  if (!(file instanceof Blob)) return undefined
  return keep(new Uint8Array(await file.slice(0, most + 1).arrayBuffer()))
}

/** A body that breaks off is kept up to there: whoever reads the answer learns of it. */
async function answeredBody({ body }: Response): Promise<RecordedBody | undefined> {
  if (!body) return undefined
  const pieces: Uint8Array[] = []
  let size = 0
  const reader = body.getReader()
  try {
    while (size <= most) {
      const { done, value } = await reader.read()
      if (done) break
      pieces.push(value)
      size += value.length
    }
    if (size > most) await reader.cancel()
  } catch {
    return { ...keep(Buffer.concat(pieces)), isCut: true }
  }
  return size === 0 ? undefined : keep(Buffer.concat(pieces))
}
