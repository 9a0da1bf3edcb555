/**
 * A vendor of machine translation for tests: a real HTTP server that accepts only what the vendor's
 * published interface accepts, answers in its JSON, counts what the vendor would bill, and shows
 * any fault of the table on demand.
 */
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Ajv } from 'ajv'
import { translatePhrase } from './phrases.ts'

export type Received = {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingHttpHeaders
  readonly body: string
  /** Undefined if the body is not JSON. */
  readonly json: unknown
}

/** A string is sent as it is, anything else as JSON. */
export type Reply = {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

/** A call for translations that the vendor accepts. */
export type VendorCall = {
  readonly texts: readonly string[]
  readonly source: string
  readonly target: string
  /** What the vendor bills for it, in its own unit. */
  readonly billed: number
  /** The vendor's answer. A text may be null, and there may be too few or too many. */
  readonly reply: (translations: readonly (string | null)[]) => Reply
}

export type Vendor = {
  readonly name: string
  /** Where its JSON is published, and when it was read. */
  readonly published: string
  /**
   * The accepted call, or the vendor's answer to anything else: languages, glossaries, its own
   * errors.
   */
  readonly read: (call: Received) => VendorCall | Reply
  /** Its answers in these cases, as published. */
  readonly errors: { readonly [cause in 'rate' | 'quota' | 'server' | 'key']: Reply } & {
    readonly pair?: Reply
  }
  /** Some vendors escape these in HTML. */
  readonly escapes?: (text: string) => string
}

/** What a vendor does wrong with a call: with its texts, or with the whole answer. */
export type Wrong = {
  readonly texts?: (
    translations: readonly string[],
    asked: VendorCall,
  ) => readonly (string | null)[]
  readonly reply?: (vendor: Vendor, right: Reply) => Reply | 'breaks' | 'waits'
}

export type RunningVendor = {
  readonly vendor: Vendor
  readonly url: string
  /** Every accepted call for translations, and every call of any kind. */
  readonly asked: VendorCall[]
  readonly received: Received[]
  /** What the vendor would bill by now. */
  readonly meter: () => number
  /** Sets the fault, and forgets the calls and the meter. `calls` limits it to the first calls. */
  readonly be: (wrong?: Wrong, calls?: number) => void
  readonly close: () => Promise<void>
}

export const isReply = (answer: VendorCall | Reply): answer is Reply => !('reply' in answer)

export async function startVendor(vendor: Vendor): Promise<RunningVendor> {
  const asked: VendorCall[] = []
  const received: Received[] = []
  let fault: Wrong = {}
  let faulty = Number.POSITIVE_INFINITY
  let billed = 0
  const answer = (call: Received): Reply | 'breaks' | 'waits' => {
    const found = vendor.read(call)
    if (isReply(found)) return found
    asked.push(found)
    const { texts, reply } = asked.length <= faulty ? fault : {}
    const translations = found.texts.map((text) => translatePhrase(text, found.target))
    const given = texts?.(translations, found) ?? translations
    const right = found.reply(
      given.map((text) => (text === null ? null : (vendor.escapes?.(text) ?? text))),
    )
    const sent = reply?.(vendor, right) ?? right
    // A vendor bills what it translated, even if the answer gets lost on the way.
    if (typeof sent === 'string' || (sent.status ?? 200) === 200) billed += found.billed
    return sent
  }
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece)
    const body = Buffer.concat(pieces).toString('utf8')
    const url = new URL(request.url ?? '/', 'http://vendor')
    const call: Received = {
      method: request.method ?? '',
      path: url.pathname,
      query: url.searchParams,
      headers: request.headers,
      body,
      json: parse(body),
    }
    received.push(call)
    send(response, answer(call))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    vendor,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    received,
    meter: () => billed,
    be: (wrong = {}, calls = Number.POSITIVE_INFINITY) => {
      fault = wrong
      faulty = calls
      billed = 0
      asked.length = 0
      received.length = 0
    },
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function send(response: ServerResponse, reply: Reply | 'breaks' | 'waits'): void {
  if (reply === 'waits') return
  if (reply === 'breaks') {
    response.destroy()
    return
  }
  const { status = 200, headers, body } = reply
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body))
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const ajv = new Ajv({ strict: false })

/**
 * Says what is wrong with a body by the vendor's schema; undefined if nothing is. Members that it
 * does not list are wrong.
 */
export function checkBody(
  properties: Readonly<Record<string, unknown>>,
  required: readonly string[],
) {
  const check = ajv.compile({ type: 'object', properties, required, additionalProperties: false })
  return (body: unknown): string | undefined => {
    if (check(body)) return undefined
    const { instancePath, message, params } = check.errors?.[0] ?? {}
    return `${instancePath || 'body'} ${message} ${JSON.stringify(params ?? {})}`
  }
}

export const codePoints = (texts: readonly string[]): number =>
  texts.reduce((sum, text) => sum + [...text].length, 0)
export const bytes = (texts: readonly string[]): number =>
  texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0)
