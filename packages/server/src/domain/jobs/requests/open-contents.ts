/**
 * Reads the key-value content of a batch of requests on demand: each content with as many of the
 * following ones as fit into one read.
 */
import { HubError } from '@dragoman/contract'
import type { Hub } from '../../../hub.ts'
import { selectContentSizes } from './content-rows.ts'
import type { RequestWithFile } from './request.ts'
import { type Fields, listFields } from './sealed-contents.ts'

/** Bytes per read; a larger content is read alone. */
const readBytes = 1024 ** 2

export type Contents = {
  sizeOf(request: RequestWithFile): number
  read(request: RequestWithFile): Promise<Fields>
}

export async function openContents(
  hub: Hub,
  siteId: string,
  jobId: string,
  requests: readonly RequestWithFile[],
): Promise<Contents> {
  const all = requests.flatMap(({ file_id, content_id }) =>
    file_id === null && content_id !== null ? content_id : [],
  )
  const ids = [...new Set(all)]
  const sizes = await selectContentSizes(hub.db.read, siteId, jobId, ids)
  let known = new Map<string, Fields>()
  return {
    sizeOf: ({ content_id }) => sizes.get(content_id ?? '') ?? 0,
    read: async ({ content_id }) => {
      if (content_id === null)
        throw new Error(`A request of job ${jobId} has neither a file nor content.`)
      const id = content_id
      if (!known.has(id)) {
        known = new Map()
        known = await listFields(hub, siteId, jobId, rangeFrom(ids, id, sizes))
      }
      const fields = known.get(id)
      if (!fields) throw new HubError('SOURCE_CONTENT_NOT_FOUND', { sourcecontentId: id })
      return fields
    },
  }
}

function rangeFrom(
  ids: readonly string[],
  first: string,
  sizes: ReadonlyMap<string, number>,
): string[] {
  const range = [first]
  let bytes = sizes.get(first) ?? 0
  for (const id of ids.slice(ids.indexOf(first) + 1)) {
    bytes += sizes.get(id) ?? 0
    if (bytes > readBytes) break
    range.push(id)
  }
  return range
}
