/**
 * The sandbox's side of the fault port: faults in the hub's work and in deliveries. call-faults.ts
 * hooks faults on calls into the REST door; all of them use one fault box. Outside the sandbox
 * profile none of this is loaded.
 */

import type { Hub } from '../../hub.ts'
import type { Faults } from '../../store/tasks/fault-port.ts'
import { deliveryFaults } from './delivery-faults.ts'
import { type FaultBox, openBox } from './fault-box.ts'
import { workFaults } from './work-faults.ts'

const boxes = new WeakMap<Faults, FaultBox>()

/** The fault box of a hub, if it has one. */
export const boxOf = (hub: Hub): FaultBox | undefined => hub.faults && boxes.get(hub.faults)

export function withFaults(opened: Hub): Hub {
  const box = openBox(opened)
  const faults: Faults = {
    ...workFaults(opened, box),
    ...deliveryFaults(opened, box),
    clear: () => box.clear(),
  }
  boxes.set(faults, box)
  return { ...opened, faults }
}
