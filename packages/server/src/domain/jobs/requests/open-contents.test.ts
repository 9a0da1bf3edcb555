import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { databases, type HubPlace, makePlace } from '../../../../../../tests/hub-place.ts'
import type { Hub } from '../../../hub.ts'
import { openContents } from './open-contents.ts'
import { withCounted } from './read-segments.ts'
import type { RequestWithFile } from './request.ts'

let place: HubPlace
let hub: Hub

describe.each(databases)('on %s', (database) => {
  beforeEach(async () => {
    place = await makePlace(database)
    hub = await place.open()
  })
  afterEach(() => place.clear())

  test('a content that is gone is an error, never an empty text to translate', async () => {
    const request = { file_id: null, content_id: 'gone' } as RequestWithFile
    const contents = await openContents(hub, 'demo', 'job', [request])
    await expect(contents.read(request)).rejects.toMatchObject({ code: 'SOURCE_CONTENT_NOT_FOUND' })
    await expect(contents.read({ ...request, content_id: null })).rejects.toThrow(
      'neither a file nor content',
    )
  })

  test('a content that is gone is an error, never a quote of no words', async () => {
    const ref = {
      siteId: 'demo',
      jobId: 'job',
      fileId: null,
      contentId: 'gone',
      format: null,
      targetLanguage: 'de',
    }
    const counted = withCounted(hub, ref, async (segments) => segments)
    await expect(counted).rejects.toMatchObject({ code: 'SOURCE_CONTENT_NOT_FOUND' })
  })
})
