/**
 * Two sites never see each other (contract, section 2), however much the stranger is like the
 * owner. The matrix comes from the endpoint table, so that a new route is in it by itself;
 * tests/campaigns/isolation.ts says what is looked at.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  axes,
  laws,
  openStage,
  type Stage,
  served,
  stageEnv,
  tryEndpoint,
} from '../campaigns/isolation.ts'
import { databases, startHub, type TestHub } from '../hub.ts'
import { type OutsideIssuer, startIssuer } from '../outside-issuer.ts'

describe.each(databases)('two sites on %s', (database) => {
  let hub: TestHub
  let issuer: OutsideIssuer
  beforeAll(async () => {
    issuer = await startIssuer()
    hub = await startHub({ database, profile: 'production', env: stageEnv(issuer) })
  })
  afterAll(async () => {
    await hub.close()
    await issuer.close()
  })

  describe.each(axes)('and a stranger with %s', (axis) => {
    let stage: Stage
    beforeAll(async () => {
      stage = await openStage(hub, issuer, axis)
    })
    afterAll(() => stage.close())

    it.each(served)(
      '%s tells another site what it tells of an id that does not exist',
      async (name) => {
        expect(await tryEndpoint(stage, name)).toEqual([])
      },
    )

    it.each(laws)('$name', async ({ holds }) => {
      expect(await holds(stage)).toEqual([])
    })
  })
})
