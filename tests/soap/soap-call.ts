/** Envelopes by hand: what is sent to the project settings service, and what comes back. */
import type { TestHub } from '../hub.ts'

export const namespace = 'urn:dragoman:project-settings'
export const path = '/ProjectSettingsService.svc'
const soap = 'http://schemas.xmlsoap.org/soap/envelope/'

export const envelope = (body: string, header = ''): string =>
  `<?xml version="1.0" encoding="utf-8"?><s:Envelope xmlns:s="${soap}">${header}<s:Body>${body}</s:Body></s:Envelope>`
export const element = (operation: string, inside = ''): string =>
  `<${operation} xmlns="${namespace}">${inside}</${operation}>`
export const action = (operation: string): string =>
  `"${namespace}/IProjectSettingsService/${operation}"`

export type SoapOptions = {
  readonly as?: string
  readonly headers?: Record<string, string>
  /** Instead of the envelope that is made of the operation. */
  readonly body?: string | Uint8Array
  readonly action?: string | null
}
export type SoapAnswer = {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** Basic by default, as most SOAP clients do it. */
export async function soapCall(
  hub: TestHub,
  operation: string,
  inside = '',
  { as = 'demo-settings', headers, body, action: sent = action(operation) }: SoapOptions = {},
): Promise<SoapAnswer> {
  const secret = hub.secrets.get(as) ?? `${as}-secret`
  const basic = Buffer.from(`${as}:${secret}`).toString('base64')
  const answer = await hub.call<string>('POST', path, {
    body: body ?? envelope(element(operation, inside)),
    headers: {
      'content-type': 'text/xml; charset=utf-8',
      ...(as !== '' && { authorization: `Basic ${basic}` }),
      ...(sent !== null && { soapaction: sent }),
      ...headers,
    },
  })
  return { status: answer.status, headers: answer.headers, text: answer.body }
}

/** The text of the first element of this name. */
export const inside = (text: string, name: string): string =>
  new RegExp(`<${name}(?: [^>]*)?>([^<]*)</${name}>`).exec(text)?.[1] ?? ''

/** One element a line, and ids by the order in which they appear: what a golden file holds. */
export function golden(text: string): string {
  const ids = new Map<string, string>()
  const named = text.replace(/(?<=[>(])[A-Za-z0-9_-]{22}(?=[<)])/g, (id) => {
    if (!ids.has(id)) ids.set(id, `id-${ids.size + 1}`)
    return ids.get(id) ?? ''
  })
  return `${named.replaceAll('><', '>\n<')}\n`
}
