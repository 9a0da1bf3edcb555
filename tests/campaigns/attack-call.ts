/** An attacker's call, and how a finding prints it. */
import { type RawAnswer, type RawCall, rawCall } from '../raw-call.ts'

export type AttackCall = RawCall & Required<Pick<RawCall, 'headers'>> & { readonly body?: Buffer }
export type AttackAnswer = RawAnswer
export const sendCall: (url: string, call: AttackCall) => Promise<AttackAnswer | undefined> =
  rawCall

/** Prints the call so that a person can send it again. */
export function shownCall({ method, path, headers, body }: AttackCall): string {
  const sent = headers
    .filter(([name]) => name !== 'authorization')
    .map(([name, value]) => `${name}: ${value}`)
  const bytes =
    body &&
    (body.length > 600
      ? `${body.toString('latin1', 0, 600)}… (${body.length} bytes)`
      : body.toString('latin1'))
  return JSON.stringify([
    `${method} ${path.slice(0, 400)}`,
    ...sent.map((line) => line.slice(0, 200)),
    bytes ?? '',
  ])
}
