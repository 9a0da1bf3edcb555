/**
 * One call to a translation engine in its dialect, through the guarded outgoing call. Returns as
 * many texts as were sent, or throws an error that says whether a retry may help. No error contains
 * the key.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { Hub } from '../../../hub.ts'
import { type Post, type Posted, postGuarded } from '../../../outgoing/post.ts'
import { parseAnswer, plainText } from '../../../process/parse.ts'
import { pauseOf } from '../../listeners/schedule.ts'
import {
  type Answer,
  type Cause,
  type Dialect,
  type EngineAddress,
  type EngineCall,
  type EngineRequest,
  isText,
  sourceCharacters,
} from './dialects/dialect.ts'
import { CannotTranslate, TryLater } from './driver.ts'
import { holdForVendor, type Payer, reserve } from './engine-costs.ts'

/** The engine does not translate this call, and the same call would be refused again. */
export class Refused extends CannotTranslate {
  readonly why: Exclude<Cause, 'LATER' | 'QUOTA'>
  constructor(message: string, why: Refused['why'] = 'REFUSED') {
    super(message)
    this.why = why
  }
}

export { Held } from './driver.ts'

/** The vendor says that its quota is used up. */
class Quota extends CannotTranslate {}

/**
 * Pauses between tries of the same call, for short failures. Outages are left to the task's retry
 * schedule.
 */
const pausesMs = [100, 500]
/** A longer pause is left to the task's retry schedule. */
const maxPauseMs = 5_000
/** A response may have this many times the size of the request, plus a minimum. */
const maxGrowth = 16
const minAnswerBytes = 64 * 1024
const maxMessage = 200

/** The answer for each text in the order of the call; undefined where the engine gave none. */
export type Answered = readonly (Answer | undefined)[]

/** An engine at its address, and who pays. */
export type Asking = {
  readonly dialect: Dialect
  readonly at: EngineAddress
  readonly payer: Payer
}

export async function askEngine(
  hub: Hub,
  { dialect, at, payer }: Asking,
  call: EngineCall,
): Promise<Answered> {
  const request = dialect.translate.request(at, call)
  const maxBytes = minAnswerBytes + maxGrowth * Buffer.byteLength(request.body ?? '')
  const timeoutMs = at.timeoutSeconds * 1_000
  const { unit, estimate } = dialect.cost
  const price = { unit, cost: estimate(call), characters: sourceCharacters(call) }
  for (let tried = 0; ; tried += 1) {
    const post = await outgoing(at, request, dialect.sign, outsideTime(hub))
    // Each try may be billed.
    const reserved = await reserve(hub, payer, price)
    const begun = performance.now()
    const posted = await postGuarded(hub, { ...post, timeoutMs, maxBytes })
    const took = performance.now() - begun
    const read = readAnswer(posted, { maxBytes, dialect, at }, call)
    if ('texts' in read) {
      await reserved.settle(read.billed)
      return read.texts
    }
    const { trouble, isFree } = read
    if (isFree) await reserved.release(posted.answered)
    if (trouble instanceof Quota) throw await holdForVendor(hub, payer, unit, trouble.message)
    const pause = pausesMs[tried]
    const asked = posted.answered
      ? pauseOf(posted.headers.retryAfter, posted.headers.date, hub.clock.now())
      : 0
    if (
      !(trouble instanceof TryLater) ||
      pause === undefined ||
      asked > maxPauseMs ||
      took >= timeoutMs
    )
      throw trouble
    await delay(Math.max(pause, asked))
  }
}

/**
 * Vendors compare a signature with their own time, so it is never that of a sandbox that was moved
 * ahead.
 */
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
  return {
    method,
    url,
    headers,
    ...(body !== undefined && { body }),
    ...(contentType && { contentType }),
  }
}

/** An address may be given with the "/translate" that is added to it. */
export function addressOf(url: string, path: string): string {
  if (path === '/translate' && /\/translate\/?$/.test(url)) return url
  return `${url.replace(/\/translate\/?$/, '').replace(/(?<!\/)\/+$/, '')}${path}`
}

type Read =
  /** `billed`: what the vendor says that it costs. */
  | { readonly texts: Answered; readonly billed: number | undefined }
  /**
   * `isFree`: an error, or a call that never went out, is not billed. One that broke off may have
   * been.
   */
  | { readonly trouble: Error; readonly isFree: boolean }
type Reading = { readonly maxBytes: number; readonly dialect: Dialect; readonly at: EngineAddress }

function readAnswer(posted: Posted, { maxBytes, dialect, at }: Reading, call: EngineCall): Read {
  if (!posted.answered) {
    const trouble = new TryLater(`The translation engine could not be reached. ${posted.error}`)
    return { trouble, isFree: posted.sent !== true }
  }
  const { status, body, whole } = posted
  const answer = parseAnswer(body.toString('utf8'))
  if (status !== 200) return { trouble: errorIn(posted, answer, dialect, at), isFree: true }
  const troubled = (trouble: Error) => ({ trouble, isFree: false })
  if (!whole && body.length >= maxBytes)
    return troubled(
      new Refused('The response of the translation engine is far too large.', 'SMALLER'),
    )
  if (!whole) return troubled(new TryLater('The response of the translation engine was truncated.'))
  const texts = dialect.translate.read(answer, call)
  const count = call.texts.length
  // Some engines report an error with status 200.
  if (!texts && isText(dialect.errorOf(200, answer).sentence))
    return { trouble: errorIn(posted, answer, dialect, at), isFree: true }
  if (!texts)
    return troubled(
      new CannotTranslate('The translation engine returned an unknown response format.'),
    )
  if (texts.length === count) {
    const billed = dialect.cost.billed?.(answer, posted.headers)
    return isUsage(billed)
      ? { texts, billed }
      : troubled(
          new CannotTranslate(
            `The translation engine returned a usage that is no number of ${dialect.cost.unit.toLowerCase()}: ${plainText(JSON.stringify(billed) ?? '', 40)}.`,
          ),
        )
  }
  return troubled(
    new Refused(
      `The translation engine got ${count} texts and returned ${texts.length}.`,
      'SMALLER',
    ),
  )
}

function errorIn(
  { status, headers }: Extract<Posted, { answered: true }>,
  answer: unknown,
  dialect: Dialect,
  at: EngineAddress,
): Error {
  const { cause, sentence } = dialect.errorOf(status, answer, headers)
  const message = `The translation engine returned ${status}${messageIn(sentence, at.secrets)}.`
  if (cause === 'LATER') return new TryLater(message)
  return cause === 'QUOTA' ? new Quota(message) : new Refused(message, cause)
}

/** More than this no call can cost. */
const mostUsage = 1_000_000_000
const isUsage = (billed: unknown): billed is number | undefined =>
  billed === undefined ||
  (Number.isSafeInteger(billed) && Number(billed) >= 0 && Number(billed) <= mostUsage)

/** The engine's error message, shortened and without secrets. */
function messageIn(error: unknown, secrets: readonly string[] = []): string {
  if (typeof error !== 'string') return ''
  const said = secrets.reduce((text, secret) => text.replaceAll(secret, '…'), error)
  const text = plainText(said, maxMessage).replace(/(?<!\.)\.+$/, '')
  return text === '' ? '' : `: ${text}`
}
