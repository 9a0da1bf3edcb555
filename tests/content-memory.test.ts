/** What a content may take: too large a one is told by its row, and the others wait for room. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { limits } from '../packages/contract/src/limits.ts'
import { bounds } from '../packages/server/src/domain/formats/bounds.ts'
import { bytesInFlight, holdContent } from '../packages/server/src/domain/formats/in-flight.ts'
import { startHub, type TestHub } from './hub.ts'
import { type Quoting, quoting } from './quoting.ts'

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
  const unknown = await at.upload(jobId, 'unknown.zip', 'bytes')
  await at.addRequest(jobId, { fmsFileId: large })
  await at.addRequest(jobId, { fmsFileId: unknown })
  const opened = await openedIn(async () => {
    const quotes = await Promise.all(Array.from({ length: 20 }, () => at.quote(jobId)))
    for (const { complete, warnings } of quotes) {
      expect(complete).toBe(false)
      expect(warnings?.[0]).toMatch(/large\.txt cannot be counted: The file has 52428801 bytes; at most 52428800/)
      expect(warnings?.[1]).toMatch(/unknown\.zip cannot be counted: its format is not known here/)
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
