/**
 * The result of a delivery in words: why an attempt failed, and what to do about it. Pages that use
 * it load `delivery`.
 */
import type en from '../../words/en/delivery.json'
import { useWords, type Words } from '../../words/words.ts'

export type DeliveryKey = keyof typeof en
export const useDeliveryWords = (): Words<DeliveryKey> => useWords<DeliveryKey>('delivery')

export type Failure = { readonly responseCode?: number; readonly error?: string }
type Kind =
  | 'unauthorized'
  | 'forbidden'
  | 'notFound'
  | 'gone'
  | 'throttled'
  | 'refusedBody'
  | 'server'
  | 'redirect'
  | 'tls'
  | 'dns'
  | 'refused'
  | 'closed'
  | 'timeout'
  | 'unreachable'
  | 'notHttp'
  | 'blocked'
  | 'none'
  | 'other'

const byCode: Readonly<Record<number, Kind>> = {
  401: 'unauthorized',
  403: 'forbidden',
  404: 'notFound',
  410: 'gone',
  429: 'throttled',
}
/** The hub writes these sentences (outgoing calls), so a part of each is enough to recognise it. */
const byError: readonly (readonly [part: string, kind: Kind])[] = [
  ['TLS failed', 'tls'],
  ['could not be resolved', 'dns'],
  ['was refused', 'refused'],
  ['was closed', 'closed'],
  ['No response within', 'timeout'],
  ['No connection within', 'timeout'],
  ['cannot be reached', 'unreachable'],
  ['is not HTTP', 'notHttp'],
  ['headers of the response', 'notHttp'],
  ['was not made', 'blocked'],
]

function kindOf({ responseCode, error }: Failure): Kind {
  if (responseCode !== undefined) {
    const known = byCode[responseCode]
    if (known) return known
    if (responseCode >= 500) return 'server'
    return responseCode >= 400 ? 'refusedBody' : 'redirect'
  }
  if (error === undefined) return 'none'
  return byError.find(([part]) => error.includes(part))?.[1] ?? 'other'
}

/** "503 from cms.example", "No answer in time from cms.example". */
export function causeIn(t: Words<DeliveryKey>, failure: Failure, host: string): string {
  const { responseCode } = failure
  if (responseCode !== undefined) return t('cause.code', { code: String(responseCode), host })
  const kind = kindOf(failure)
  return t(isSaid(kind) ? `cause.${kind}` : 'cause.other', { host })
}

const said = [
  'tls',
  'dns',
  'refused',
  'closed',
  'timeout',
  'unreachable',
  'notHttp',
  'blocked',
  'none',
] as const
const isSaid = (kind: Kind): kind is (typeof said)[number] =>
  (said as readonly Kind[]).includes(kind)

/** What a person can do about it. */
export const adviceIn = (t: Words<DeliveryKey>, failure: Failure): string =>
  t(`do.${kindOf(failure)}`)

export const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : url)
