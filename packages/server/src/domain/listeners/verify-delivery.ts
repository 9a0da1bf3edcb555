/**
 * Explains the signature of an attempt step by step, and why a value that the receiver computed
 * differs. The secrets stay here: the answer has neither one of them nor a valid signature.
 */
import { formatTime, HubError, type SignatureCheck } from '@dragoman/contract'
import type { Hub } from '../../hub.ts'
import type { AttemptRow } from '../../store/tables.ts'
import { type Call, sightOf } from '../access/caller.ts'
import { openNote } from '../files/seals/notes.ts'
import { openSecrets } from './sign.ts'
import { judgeSignature } from './signature-mistakes.ts'
import { selectDelivery, selectLastAttempts } from './site-delivery-rows.ts'
import { selectSomeOfSite } from './statistics-rows.ts'

type Question = { readonly attempt?: number; readonly signature?: string }

export async function verifyDelivery(
  hub: Hub,
  call: Call,
  deliveryId: string,
  { attempt: number, signature }: Question,
): Promise<SignatureCheck> {
  const db = hub.db.read
  const row = await selectDelivery(db, sightOf(call), deliveryId)
  const [listener] = row ? await selectSomeOfSite(db, row.site_id, [row.listener_id]) : []
  if (!row || !listener) throw new HubError('DELIVERY_NOT_FOUND', { deliveryId })
  const attempts = await selectLastAttempts(db, row.position)
  const attempt = number === undefined ? attempts[0] : attempts.find((one) => one.number === number)
  const body = openNote(hub, row.body)
  const timestamp = attempt && timestampOf(attempt)
  const now = hub.clock.now()
  const secrets = openSecrets(hub.vault, listener)
  const live = secrets.filter(({ until }) => until === undefined || until > now)
  const about = {
    attempt: attempt?.number ?? 0,
    signed: listener.auth_type === 'SIGNATURE',
    id: row.delivery_id,
    ...(timestamp !== undefined && { timestamp }),
    ...(timestamp !== undefined &&
      body !== null && { bytes: Buffer.byteLength(`${row.delivery_id}.${timestamp}.${body}`) }),
    secrets: live.map(({ until }) => (until === undefined ? {} : { until: formatTime(until) })),
  }
  if (signature === undefined || timestamp === undefined || body === null)
    return {
      ...about,
      verdict: signature === undefined ? 'NOTHING_PASTED' : 'UNKNOWN',
      mistakes: [],
    }
  const judged = judgeSignature(signature, {
    id: row.delivery_id,
    timestamp,
    body,
    otherTimestamps: attempts.map(timestampOf).filter((other) => other !== undefined),
    // Live ones first, so that the number of the answer counts those that are shown.
    secrets: [...live, ...secrets.filter((one) => !live.includes(one))].map((one) => ({
      secret: one.secret,
      hasEnded: !live.includes(one),
    })),
  })
  if (judged === undefined) return { ...about, verdict: 'UNKNOWN', mistakes: [] }
  if (judged === 'unreadable') return { ...about, verdict: 'NOT_A_SIGNATURE', mistakes: [] }
  const mistakes = [...judged.mistakes]
  const secret = judged.secret <= live.length ? { secret: judged.secret } : {}
  return { ...about, ...secret, verdict: mistakes.length === 0 ? 'VALID' : 'MISTAKE', mistakes }
}

/** Headers are stored for 30 days. */
function timestampOf({ call_headers }: AttemptRow): string | undefined {
  if (call_headers === null) return undefined
  return (JSON.parse(call_headers) as Readonly<Record<string, string>>)['webhook-timestamp']
}
