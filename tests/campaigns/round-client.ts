/**
 * A careful connector: it repeats every call until it is answered, a POST under its own
 * Idempotency-Key, an upload from the offset that the hub reports. It trusts only responses that it
 * really got.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { Transfer } from './connector.ts'

/** What the client can do if a hub does not answer. */
export type Reach = {
  url(): string
  /** Called after a call without a response. */
  recover(): Promise<void>
  /** Whether a node has died: then the wait for its leases may be cut short. */
  hasDied(): boolean
  /** Of a call that gets 503: more than usual for a database that is away for a while. */
  readonly tries?: number
}

export type Got = {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly bytes: Uint8Array
}
type Sent = {
  readonly body?: object | Uint8Array | FormData
  readonly headers?: Record<string, string>
  /** Without a token. */
  readonly open?: boolean
}
/** The accepted statuses; any other is an error. */
type ExpectedCall = Sent & { readonly want: readonly number[] }

export type RoundClient = ReturnType<typeof openRoundClient>

/** Longer than any lease, and than a dead call holds its idempotency key. */
const longestHold = '61s'
const taskLease = '21s'
const tries = 40
const patienceMs = 60_000

export function openRoundClient(reach: Reach, clientId = 'demo-connector') {
  let token: string | undefined
  let unanswered = 0

  /** A token, or the response that there was instead. */
  const tokenNow = async (): Promise<string | Got> => {
    if (token !== undefined) return token
    const form = new URLSearchParams({ grant_type: 'client_credentials', client_id: clientId })
    form.set('client_secret', `${clientId}-secret`)
    const answer = await fetch(`${reach.url()}/connect/token`, { method: 'POST', body: form })
    const got = await gotFrom(answer)
    if (got.status !== 200) return got
    token = String((JSON.parse(got.text) as { access_token?: string }).access_token)
    return token
  }

  const send = async (
    method: string,
    path: string,
    { body, headers, open }: Sent,
  ): Promise<Got> => {
    const isJson = body !== undefined && !(body instanceof FormData) && !ArrayBuffer.isView(body)
    const bearer = open ? undefined : await tokenNow()
    if (typeof bearer === 'object') return bearer
    const answer = await fetch(new URL(path, reach.url()), {
      method,
      redirect: 'manual',
      headers: {
        ...(isJson && { 'content-type': 'application/json' }),
        ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
        ...headers,
      },
      ...(body !== undefined && {
        body: (isJson ? JSON.stringify(body) : body) as NonNullable<RequestInit['body']>,
      }),
    })
    return gotFrom(answer)
  }

  /** One try; undefined if there was no response, and a hub can be asked again. */
  const tryOnce = async (method: string, path: string, sent: Sent): Promise<Got | undefined> => {
    try {
      return await send(method, path, sent)
    } catch (error) {
      // What fetch throws without a response.
      if (!(error instanceof TypeError)) throw error
      unanswered += 1
      token = undefined
      await reach.recover()
      return undefined
    }
  }

  const advance = async (by: string): Promise<void> => {
    const got = await tryOnce('POST', '/sandbox/clock/advance', { body: { by }, open: true })
    if (got && got.status !== 200)
      throw new Error(`The clock did not move: ${got.status} ${got.text}`)
    token = undefined
  }

  const ask = async (method: string, path: string, asked: ExpectedCall): Promise<Got> => {
    let last: Got | undefined
    for (let tried = 0; tried < (reach.tries ?? tries); tried += 1) {
      const got = await tryOnce(method, path, asked)
      if (!got) continue
      if (asked.want.includes(got.status)) return got
      last = got
      // It may have taken effect all the same.
      if (got.status === 503) unanswered += 1
      if (got.status === 401) token = undefined
      // What a dead node held is free once its lease ends.
      else if (got.status === 503 && reach.hasDied())
        await advance(`${got.headers.get('retry-after') ?? 1}s`)
      else if (got.status === 503 || got.status === 429 || got.status === 423) await delay(50)
      else if (reach.hasDied() && got.text.includes('IDEMPOTENCY_IN_PROGRESS'))
        await advance(longestHold)
      else if (reach.tries && got.text.includes('IDEMPOTENCY_IN_PROGRESS')) await delay(50)
      else break
    }
    throw new Error(`${method} ${path}: ${last?.status} ${last?.text}`)
  }

  const json = async <T>(
    method: string,
    path: string,
    want: readonly number[],
    body?: object,
    key?: string,
  ) => {
    const headers = key === undefined ? {} : { headers: { 'idempotency-key': key } }
    const got = await ask(method, `/v2${path}`, { want, ...(body && { body }), ...headers })
    return JSON.parse(got.text) as T
  }

  return {
    advance,
    token: async (): Promise<string> => {
      const bearer = await tokenNow()
      if (typeof bearer === 'string') return bearer
      throw new Error(`No token: ${bearer.status} ${bearer.text}`)
    },
    get: <T>(path: string) => json<T>('GET', path, [200]),
    put: <T>(path: string, body?: object) => json<T>('PUT', path, [200], body),
    post: <T>(path: string, key?: string, body?: object) =>
      json<T>('POST', path, [200, 201, 202], body, key),
    /** A file that the hub makes, and one that it takes. */
    getFile: async (path: string): Promise<Uint8Array> =>
      (await ask('GET', `/v2${path}`, { want: [200] })).bytes,
    postFile: async <T>(
      path: string,
      key: string | undefined,
      body: Uint8Array,
      type: string,
    ): Promise<T> => {
      const headers = { 'content-type': type, ...(key !== undefined && { 'idempotency-key': key }) }
      return JSON.parse((await ask('POST', `/v2${path}`, { want: [200], body, headers })).text) as T
    },
    /**
     * Until it is answered. Of a repeated call also 409 is an answer: the first one may have taken
     * effect.
     */
    write: async (path: string, body: object): Promise<Got> => {
      const before = unanswered
      const got = await ask('PUT', `/v2${path}`, { want: [200, 409], body })
      if (got.status === 409 && unanswered === before)
        throw new Error(`PUT ${path} was refused: ${got.text}`)
      return got
    },
    /** Until it is gone, possibly by a try whose response was lost. */
    remove: (path: string) => ask('DELETE', `/v2${path}`, { want: [200, 404] }),

    /**
     * Direct upload; a transfer that already has its bytes got them by a try whose response was
     * lost.
     */
    upload: async (transfer: Transfer, bytes: Uint8Array): Promise<void> => {
      const { pathname, search } = new URL(transfer.fmsPostMultipartUrl)
      const form = new FormData()
      form.append('file', new Blob([bytes as Uint8Array<ArrayBuffer>]), 'file')
      const before = unanswered
      const { status } = await ask('POST', pathname + search, {
        body: form,
        want: [201, 409],
        open: true,
      })
      if (status === 409 && unanswered === before)
        throw new Error('A transfer that nobody used was full.')
    },

    /** TUS in two pieces, each from the offset that the hub reports. */
    uploadResumably: async (transfer: Transfer, bytes: Uint8Array): Promise<void> => {
      const tus = { sastoken: transfer.fmsSASToken, 'tus-resumable': '1.0.0' }
      const created = await ask('POST', new URL(transfer.fmsUploadUrl).pathname, {
        headers: { ...tus, 'upload-length': String(bytes.length) },
        want: [201],
        open: true,
      })
      const path = String(created.headers.get('location'))
      const half = Math.floor(bytes.length / 2)
      for (let offset = 0; offset < bytes.length; ) {
        const headers = {
          ...tus,
          'content-type': 'application/offset+octet-stream',
          'upload-offset': String(offset),
        }
        const piece = bytes.subarray(offset, offset < half ? half : bytes.length)
        const got = await tryOnce('PATCH', path, { headers, body: piece, open: true })
        if (got?.status === 204) offset = Number(got.headers.get('upload-offset'))
        else {
          if (got && got.status < 500 && got.status !== 423 && got.status !== 409)
            throw new Error(`PATCH of an upload: ${got.status} ${got.text}`)
          const head = await ask('HEAD', path, { headers: tus, want: [200], open: true })
          offset = Number(head.headers.get('upload-offset'))
        }
      }
    },

    /** The bytes behind the redirect. */
    download: async (path: string): Promise<string> => {
      for (;;) {
        const link = await ask('GET', `/v2${path}`, { want: [307] })
        const { pathname, search } = new URL(String(link.headers.get('location')))
        const got = await tryOnce('GET', pathname + search, { open: true })
        if (got?.status === 200) return got.text
        if (got && got.status !== 503) throw new Error(`GET ${pathname}: ${got.status} ${got.text}`)
      }
    },

    /**
     * Waits for a condition. After a death the clock may be advanced past the dead node's leases.
     */
    until: async <T>(what: string, look: () => Promise<T | undefined | false>): Promise<T> => {
      const end = performance.now() + patienceMs
      for (let looked = 1; performance.now() < end; looked += 1) {
        const found = await look()
        if (found) return found
        if (reach.hasDied() && looked % 10 === 0) await advance(taskLease)
        else await delay(20)
      }
      throw new Error(`It never came: ${what}`)
    },
  }
}

async function gotFrom(answer: Response): Promise<Got> {
  const bytes = new Uint8Array(await answer.arrayBuffer())
  return {
    status: answer.status,
    headers: answer.headers,
    text: new TextDecoder().decode(bytes),
    bytes,
  }
}
