/**
 * Header names go out in their usual capitalisation (contract, section 3): deployed clients look
 * them up case-sensitively. Names that the specifications write in lower case stay in lower case.
 */
import {
  type IncomingMessage,
  type OutgoingHttpHeader,
  type OutgoingHttpHeaders,
  ServerResponse,
} from 'node:http'

const special: Readonly<Record<string, string>> = {
  etag: 'ETag',
  soapaction: 'SOAPAction',
  'www-authenticate': 'WWW-Authenticate',
  ratelimit: 'RateLimit',
  'ratelimit-policy': 'RateLimit-Policy',
  'x-request-id': 'x-request-id',
}

/**
 * The names come from our own code, so there are few. A name that already has a capital is left as
 * it is.
 */
const known = new Map<string, string>()

export function capitalised(name: string): string {
  let out = known.get(name)
  if (out === undefined) {
    out =
      special[name] ??
      (/[A-Z]/.test(name) ? name : name.replace(/(?:^|-)[a-z]/g, (start) => start.toUpperCase()))
    if (known.size < 500) known.set(name, out)
  }
  return out
}

type Head = OutgoingHttpHeaders | OutgoingHttpHeader[]

export class CapitalisedResponse<
  R extends IncomingMessage = IncomingMessage,
> extends ServerResponse<R> {
  override setHeader(name: string, value: number | string | readonly string[]): this {
    return super.setHeader(capitalised(name), value)
  }

  override writeHead(status: number, reason?: string | Head, headers?: Head): this {
    const [text, given] =
      typeof reason === 'string' ? [reason, headers] : [undefined, reason ?? headers]
    const head = given && renamed(given)
    return text === undefined ? super.writeHead(status, head) : super.writeHead(status, text, head)
  }
}

function renamed(headers: Head): Head {
  if (Array.isArray(headers))
    return headers.map((item, at) => (at % 2 === 0 ? capitalised(String(item)) : item))
  const out: OutgoingHttpHeaders = {}
  for (const name in headers) out[capitalised(name)] = headers[name]
  return out
}
