/**
 * The segments of a content for the desk, with the targets that it, an earlier delivery or the
 * engines of a chain have. Pure, and run in a worker (open-desk.ts).
 */
import { hash } from 'node:crypto'
import { limits, type MaxLength, type TextParts, type TextTag } from '@dragoman/contract/wire'
import { countParts, weightedWords } from '@dragoman/text/counting'
import { FormatError, limitFor, type Part } from '@dragoman/text/formats'
import { hasText, targetToWire, toWire } from '@dragoman/text/placeholders'
import { alignSegments } from '@dragoman/text/sentences'
import {
  type MachineWorkOf,
  readMachineWork,
  type StoredSuggestions,
} from '../engines/machine-segments.ts'
import {
  type Content,
  cutOf,
  type ReadSegment,
  segmentIdOf,
  segmentsIn,
} from '../jobs/requests/segments-of.ts'
import { openPager, type Pages } from '../language/worker/pages.ts'

export type DeskSegment = {
  readonly segmentId: string
  /** Its id in the content. */
  readonly unit: string
  readonly key?: string
  readonly source: TextParts
  readonly tags: readonly TextTag[]
  /** Of the source, as a quote counts them. */
  readonly words: number
  readonly target?: TextParts
  /** `DRAFT` is a suggestion of an engine, for people to work on. */
  readonly origin?: 'FILE' | 'DELIVERY' | 'DRAFT'
  /** The suggestion stays here if something else is the target now. */
  readonly suggested?: TextParts
  /** This says why there is no suggestion. */
  readonly openReason?: string
  readonly isSentence?: true
  /**
   * The delivered paragraph, where its sentences cannot be told apart: the first one has all of it.
   */
  readonly paragraph?: string
  readonly notes?: readonly string[]
  readonly maxLength?: MaxLength
  /** What a machine did of it, if the desk has a row of that. */
  readonly machine?: NonNullable<ReturnType<MachineWorkOf>>
}

/** The sentences of a paragraph share it. */
export type StoredSegment = Omit<DeskSegment, 'paragraph'> & { readonly paragraph?: number }

/**
 * A desk as bytes: a page of segments is parsed when somebody asks for it. Beside them stands where
 * each id and each text is, as sorted numbers (open-desk.ts).
 */
export type PackedDesk = {
  /** The `StoredSegment`s. */
  readonly segments: Pages
  readonly paragraphs: readonly string[]
  readonly ids: Float64Array
  readonly sources: Float64Array
  /** Where the targets that they begin with are. */
  readonly targets: Float64Array
  /** How many have a suggestion. */
  readonly suggested: number
  readonly words: number
}

/** What else a desk is made from. */
export type DeskNotes = {
  /** JSON, as they are stored. */
  readonly suggestions?: string | undefined
  readonly machine?: string | undefined
  /** The limit in the metadata of the request. */
  readonly limit?: unknown
}

/** Undefined if the format is unknown. */
export function readDesk(
  source: Content,
  translation?: Content,
  notes: DeskNotes = {},
): PackedDesk | undefined {
  const found = segmentsIn({ ...source, about: true })?.filter(
    ({ held, parts, target }) => !held && (target || hasText(parts)),
  )
  if (!found) return undefined
  mustFitDesk(found.length)
  const pager = openPager<StoredSegment>()
  const [ids, sources, targets] = [openPlaces(), openPlaces(), openPlaces()]
  const paragraphs = new Map<string, number>()
  let [place, suggested, words, characters] = [0, 0, 0, 0]
  for (const segment of eachSegment(found, { source, translation, notes })) {
    const { paragraph, ...stored } = segment
    if (paragraph !== undefined && !paragraphs.has(paragraph))
      paragraphs.set(paragraph, paragraphs.size)
    const shared = paragraph === undefined ? undefined : paragraphs.get(paragraph)
    characters += pager.add({ ...stored, ...(shared !== undefined && { paragraph: shared }) })
    if (characters > limits.deskBytes) throw tooMuch()
    ids.add(segment.segmentId, place)
    sources.add(JSON.stringify(segment.source), place)
    if (segment.target) targets.add(JSON.stringify(segment.target), place)
    if (segment.suggested) suggested += 1
    words += segment.words
    place += 1
  }
  return {
    segments: pager.finish(),
    paragraphs: [...paragraphs.keys()],
    ids: ids.finish(),
    sources: sources.finish(),
    targets: targets.finish(),
    suggested,
    words,
  }
}

function mustFitDesk(count: number): void {
  const most = limits.deskSegments
  if (count > most)
    throw new FormatError(
      'TOO_MANY_SEGMENTS',
      `it has ${count.toLocaleString('en')} segments, and the desk takes at most ${most.toLocaleString('en')}.`,
    )
}

const tooMuch = (): FormatError =>
  new FormatError(
    'TOO_LARGE',
    `its segments have more than ${limits.deskBytes / 1024 ** 2} MiB, and the desk takes no more.`,
  )

/** More than a desk has segments. */
export const mostPlaces = 2 ** 20

/** 32 bits that tell texts apart, nearly always. */
export const shortHash = (text: string): number => hash('sha256', text, 'buffer').readUInt32BE(0)

function openPlaces() {
  const found: number[] = []
  return {
    add: (text: string, place: number) => void found.push(shortHash(text) * mostPlaces + place),
    finish: () => Float64Array.from(found).sort(),
  }
}

type Made = {
  readonly source: Content
  readonly translation: Content | undefined
  readonly notes: DeskNotes
}

/** One after the other, so that they are not in memory all at once. */
function* eachSegment(
  segments: readonly ReadSegment[],
  { source, translation, notes: { suggestions: stored, machine, limit } }: Made,
): Generator<DeskSegment> {
  const after = translation && segmentsIn(translation)
  const { targets, unlike } = alignSegments(segments, after ?? [], cutOf(source))
  const suggestions = stored === undefined ? undefined : (JSON.parse(stored) as StoredSuggestions)
  const draftOf = suggestions && openSuggestions(segments, suggestions, source)
  const machineOf = machine === undefined ? undefined : readMachineWork(machine)
  for (const segment of segments) {
    const { id, parts, target, of, about } = segment
    const { parts: suggestion, openReason } = draftOf?.(segment) ?? {}
    const suggested = suggestion && targetToWire(parts, suggestion)
    const { text, tags } = toWire(parts)
    const done = targets.get(id)
    // What a delivery lacks is open, whatever was there before.
    const known = done ?? (after ? undefined : (suggestion ?? target))
    const paragraph = of && unlike.get(of.id)
    // A sentence is a part of the text that is limited.
    const maxLength = about?.maxLength ?? (of ? undefined : limitFor(limit, id))
    const made = machineOf?.(id)
    yield {
      segmentId: segmentIdOf(id),
      unit: id,
      ...(isNamed(segment) && { key: id }),
      source: text,
      tags,
      words: weightedWords(countParts(parts)),
      ...about,
      ...(maxLength && { maxLength }),
      ...(of && { isSentence: true as const }),
      ...(known && {
        target: targetToWire(parts, known),
        origin: originOf(known, { done, suggestion }),
      }),
      ...(suggested && { suggested }),
      ...(!known && openReason !== undefined && { openReason }),
      ...(paragraph !== undefined && { paragraph }),
      ...(made && { machine: made }),
    }
  }
}

const originOf = (
  known: readonly Part[],
  {
    done,
    suggestion,
  }: {
    readonly done?: readonly Part[] | undefined
    readonly suggestion?: readonly Part[] | undefined
  },
) => (known === done ? 'DELIVERY' : known === suggestion ? 'DRAFT' : 'FILE')

/**
 * Finds the suggestion for a segment, or why it has none. Engines translate paragraphs; a sentence
 * has its part of one.
 */
function openSuggestions(
  segments: readonly ReadSegment[],
  { texts, open, because }: StoredSuggestions,
  source: Content,
) {
  const after = Object.entries(texts).map(([id, parts]) => ({ id, parts }))
  const { targets, unlike } = alignSegments(segments, after, cutOf(source))
  return ({ id, of }: ReadSegment): { parts?: readonly Part[]; openReason?: string } => {
    const parts = targets.get(id)
    if (parts && parts.length > 0) return { parts }
    if (of && unlike.has(of.id)) return { openReason: wholeParagraph }
    const reason = because ?? open[of?.id ?? id]
    return reason === undefined ? {} : { openReason: reason }
  }
}
const wholeParagraph =
  'The sentences of the machine translation do not pair with those of the source. The first sentence has the whole paragraph.'

/** Without a name a segment has its number: `s12`. */
const isNamed = ({ id }: ReadSegment): boolean => !/^s\d{1,9}(?:~s\d{1,9})?$/.test(id)
