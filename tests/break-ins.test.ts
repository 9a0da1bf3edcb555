/** Attacks of people on a hub in the profile production. The campaign runs the same cases: `npm run faults -- --only attacks`. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { breakInHub, breakIns } from './campaigns/break-ins.ts'
import { engines, startHub, type TestHub } from './hub.ts'

describe.each(engines)('an attacker is refused (%s)', (engine) => {
  let hub: TestHub
  beforeAll(async () => {
    hub = await startHub({ engine, ...breakInHub })
  })
  afterAll(() => hub.close())

  it.each(breakIns.map(({ name, tries }) => [name, tries] as const))('%s', async (_, tries) => {
    expect(await tries(hub)).toEqual([])
  })
})
