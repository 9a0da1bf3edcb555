/**
 * Opens the segments of a request. The source of a request that was handed over never changes, so
 * what was read is kept for a while: a translator asks for the same content again and again. It is
 * kept as bytes: half a million segments would take most of the memory of a small hub as objects.
 */
import { hash } from 'node:crypto'
import { HubError, limits, type TextParts } from '@dragoman/contract'
import { FormatError, limitIn } from '@dragoman/text/formats'
import { LRUCache } from 'lru-cache'
import type { Hub } from '../../hub.ts'
import { perHub } from '../../process/caches.ts'
import { findMachineWork, readSuggestions } from '../engines/machine-work.ts'
import {
  type ContentRef,
  sourceOf,
  translationOf,
  withContents,
} from '../jobs/requests/read-segments.ts'
import type { OneRequest, RequestWithFile } from '../jobs/requests/request.ts'
import { bytesOf, lengthOf, type Pages, readPage } from '../language/worker/pages.ts'
import { runSafely } from '../language/worker/run.ts'
import {
  type DeskNotes,
  type DeskSegment,
  mostPlaces,
  type PackedDesk,
  type StoredSegment,
  shortHash,
} from './desk-segments.ts'

export type Desk = {
  readonly length: number
  readonly at: (place: number) => DeskSegment
  readonly slice: (from: number, until?: number) => DeskSegment[]
  /** Where the segment stands. */
  readonly placeOf: (segmentId: string) => number | undefined
  /**
   * The first places of segments with this source, and of those that begin with this target; rarely
   * also one with another text.
   */
  readonly withSource: (text: TextParts, most: number) => number[]
  readonly withTarget: (text: TextParts, most: number) => number[]
  /** All segments as they are, for a worker: not to be moved. */
  readonly stored: Pages
  /** How many have a suggestion of an engine. */
  readonly suggested: number
  /** Those of all sources. */
  readonly words: number
  /** Whether `machine` of a segment is about the target that it shows. */
  readonly showsMachine: boolean
  /** Whether it is about the suggestion. */
  readonly knowsSuggestions: boolean
}

const module = new URL('./desk-segments.ts', import.meta.url)

const cachedDesks = perHub(
  () =>
    new LRUCache<string, Desk>({
      maxSize: limits.desksBytes,
      sizeCalculation: ({ stored, length }) => bytesOf(stored) + length * indexBytes + 1,
    }),
)
/** Three sorted numbers. */
const indexBytes = 24

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
export const cachedDesk = (hub: Hub, key: string): Desk | undefined => cachedDesks(hub).get(key)

/** Calls that ask for the same desk at once wait for one reading of it. */
const openedDesks = perHub(() => new Map<string, Promise<Desk>>())

/** The segments carry the limits that the metadata of the request sets. */
export async function openDesk(hub: Hub, request: OneRequest): Promise<Desk> {
  const key = deskKey(request)
  const known = cachedDesk(hub, key) ?? openedDesks(hub).get(key)
  if (known) return known
  const opened = openNew(hub, request).finally(() => openedDesks(hub).delete(key))
  openedDesks(hub).set(key, opened)
  const desk = await opened
  cachedDesks(hub).set(key, desk)
  return desk
}

async function openNew(hub: Hub, request: OneRequest): Promise<Desk> {
  const translation = translationOf(request)
  const refs = [sourceOf(request), ...(translation ? [translation] : [])]
  const machine = await findMachineWork(hub, request)
  const notes: DeskNotes = {
    suggestions: request.drafts_id === null ? undefined : await readSuggestions(hub, request),
    machine: machine?.segments,
    limit: limitIn(request.extended_metadata),
  }
  const packed = await read(hub, request, refs, notes)
  return openPacked(packed, {
    showsMachine: machine?.isShown === true,
    knowsSuggestions: machine?.isSuggested === true,
  })
}

/** Pages of one desk that are kept parsed. */
const parsedPages = 4

/** Finds segments in the pages of a desk. */
export function openPacked(
  { segments, paragraphs, ids, sources, targets, suggested, words }: PackedDesk,
  machine: Pick<Desk, 'showsMachine' | 'knowsSuggestions'>,
): Desk {
  const length = lengthOf(segments)
  const { pages, starts } = segments
  const parsed = new LRUCache<number, readonly StoredSegment[]>({ max: parsedPages })
  const at = (place: number): DeskSegment => {
    const page = firstAbove(starts, place) - 1
    const some = parsed.get(page) ?? readPage<StoredSegment>(pages[page] ?? new Uint8Array())
    parsed.set(page, some)
    const found = some[place - (starts[page] ?? 0)]
    if (!found) throw new Error(`A desk of ${length} segments has none at ${place}.`)
    const { paragraph, ...segment } = found
    return paragraph === undefined
      ? segment
      : { ...segment, paragraph: paragraphs[paragraph] ?? '' }
  }
  const slice = (from: number, until = length): DeskSegment[] => {
    const some: DeskSegment[] = []
    for (let place = from; place < Math.min(until, length); place += 1) some.push(at(place))
    return some
  }
  return {
    length,
    at,
    slice,
    placeOf: (segmentId) =>
      placesIn(ids, segmentId, mostAlikeIds).find((place) => at(place).segmentId === segmentId),
    withSource: (text, most) => placesIn(sources, JSON.stringify(text), most),
    withTarget: (text, most) => placesIn(targets, JSON.stringify(text), most),
    stored: segments,
    suggested,
    words,
    ...machine,
  }
}

/** Ids are hashes themselves: that two have the same number is rare, and more never have it. */
const mostAlikeIds = 16

/** The first places with the number of this text. */
function placesIn(index: Float64Array, text: string, most: number): number[] {
  const first = shortHash(text) * mostPlaces
  const found: number[] = []
  for (let at = firstAbove(index, first - 1); found.length < most; at += 1) {
    const place = (index[at] ?? Number.POSITIVE_INFINITY) - first
    if (place >= mostPlaces) break
    found.push(place)
  }
  return found
}

/** The index of the first number above this one. */
function firstAbove(sorted: Float64Array | Uint32Array, number: number): number {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] ?? 0) <= number) low = middle + 1
    else high = middle
  }
  return low
}

async function read(
  hub: Hub,
  request: RequestWithFile,
  refs: readonly ContentRef[],
  notes: DeskNotes,
): Promise<PackedDesk> {
  const none = (because: string) =>
    new HubError('NO_SEGMENTS', { assetTaskId: request.request_id, because })
  try {
    const packed = await withContents(hub, refs, ([source, translation]) =>
      runSafely<PackedDesk | undefined>(module, 'readDesk', [source, translation, notes], {
        siteId: request.site_id,
      }),
    )
    if (!packed) throw none('the hub does not read files of its format.')
    if (lengthOf(packed.segments) === 0) throw none('it has no text.')
    return packed
  } catch (error) {
    if (!(error instanceof FormatError)) throw error
    // A delivered file that cannot be read does not hide the source.
    const [source] = refs
    if (source && refs.length > 1) return read(hub, request, [source], notes)
    throw none(error.message)
  }
}
