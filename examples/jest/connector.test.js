import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { startHub } from 'dragoman/testing'

let hub
beforeAll(async () => {
  hub = await startHub()
})
afterAll(() => hub.close())

test('a translation comes back and is approved', async () => {
  const connection = hub.connect()
  const job = await connection.push({
    jobName: 'Home page',
    source: 'en-US',
    targets: ['de-DE'],
    provider: 'Pseudo',
    items: [{ name: 'menu', fields: { home: 'Home' } }],
  })
  const { ready } = await connection.wait(job.jobId, { everyMs: 20 })
  await connection.approve(job.jobId, [ready[0].requestId])
  const request = await connection.findRequest({
    params: { jobId: job.jobId, requestId: ready[0].requestId },
  })
  expect(request.statusCode).toBe('TRANSLATION_APPROVED')
})

test('a storm of 429 is waited out', async () => {
  await hub.faults.on('rate-limit-storm', { times: 2, seconds: 0 })
  await hub.connect().listJobs()
  const calls = await hub.calls()
  expect(calls.filter((call) => call.status === 429).length).toBe(2)
  await hub.faults.clear()
})

test('six months later the job is archived', async () => {
  const connection = hub.connect()
  const job = await connection.createJob({ body: { jobName: 'Forgotten' } })
  await hub.clock.advance('7mo')
  const later = await connection.findJob({ params: { jobId: job.jobId } })
  expect(later.archived).toBe(true)
})
