/**
 * The source of a request: a file of its job, a source content of its job, or fields that become a
 * source content.
 */
import { HubError } from '@dragoman/contract'
import type { Hub } from '../../../hub.ts'
import type { Db } from '../../../store/database.ts'
import type { SourceContentRow } from '../../../store/tables.ts'
import { openPauses, yieldWholeTurn } from '../../../turns/pauses.ts'
import { mustFindFiles } from '../../files/attach.ts'
import { type Fields, mustBeContent, mustFindContents, newContent } from './source-content.ts'

export type Source = {
  readonly fmsFileId?: string
  readonly sourcecontentId?: string
  readonly fields?: Fields
}
/** The source as columns of a request, with the file name that responses show. */
export type SourceColumns = {
  file_id: string | null
  content_id: string | null
  file_name: string | null
}

const ways = ['fmsFileId', 'sourcecontentId', 'fields'] as const

/**
 * Refuses more than one source, invalid fields and, if `needed`, a missing source. `path` names the
 * request in the body.
 */
export function checkSource(source: Source, path: string, needed: boolean): void {
  const given = ways.filter((way) => source[way] !== undefined)
  if (given.length > 1)
    throw refusal(path, `has ${given.join(' and ')}; give exactly one of ${ways.join(', ')}`)
  if (needed && given.length === 0)
    throw refusal(path, `has no content; give exactly one of ${ways.join(', ')}`)
  if (source.fields) mustBeContent(source.fields, inside(path, 'fields'))
}

/** An error at one path of the body. */
export function refusal(path: string, message: string): HubError {
  const because = `${path || 'the request'} ${message}.`
  return new HubError('INVALID_REQUEST', { because }, { details: [{ path, message }] })
}

export const inside = (path: string, name: string): string => (path ? `${path}.${name}` : name)

/** Content rows by the fields that they are made of. */
export type NewContents = ReadonlyMap<Fields, SourceContentRow>

/**
 * Builds content rows from fields, one per list of fields, even if several requests share it.
 * Before the transaction, with pauses: there may be megabytes of them.
 */
export async function newContents(
  hub: Hub,
  siteId: string,
  jobId: string,
  sources: readonly Source[],
): Promise<NewContents> {
  const made = new Map<Fields, SourceContentRow>()
  const now = hub.clock.now()
  const pause = openPauses(yieldWholeTurn)
  for (const { fields } of sources) {
    if (!fields || made.has(fields)) continue
    made.set(fields, newContent(now, siteId, jobId, fields))
    const wait = pause()
    if (wait) await wait
  }
  return made
}

/**
 * Finds the files and contents. The result returns the columns of a source, or undefined if it is
 * empty.
 */
export async function resolveSources(
  tx: Db,
  { siteId, jobId }: { readonly siteId: string; readonly jobId: string },
  sources: readonly Source[],
  made: NewContents,
): Promise<(source: Source) => SourceColumns | undefined> {
  const fileIds = sources.flatMap((source) => source.fmsFileId ?? [])
  const files = await mustFindFiles(tx, siteId, jobId, fileIds)
  const contentIds = sources.flatMap((source) => source.sourcecontentId ?? [])
  await mustFindContents(tx, siteId, jobId, contentIds)
  return ({ fmsFileId, sourcecontentId, fields }) => {
    if (fmsFileId !== undefined)
      return { file_id: fmsFileId, content_id: null, file_name: files.get(fmsFileId)?.name ?? null }
    const contentId = fields ? made.get(fields)?.content_id : sourcecontentId
    return contentId === undefined
      ? undefined
      : { file_id: null, content_id: contentId, file_name: null }
  }
}
