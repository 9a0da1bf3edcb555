/**
 * One call to a translation engine in its dialect, through the guarded outgoing call. Returns as many texts as were sent, or
 * throws an error that says whether a retry may help. No error contains the key.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { Hub } from '../../../hub.ts'
import { type Post, type Posted, postGuarded } from '../../../outgoing/post.ts'
import { pauseOf } from '../../listeners/schedule.ts'
import {
  type Answer,
  type Cause,
  type Dialect,
  type EngineAddress,
  type EngineCall,
  type EngineRequest,
  isText,
} from './dialects/dialect.ts'
import { CannotTranslate, TryLater } from './driver.ts'

/** The engine does not translate this call, and the same call would be refused again. */
export class Refused extends CannotTranslate {
  readonly why: Exclude<Cause, 'LATER' | 'QUOTA'>
  constructor(message: string, why: Refused['why'] = 'REFUSED') {
    super(message)
    this.why = why
  }
}

/** A quota is used up, the vendor's or ours: the work waits until there is one again. */
export class Held extends TryLater {}

/** Pauses between tries of the same call, for short failures. Outages are left to the task's retry schedule. */
const pausesMs = [100, 500]
/** A longer pause is left to the task's retry schedule. */
const maxPauseMs = 5_000
/** A response may have this many times the size of the request, plus a minimum. */
const maxGrowth = 16
const minAnswerBytes = 64 * 1024
const maxMessage = 200

/** The answer for each text in the order of the call; undefined where the engine gave none. */
export type Answered = readonly (Answer | undefined)[]

export async function askEngine(hub: Hub, dialect: Dialect, at: EngineAddress, call: EngineCall): Promise<Answered> {
  const request = dialect.translate.request(at, call)
  const maxBytes = minAnswerBytes + maxGrowth * Buffer.byteLength(request.body ?? '')
  const timeoutMs = at.timeoutSeconds * 1_000
  for (let tried = 0; ; tried += 1) {
    const begun = performance.now()
    const post = await outgoing(at, request, dialect.sign, outsideTime(hub))
    const posted = await postGuarded(hub, { ...post, timeoutMs, maxBytes })
    const took = performance.now() - begun
    const trouble = troubleOf(posted, maxBytes, dialect, at)
    if (!trouble && posted.answered) return readTexts(posted.body, dialect, call, at)
    const pause = pausesMs[tried]
    const asked = posted.answered ? pauseOf(posted.headers.retryAfter, posted.headers.date, hub.clock.now()) : 0
    const isShort = trouble instanceof TryLater && !(trouble instanceof Held)
    if (!isShort || pause === undefined || asked > maxPauseMs || took >= timeoutMs) throw trouble
    await delay(Math.max(pause, asked))
  }
}

/** Vendors compare a signature with their own time, so it is never that of a sandbox that was moved ahead. */
export const outsideTime = ({ clock }: Hub): number => clock.now() - clock.offset()

/** The request as it goes out to this address, signed if the dialect signs. */
export async function outgoing(
  at: EngineAddress,
  request: EngineRequest,
  sign: Dialect['sign'],
  now: number,
): Promise<Post> {
  const { method = 'POST', path, query, body, contentType } = request
  const url = `${addressOf(at.url, path)}${query ? `?${new URLSearchParams(query)}` : ''}`
  const headers = { ...request.headers, ...(await sign?.(at, { ...request, url }, now)) }
  return { method, url, headers, ...(body !== undefined && { body }), ...(contentType && { contentType }) }
}

/** An address may be given with the "/translate" that is added to it. */
export function addressOf(url: string, path: string): string {
  if (path === '/translate' && /\/translate\/?$/.test(url)) return url
  return `${url.replace(/\/translate\/?$/, '').replace(/(?<!\/)\/+$/, '')}${path}`
}

function troubleOf(posted: Posted, maxBytes: number, dialect: Dialect, at: EngineAddress): Error | undefined {
  if (!posted.answered) return new TryLater(`The translation engine could not be reached. ${posted.error}`)
  const { status, body, whole } = posted
  if (status !== 200) return errorIn(status, parse(body.toString('utf8')), dialect, at)
  if (whole) return undefined
  if (body.length >= maxBytes) return new Refused('The response of the translation engine is far too large.', 'SMALLER')
  return new TryLater('The response of the translation engine was truncated.')
}

function errorIn(status: number, answer: unknown, dialect: Dialect, at: EngineAddress): Error {
  const { cause, sentence } = dialect.errorOf(status, answer)
  const message = `The translation engine returned ${status}${messageIn(sentence, at.secrets)}.`
  if (cause === 'LATER') return new TryLater(message)
  return cause === 'QUOTA' ? new Held(message) : new Refused(message, cause)
}

/** The engine's error message, shortened and without secrets. */
function messageIn(error: unknown, secrets: readonly string[] = []): string {
  if (typeof error !== 'string') return ''
  const text = secrets
    .reduce((said, secret) => said.replaceAll(secret, '…'), error)
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
    .replace(/(?<!\.)\.+$/, '')
  return text === '' ? '' : `: ${text.length > maxMessage ? `${text.slice(0, maxMessage)}…` : text}`
}

function readTexts(body: Buffer, dialect: Dialect, call: EngineCall, at: EngineAddress): Answered {
  const answer = parse(body.toString('utf8'))
  const texts = dialect.translate.read(answer, call)
  const count = call.texts.length
  // Some engines report an error with status 200.
  if (!texts && isText(dialect.errorOf(200, answer).sentence)) throw errorIn(200, answer, dialect, at)
  if (!texts) throw new CannotTranslate('The translation engine returned an unknown response format.')
  if (texts.length !== count)
    throw new Refused(`The translation engine got ${count} texts and returned ${texts.length}.`, 'SMALLER')
  return texts
}

export function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
