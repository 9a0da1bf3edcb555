/**
 * Opens the segments of a request. The source of a request that was handed over never changes, so
 * what was read is kept for a while: a translator asks for the same content again and again.
 */
import { hash } from 'node:crypto'
import { HubError, type TextParts } from '@dragoman/contract'
import { FormatError, limitFor, limitIn } from '@dragoman/text/formats'
import { LRUCache } from 'lru-cache'
import type { Hub } from '../../hub.ts'
import { perHub } from '../../process/caches.ts'
import { readSuggestions, type StoredSuggestions } from '../engines/machine-work.ts'
import {
  type ContentRef,
  sourceOf,
  translationOf,
  withContents,
} from '../jobs/requests/read-segments.ts'
import type { OneRequest, RequestWithFile } from '../jobs/requests/request.ts'
import { runSafely } from '../language/worker/run.ts'
import type { DeskSegment } from './desk-segments.ts'

const module = new URL('./desk-segments.ts', import.meta.url)

/** Characters of all kept segments together. */
const cachedCharacters = 16 * 1024 ** 2
const cachedDesks = perHub(
  () =>
    new LRUCache<string, readonly DeskSegment[]>({
      maxSize: cachedCharacters,
      sizeCalculation: (segments) => segments.reduce((sum, one) => sum + sizeOf(one), 1),
    }),
)

const lengthOf = (text: TextParts = []): number =>
  text.reduce<number>((sum, piece) => sum + (typeof piece === 'string' ? piece.length : 4), 0)
const sizeOf = ({ unit, source, tags, target, suggested }: DeskSegment): number =>
  unit.length +
  lengthOf(source) +
  lengthOf(target) +
  lengthOf(suggested) +
  tags.reduce((sum, { shows }) => sum + shows.length, 0)

/** Equal as long as a request has the same segments. */
export function deskKey(request: OneRequest): string {
  const {
    request_id,
    translation_file_id: fileId,
    translation_content_id: contentId,
    drafts_id: draftsId,
  } = request
  const limit = limitIn(request.extended_metadata)
  const limited = limit === undefined ? '' : hash('sha256', JSON.stringify(limit))
  return `${request_id} ${fileId ?? contentId ?? ''} ${draftsId ?? ''} ${limited}`
}

/** The segments with this key, if they are still kept. */
export const cachedDesk = (hub: Hub, key: string): readonly DeskSegment[] | undefined =>
  cachedDesks(hub).get(key)

/** The segments carry the limits that the metadata of the request sets. */
export async function openDesk(hub: Hub, request: OneRequest): Promise<readonly DeskSegment[]> {
  const key = deskKey(request)
  const known = cachedDesk(hub, key)
  if (known) return known
  const limit = limitIn(request.extended_metadata)
  const translation = translationOf(request)
  const refs = [sourceOf(request), ...(translation ? [translation] : [])]
  const suggestions = request.drafts_id === null ? undefined : await readSuggestions(hub, request)
  const segments = withLimit(await read(hub, request, refs, suggestions), limit)
  cachedDesks(hub).set(key, segments)
  return segments
}

/** A sentence is a part of the text that is limited. */
const withLimit = (segments: readonly DeskSegment[], limit: unknown): readonly DeskSegment[] =>
  limit === undefined
    ? segments
    : segments.map((segment) => {
        const maxLength =
          segment.maxLength ?? (segment.isSentence ? undefined : limitFor(limit, segment.unit))
        return maxLength ? { ...segment, maxLength } : segment
      })

const indexes = new WeakMap<readonly DeskSegment[], ReadonlyMap<string, number>>()

/** Where each segment is, by its id. */
export function indexOf(segments: readonly DeskSegment[]): ReadonlyMap<string, number> {
  const index =
    indexes.get(segments) ?? new Map(segments.map(({ segmentId }, at) => [segmentId, at]))
  indexes.set(segments, index)
  return index
}

async function read(
  hub: Hub,
  request: RequestWithFile,
  refs: readonly ContentRef[],
  suggestions: StoredSuggestions | undefined,
): Promise<readonly DeskSegment[]> {
  const none = (because: string) =>
    new HubError('NO_SEGMENTS', { assetTaskId: request.request_id, because })
  try {
    const segments = await withContents(hub, refs, ([source, translation]) =>
      runSafely<DeskSegment[] | undefined>(module, 'readDesk', [source, translation, suggestions], {
        siteId: request.site_id,
      }),
    )
    if (!segments) throw none('the hub does not read files of its format.')
    if (segments.length === 0) throw none('it has no text.')
    return segments
  } catch (error) {
    if (!(error instanceof FormatError)) throw error
    // A delivered file that cannot be read does not hide the source.
    const [source] = refs
    if (source && refs.length > 1) return read(hub, request, [source], suggestions)
    throw none(error.message)
  }
}
