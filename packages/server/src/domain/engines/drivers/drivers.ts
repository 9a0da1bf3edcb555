/** All drivers. A new one is a file of its own and an entry here. */
import { api } from './api.ts'
import { chain } from './chain.ts'
import type { Driver } from './driver.ts'
import { machineTranslation } from './machine-translation.ts'
import { manual } from './manual.ts'
import { pseudo } from './pseudo.ts'
import { upstream } from './upstream.ts'

export const drivers: readonly Driver[] = [pseudo, machineTranslation, chain, manual, api, upstream]

export const driverOf = (typeId: string): Driver | undefined =>
  drivers.find((driver) => driver.typeId === typeId)
