/**
 * One call to a translation engine in its dialect, through the guarded outgoing call. Returns as many texts as were sent, or
 * throws an error that says whether a retry may help. No error contains the key.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { Hub } from '../../../hub.ts'
import { type Posted, postGuarded } from '../../../outgoing/post.ts'
import { pauseOf } from '../../listeners/schedule.ts'
import type { Dialect, EngineAddress, EngineCall } from './dialects/dialect.ts'
import { CannotTranslate, TryLater } from './driver.ts'

/** The engine refused the call; a smaller one may succeed. */
export class Refused extends CannotTranslate {}

/** Pauses between tries of the same call, for short failures. Outages are left to the task's retry schedule. */
const pausesMs = [100, 500]
/** A longer pause is left to the task's retry schedule. */
const maxPauseMs = 5_000
/** A response may have this many times the size of the request, plus a minimum. */
const maxGrowth = 16
const minAnswerBytes = 64 * 1024
const maxMessage = 200

export async function askEngine(hub: Hub, dialect: Dialect, at: EngineAddress, call: EngineCall): Promise<string[]> {
  const { path, contentType } = dialect.translate
  const body = dialect.translate.body(at, call)
  const maxBytes = minAnswerBytes + maxGrowth * Buffer.byteLength(body)
  const timeoutMs = at.timeoutSeconds * 1_000
  for (let tried = 0; ; tried += 1) {
    const begun = performance.now()
    const posted = await postGuarded(hub, { url: addressOf(at.url, path), body, contentType, timeoutMs, maxBytes })
    const took = performance.now() - begun
    const trouble = troubleOf(posted, maxBytes, dialect, at)
    if (!trouble && posted.answered) return readTexts(posted.body, dialect, call)
    const pause = pausesMs[tried]
    const asked = posted.answered ? pauseOf(posted.headers.retryAfter, posted.headers.date, hub.clock.now()) : 0
    if (!(trouble instanceof TryLater) || pause === undefined || asked > maxPauseMs || took >= timeoutMs) throw trouble
    await delay(Math.max(pause, asked))
  }
}

/** An address may be given with the "/translate" that is added to it. */
export function addressOf(url: string, path: string): string {
  if (path === '/translate' && /\/translate\/?$/.test(url)) return url
  return `${url.replace(/\/translate\/?$/, '').replace(/(?<!\/)\/+$/, '')}${path}`
}

function troubleOf(posted: Posted, maxBytes: number, dialect: Dialect, at: EngineAddress): Error | undefined {
  if (!posted.answered) return new TryLater(`The translation engine could not be reached. ${posted.error}`)
  const { status, body, whole } = posted
  const message = `The translation engine returned ${status}${messageIn(dialect.errorIn(parse(body.toString('utf8'))), at.apiKey)}.`
  if (status === 429 || status === 408 || status === 425 || status >= 500) return new TryLater(message)
  if (status === 400 || status === 413) return new Refused(message)
  if (status !== 200) return new CannotTranslate(message)
  if (whole) return undefined
  if (body.length >= maxBytes) return new Refused('The response of the translation engine is far too large.')
  return new TryLater('The response of the translation engine was truncated.')
}

/** The engine's error message, shortened and without the key. */
function messageIn(error: unknown, apiKey?: string): string {
  if (typeof error !== 'string') return ''
  const bare = apiKey ? error.replaceAll(apiKey, '…') : error
  const text = bare
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
    .replace(/(?<!\.)\.+$/, '')
  return text === '' ? '' : `: ${text.length > maxMessage ? `${text.slice(0, maxMessage)}…` : text}`
}

function readTexts(body: Buffer, dialect: Dialect, call: EngineCall): string[] {
  const texts = dialect.translate.read(parse(body.toString('utf8')), call)
  const count = call.texts.length
  if (!texts) throw new CannotTranslate('The translation engine returned an unknown response format.')
  if (texts.length !== count)
    throw new CannotTranslate(`The translation engine got ${count} texts and returned ${texts.length}.`)
  return [...texts]
}

export function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
