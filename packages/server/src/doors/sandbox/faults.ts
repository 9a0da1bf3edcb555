/**
 * The sandbox's side of the fault port: what acts on the work of the hub and on deliveries. What acts on calls is hung into
 * the REST door (call-faults.ts); all of them draw from one box. Outside the sandbox profile none of this is opened.
 */
import type { Faults } from '../../fault-port.ts'
import type { Hub } from '../../hub.ts'
import { deliveryFaults } from './delivery-faults.ts'
import { type FaultBox, openBox } from './fault-box.ts'
import { workFaults } from './work-faults.ts'

const boxes = new WeakMap<Faults, FaultBox>()

/** The box of a hub that has one. */
export const boxOf = (hub: Hub): FaultBox | undefined => hub.faults && boxes.get(hub.faults)

export function withFaults(opened: Hub): Hub {
  const box = openBox(opened)
  const faults: Faults = { ...workFaults(opened, box), ...deliveryFaults(opened, box), clear: () => box.clear() }
  boxes.set(faults, box)
  return { ...opened, faults }
}
