/** A job that is sent on, followed by another node than the one that sent it. */
import { type Server, startServer } from '@dragoman/server'
import { describe, expect, it } from 'vitest'
import { openLog } from '../../packages/server/src/process/log.ts'
import type { Faults } from '../../packages/server/src/store/tasks/fault-port.ts'
import { databases } from '../hub.ts'
import { until } from '../hub-place.ts'
import { startBetween } from './between.ts'
import { admin, connector, startPair } from './pair.ts'

describe.each(databases)('two nodes at the front, on %s', (database) => {
  it('acknowledge the updates of an upstream that calls neither of them', async () => {
    const pair = await startPair(database)
    const between = await startBetween(pair.beyond.hub.url)
    const { front, beyond } = pair
    let second: Server | undefined
    try {
      between.answer = ({ path }) =>
        path.startsWith('/v2/statusupdates/listeners') ? { status: 404 } : undefined
      const leads = await pair.lead('Manual', { url: between.url })
      const made = await front.call(connector, 'POST', '/jobs', { jobName: 'Across' })
      const jobId = String(made.body.jobId)
      await front.call(connector, 'POST', `/jobs/${jobId}/requests/add`, {
        ...{ requestName: 'r', sourceNativeId: '1', sourceNativeLanguageCode: 'en-us' },
        ...{ targetNativeLanguageCodes: ['de-de'], fields: [{ key: 'a', value: 'The dog' }] },
      })
      await front.call(connector, 'PUT', `/jobs/${jobId}/submit`, { providerId: leads })
      await pair.settle()
      const there = (await front.job(jobId)).upstream?.jobId ?? ''
      const [request] = await beyond.requests(there)
      // A node that begins now leaves no job at an upstream to the first one.
      const { inner } = front.hub
      const config = { ...inner.config, port: 0 }
      second = await startServer(config, { log: openLog('silent') })
      const faults = inner.faults as Faults
      const { task } = faults
      Object.assign(faults, {
        task: (one: Parameters<Faults['task']>[0], run: () => Promise<never>) =>
          one.name === 'follow-upstream'
            ? Promise.resolve({ again: inner.clock.now() + 1_000 })
            : task(one, run),
      })
      const manual = await beyond.provider('Manual')
      await beyond.deliver(manual, there, request?.requestId ?? '', { a: 'Der Hund' })
      const unread = async () => {
        const path = `/statusupdates?jobId=${there}`
        return (await beyond.call<{ statusupdates: object[] }>(admin, 'GET', path)).body
          .statusupdates
      }
      expect(await unread()).toHaveLength(1)
      await until('the other node has followed the job', async () => {
        const clock = `${second?.url}/sandbox/clock/advance`
        await front.hub.call('POST', clock, { body: { by: '1m' } })
        return (await front.statuses(jobId))[0] === 'REVIEW_TRANSLATION'
      })
      expect(await unread()).toEqual([])
    } finally {
      await second?.close()
      await Promise.all([pair.close(), between.close()])
    }
  })
})
