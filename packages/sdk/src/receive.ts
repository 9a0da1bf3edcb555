/**
 * The core of every delivery handler: verify, handle once, answer. A delivery that is repeated
 * during or after handling is answered without being handled again; if its handler fails, a 500
 * asks for it again.
 */
import { HubError } from '@dragoman/contract/wire'
import {
  type Delivery,
  type DeliveryHeaders,
  type VerifyOptions,
  verifyDelivery,
} from './verify-delivery.ts'

export type ReceiverOptions = VerifyOptions & {
  readonly onDelivery: (delivery: Delivery, id: string) => Promise<void> | void
  /** Called with errors of the handler, and with refused calls. */
  readonly onError?: (error: unknown) => void
}

export type Receipt = {
  readonly status: number
  readonly body?: { readonly code: string; readonly message: string }
}
export type Receive = (headers: DeliveryHeaders, body: string | Uint8Array) => Promise<Receipt>

/** How many ids of handled deliveries are remembered. */
const maxRemembered = 10_000

export function openReceiver({ onDelivery, onError, ...verify }: ReceiverOptions): Receive {
  const handled = new Map<string, Promise<void>>()
  const handleOnce = (id: string, delivery: Delivery): Promise<void> => {
    const known = handled.get(id)
    if (known) return known
    const handling = Promise.resolve().then(() => onDelivery(delivery, id))
    handled.set(id, handling)
    handling.catch(() => handled.delete(id))
    const [oldest] = handled.keys()
    if (handled.size > maxRemembered && oldest !== undefined) handled.delete(oldest)
    return handling
  }
  return async (headers, body) => {
    try {
      const { id, delivery } = await verifyDelivery(headers, body, verify)
      await handleOnce(id, delivery)
      return { status: 204 }
    } catch (error) {
      onError?.(error)
      if (error instanceof HubError && error.status < 500)
        return { status: error.status, body: { code: error.code, message: error.message } }
      return {
        status: 500,
        body: { code: 'INTERNAL', message: 'The delivery was not handled; send it again.' },
      }
    }
  }
}
