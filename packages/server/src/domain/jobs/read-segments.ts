/** Reads what a request translates, or its translation, outside any transaction and its segments in a worker. */
import type { Hub } from '../../hub.ts'
import { readWhole } from '../files/serve.ts'
import { runSafely } from '../formats/run.ts'
import { selectContent } from './content-rows.ts'
import type { Content, CountedSegment, SegmentPair } from './segments-of.ts'

/** Where a content lies: a file, or else keys and values. */
export type ContentPlace = {
  readonly siteId: string
  readonly jobId: string
  readonly fileId: string | null
  readonly contentId: string | null
}

const module = new URL('./segments-of.ts', import.meta.url)
/** More than a translation may take: nobody waits for a document at a time. */
const milliseconds = 60_000

export const readCounted = async (hub: Hub, place: ContentPlace): Promise<CountedSegment[] | undefined> =>
  runSafely<CountedSegment[] | undefined>(module, 'countContent', [await readContent(hub, place)], milliseconds)

export const readPairs = async (
  hub: Hub,
  source: ContentPlace,
  translation: ContentPlace,
): Promise<SegmentPair[] | undefined> =>
  runSafely<SegmentPair[] | undefined>(
    module,
    'pairContents',
    [await readContent(hub, source), await readContent(hub, translation)],
    milliseconds,
  )

async function readContent(hub: Hub, { siteId, jobId, fileId, contentId }: ContentPlace): Promise<Content> {
  if (fileId !== null) {
    const { file, bytes } = await readWhole(hub, siteId, jobId, fileId)
    // A view of a larger buffer would be sent with all of it.
    return { fileName: file.name, bytes: new Uint8Array(bytes) }
  }
  const content = await selectContent(hub.engine.read, siteId, jobId, contentId ?? '')
  return { fields: JSON.parse(content?.fields ?? '[]') }
}
