import type { LoggedCall } from '@dragoman/contract/wire'
import { expect, it } from 'vitest'
import { curlOf, pathOf, sdkOf } from './as-code.ts'

const call = (more: Partial<LoggedCall>): LoggedCall => ({
  traceId: 't',
  time: '2026-11-16T00:00:00.000Z',
  method: 'POST',
  route: '/v2/jobs/:jobId/requests/add',
  ids: { jobId: 'aB3dE5fG7h' },
  address: '127.0.0.1',
  statusCode: 400,
  durationMs: 1,
  bytesIn: 1,
  bytesOut: 1,
  count: 1,
  ...more,
})

it('writes a call as a command whose quotes hold', () => {
  expect(curlOf(call({ callBody: `{"requestName":"it's"}` }), 'http://hub')).toBe(
    `curl -X POST 'http://hub/v2/jobs/aB3dE5fG7h/requests/add' \\
  -H "Authorization: Bearer $TOKEN" \\
  -H 'Content-Type: application/json' \\
  --data '{"requestName":"it'\\''s"}'`,
  )
  expect(
    curlOf(call({ method: 'GET', route: '/fms/files/:subject', ids: { subject: 'x' } }), ''),
  ).toBe("curl '/fms/files/x'")
})

it('writes a call as the SDK makes it', () => {
  expect(sdkOf(call({ callBody: '{"requestName":"a","x-y":[1,null]}' }))).toBe(
    'await hub.addRequests({ params: { jobId: "aB3dE5fG7h" }, body: { requestName: "a", "x-y": [1, null] } })',
  )
  expect(sdkOf(call({ method: 'GET', route: '/v2/jobs', ids: {} }))).toBe('await hub.listJobs()')
  expect(sdkOf(call({ method: 'PUT', route: '/console/api/jobs/:jobId/submit' }))).toBe(
    'await hub.submitJob({ params: { jobId: "aB3dE5fG7h" } })',
  )
  expect(sdkOf(call({ route: '/connect/token', ids: {} }))).toBeUndefined()
})

it('fills the ids into the path', () => {
  expect(pathOf(call({}))).toBe('/v2/jobs/aB3dE5fG7h/requests/add')
})
