/**
 * Faults on the way to a listener: deliveries that arrive twice, late, out of order, forged, or not
 * at all.
 */
import { createHash } from 'node:crypto'
import type { Hub } from '../../hub.ts'
import type { DeliveryCall, Faults } from '../../store/tasks/fault-port.ts'
import { acts, type Fault } from './fault.ts'
import { type FaultBox, secondsOf } from './fault-box.ts'

/**
 * A delivery that waits until the next one of its job overtakes it; without one it is sent after
 * some seconds.
 */
type Held = { send(): Promise<void>; readonly timer: NodeJS.Timeout }

export function deliveryFaults(hub: Hub, box: FaultBox): Pick<Faults, 'delivery'> {
  const held = new Map<string, Held>()

  /** The result is unknown: the hub treats it as delivered. */
  const hold = (line: string, fault: Fault, send: () => Promise<unknown>): void => {
    const sendOnce = async () => {
      held.delete(line)
      await send().catch((error: unknown) =>
        hub.log.warn({ err: error }, 'a delivery that was held back failed'),
      )
    }
    held.set(line, {
      send: sendOnce,
      timer: setTimeout(sendOnce, secondsOf(fault) * 1_000).unref(),
    })
  }

  return {
    delivery: async (of, call) => {
      const line = `${of.listenerId} ${of.jobId}`
      const job = await box.about(of.siteId, of.jobId)
      const [found] = box.find('delivery', job, undefined)
      const fault = found && acts(found) ? found : undefined
      const waiting = held.get(line)
      const note = (made: boolean) => box.record.delivery(of, call.headers, fault, made)
      if (fault?.scenario === 'reordered-deliveries' && !waiting) {
        hold(line, fault, () => {
          note(true)
          return call.post(call.headers)
        })
        return call.instead({ status: 202 })
      }
      const posted = await send(call, fault, note)
      if (waiting) {
        clearTimeout(waiting.timer)
        await waiting.send()
      }
      return posted
    },
  }
}

async function send<P>(
  { headers, post, instead }: DeliveryCall<P>,
  fault: Fault | undefined,
  note: (made: boolean) => void,
): Promise<P> {
  switch (fault?.scenario) {
    case 'late-deliveries':
      note(false)
      return instead({ error: 'Held back by the fault late-deliveries.' })
    case 'never-called':
      note(false)
      return instead({ status: 204 })
    case 'bad-signature':
      note(true)
      return post({ ...headers, 'webhook-signature': forged(headers['webhook-id'] ?? '') })
    case 'duplicate-deliveries':
      note(true)
      await post(headers)
      note(true)
      return post(headers)
    default:
      note(true)
      return post(headers)
  }
}

/** The text is as long as a genuine signature. */
const forged = (id: string): string =>
  `v1,${createHash('sha256').update(`forged ${id}`).digest('base64')}`
