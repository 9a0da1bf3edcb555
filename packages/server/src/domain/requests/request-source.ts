/** What a request translates: a file of its job, a source content of its job, or fields that become one. */
import { HubError } from '@dragoman/contract'
import type { Hub } from '../../hub.ts'
import type { Db } from '../../store/engine.ts'
import type { SourceContentRow } from '../../store/tables.ts'
import { mustFindFiles } from '../files/attach.ts'
import { type Fields, mustBeContent, mustFindContents, newContent } from './source-content.ts'

export type Source = { readonly fmsFileId?: string; readonly sourcecontentId?: string; readonly fields?: Fields }
/** The columns of a request that say it, and the name that an answer shows. */
export type SourceColumns = { file_id: string | null; content_id: string | null; file_name: string | null }

const ways = ['fmsFileId', 'sourcecontentId', 'fields'] as const

/** Refuses a second source, bad fields and, where one is needed, none; `path` names the request in the caller's list. */
export function checkSource(source: Source, path: string, needed: boolean): void {
  const given = ways.filter((way) => source[way] !== undefined)
  if (given.length > 1) throw refusal(path, `has ${given.join(' and ')}; give exactly one of ${ways.join(', ')}`)
  if (needed && given.length === 0) throw refusal(path, `has no content; give exactly one of ${ways.join(', ')}`)
  if (source.fields) mustBeContent(source.fields, inside(path, 'fields'))
}

/** A complaint about one place of the body. */
export function refusal(path: string, message: string): HubError {
  const because = `${path || 'the request'} ${message}.`
  return new HubError('INVALID_REQUEST', { because }, { details: [{ path, message }] })
}

export const inside = (path: string, name: string): string => (path ? `${path}.${name}` : name)

/**
 * Finds the files and contents, makes rows of the fields (one for each list of fields, whoever shares it), which the caller
 * is to store, and gives back the columns of each source; undefined for one that says nothing.
 */
export async function resolveSources(
  hub: Hub,
  tx: Db,
  siteId: string,
  jobId: string,
  sources: readonly Source[],
): Promise<{ contents: SourceContentRow[]; columnsOf: (source: Source) => SourceColumns | undefined }> {
  const fileIds = sources.flatMap((source) => source.fmsFileId ?? [])
  const files = await mustFindFiles(tx, siteId, jobId, fileIds)
  const contentIds = sources.flatMap((source) => source.sourcecontentId ?? [])
  await mustFindContents(tx, siteId, jobId, contentIds)
  const inline = [...new Set(sources.flatMap(({ fields }) => (fields ? [fields] : [])))]
  const contents = inline.map((fields) => newContent(hub, siteId, jobId, fields))
  const made = new Map(inline.map((fields, at) => [fields, contents[at]?.content_id]))
  const columnsOf = ({ fmsFileId, sourcecontentId, fields }: Source): SourceColumns | undefined => {
    if (fmsFileId !== undefined)
      return { file_id: fmsFileId, content_id: null, file_name: files.get(fmsFileId)?.name ?? null }
    const contentId = fields ? made.get(fields) : sourcecontentId
    return contentId === undefined ? undefined : { file_id: null, content_id: contentId, file_name: null }
  }
  return { contents, columnsOf }
}
