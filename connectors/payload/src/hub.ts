/** The hub of this installation: its address and credentials come from the environment alone. */
import { createHmac } from 'node:crypto'
import { connect, HubError, verifyDelivery } from '@dragoman/sdk'
import type { Hub, Records } from '@dragoman/walker/connector'
import { keptIn } from './records.ts'

export const version = '0.2.0'

export type Environment = Readonly<Record<string, string | undefined>>

export function openHub(env: Environment, records: Records): Hub | undefined {
  const { DRAGOMAN_URL: url, DRAGOMAN_CLIENT_ID: clientId, DRAGOMAN_CLIENT_SECRET: secret } = env
  if (!url || !clientId || !secret) return undefined
  const kept = keptIn(records)
  const connector = { name: 'dragoman-payload', version, installation: kept }
  return connect({ url, clientId, clientSecret: secret, connector, kept, retry: { firstTries: 2 } })
}

/** Made from the credentials: every process of this installation knows it, and none keeps it. */
export const listenerSecret = (env: Environment): string =>
  `whsec_${createHmac('sha256', env.DRAGOMAN_CLIENT_SECRET ?? '')
    .update('dragoman listener')
    .digest('base64')}`

export type Heard = { readonly jobId?: string; readonly requestIds?: readonly string[] }

/** The delivery of a signed call; undefined if the signature is not of our listener. */
export async function hear(
  env: Environment,
  headers: Headers,
  body: string,
): Promise<Heard | undefined> {
  if (!env.DRAGOMAN_CLIENT_SECRET) return undefined
  try {
    const { delivery } = await verifyDelivery(headers, body, { secret: listenerSecret(env) })
    return {
      ...(typeof delivery.jobId === 'string' && { jobId: delivery.jobId }),
      ...(Array.isArray(delivery.requestIds) && { requestIds: delivery.requestIds.map(String) }),
    }
  } catch (error) {
    if (error instanceof HubError) return undefined
    throw error
  }
}
