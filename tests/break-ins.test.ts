/**
 * Attacks of people on a hub in the profile production. The campaign runs the same cases: `npm run
 * faults -- --only attacks`.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { breakIns, openTarget } from './campaigns/break-ins.ts'
import { databases } from './hub.ts'

describe.each(databases)('an attacker is refused (%s)', (database) => {
  let target: Awaited<ReturnType<typeof openTarget>>
  beforeAll(async () => {
    target = await openTarget(database)
  })
  afterAll(() => target.close())

  it.each(breakIns.map(({ name, tries }) => [name, tries] as const))('%s', async (_, tries) => {
    expect(await tries(target)).toEqual([])
  })
})
