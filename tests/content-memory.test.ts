/** What a content may take: too large a one is told by its row, and the others wait for room. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { limits } from '../packages/contract/src/limits.ts'
import {
  bytesInFlight,
  holdContent,
} from '../packages/server/src/domain/language/worker/in-flight.ts'
import type { Faults } from '../packages/server/src/store/tasks/fault-port.ts'
import { bounds } from '../packages/text/src/formats/bounds.ts'
import { startHub, type TestHub } from './hub.ts'
import { type Quoting, quoting, tmxOf } from './quoting.ts'

let hub: TestHub
let at: Quoting
beforeAll(async () => {
  hub = await startHub()
  at = quoting(hub)
  await at.setPrices()
})
afterAll(() => hub.close())

/** The blobs that are opened while `act` runs. */
async function openedIn(act: () => Promise<unknown>): Promise<string[]> {
  const blobs = hub.inner.blobs as { open: (typeof hub.inner.blobs)['open'] }
  const { open } = blobs
  const opened: string[] = []
  blobs.open = (blobId, range) => {
    opened.push(blobId)
    return open.call(blobs, blobId, range)
  }
  try {
    await act()
  } finally {
    blobs.open = open
  }
  return opened
}

it('quotes and translations of a file that is too large, or of an unknown format, read none of it', async () => {
  const jobId = await at.newJob()
  const large = await at.upload(jobId, 'large.txt', new Uint8Array(bounds.bytes + 1))
  const unknown = await at.upload(jobId, 'unknown.bin', 'bytes')
  await at.addRequest(jobId, { fmsFileId: large })
  await at.addRequest(jobId, { fmsFileId: unknown })
  const opened = await openedIn(async () => {
    const quotes = await Promise.all(Array.from({ length: 20 }, () => at.quote(jobId)))
    for (const { complete, warnings } of quotes) {
      expect(complete).toBe(false)
      expect(warnings?.[0]).toMatch(
        /large\.txt cannot be counted: The file has 52428801 bytes; at most 52428800/,
      )
      expect(warnings?.[1]).toMatch(/unknown\.bin cannot be counted: its format is not known here/)
    }
  })
  expect(opened).toEqual([])
  await at.submit(jobId, 'Pseudo')
  const { requests: items } = await at.must<{ requests: { hasError: boolean }[] }>(
    200,
    'GET',
    `/jobs/${jobId}/requests`,
  )
  expect(items[0]).toMatchObject({ hasError: true })
  expect(items[1]).toMatchObject({ hasError: true })
})

it('a TMX takes its place in that memory while it is imported', async () => {
  const { blobs } = hub.inner as { blobs: { open: (typeof hub.inner.blobs)['open'] } }
  const { open } = blobs
  const inside: number[] = []
  blobs.open = (blobId, range) => {
    inside.push(bytesInFlight())
    return open.call(blobs, blobId, range)
  }
  const tmx = tmxOf([['Good morning', 'Guten Morgen']])
  try {
    expect(await at.teach(tmx)).toMatchObject({ importStatus: 'IMPORTED' })
  } finally {
    blobs.open = open
  }
  // Read through, and then brought in.
  expect(inside).toEqual([Buffer.byteLength(tmx), Buffer.byteLength(tmx)])
  expect(bytesInFlight()).toBe(0)
})

it('large inline contents of a job are translated and written some at a time', async () => {
  const faults = hub.inner.faults as Faults
  const { task } = faults
  let tasks = 0
  faults.task = (one, run) => {
    if (one.name === 'translate-requests') tasks += 1
    return task(one, run)
  }
  const jobId = await at.newJob()
  for (let many = 0; many < 10; many++)
    await at.addTexts(jobId, ['a '.repeat(limits.inlineBytes / 2 - 10)])
  await at.submit(jobId, 'Pseudo')
  await hub.advance('10s')
  faults.task = task
  const { requests } = await at.must<{ requests: { statusCode: string }[] }>(
    200,
    'GET',
    `/jobs/${jobId}/requests`,
  )
  expect(requests.map(({ statusCode }) => statusCode)).toEqual(Array(10).fill('REVIEW_TRANSLATION'))
  expect(tasks).toBeGreaterThan(1)
})

it('a provider delivers so many key-value files in one call, and each has so many fields', async () => {
  const jobId = await at.newJob()
  for (let many = 0; many < 9; many++) await at.addTexts(jobId, ['Good morning'])
  await at.submit(jobId)
  const { providers } = await at.must<{ providers: { id: string; name: string }[] }>(
    200,
    'GET',
    '/providers',
  )
  const providerId = providers.find(({ name }) => name === 'Manual')?.id
  const tasks = `/providers/${providerId}/jobs/${jobId}/assetTasks`
  const as = 'demo-provider'
  const { assetTasks } = await at.must<{ assetTasks: { assetTaskId: string }[] }>(
    200,
    'GET',
    tasks,
    undefined,
    as,
  )
  const ids = assetTasks.map(({ assetTaskId }) => assetTaskId)
  const send = async (id: string, inner: string) => {
    const to = `${tasks}/${id}/translatedFile`
    const { fmsPostMultipartUrl = '' } = await at.must<Record<string, string>>(
      201,
      'POST',
      to,
      undefined,
      as,
    )
    const form = new FormData()
    form.append('file', new Blob([`<content>${inner}</content>`]))
    expect((await fetch(fmsPostMultipartUrl, { method: 'POST', body: form })).status).toBe(201)
  }
  const deliver = (some: string[]) => {
    const body = { assetTaskIds: some, assetTasksUpdate: { statusCode: 'TRANSLATION_SUBMITTED' } }
    return hub.call<{ code: string; message: string }>('PATCH', `/v2${tasks}`, { as, body })
  }
  const [first = ''] = ids
  const many = Array.from(
    { length: limits.fields + 1 },
    (_, key) => `<field key="k${key}">a</field>`,
  )
  await send(first, many.join(''))
  expect((await deliver([first])).body.message).toContain('it has more than 20,000 fields')
  const long = 'a'.repeat(limits.deliveredBytes / 8 - 100)
  for (const id of ids) await send(id, `<field key="k0">${long}</field>`)
  expect(await deliver(ids)).toMatchObject({ status: 413, body: { code: 'CONTENT_TOO_LARGE' } })
})

it('contents wait until there is room for them, and none of one site takes all of it', async () => {
  let inside = 0
  let most = 0
  const work = (siteId: string) => () =>
    holdContent('here', siteId, limits.contentBytesAtOnce / 4, async () => {
      inside += 1
      most = Math.max(most, inside)
      await new Promise((next) => setImmediate(next))
      inside -= 1
    })
  await Promise.all(Array.from({ length: 20 }, work('one')))
  expect(most).toBe(2)
  expect(bytesInFlight()).toBe(0)
})
