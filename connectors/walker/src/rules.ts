/**
 * The rules of every connector: what to send, what to write, what to do with a hand edit, what is
 * out of date, when to publish. Pure: the same table of cases, `rules.cases.json`, tests this and
 * its port to PHP.
 */
import { digest } from './digest.ts'

/** Texts by their path. */
export type Texts = Readonly<Record<string, string>>
/** What was exchanged last for one text. */
export type Known = {
  readonly path: string
  /** The digest of the source that it translates. */
  readonly source: string
  /** The translation as the connector wrote it. */
  readonly text: string
  /** What stood there before, until the connector has seen its own text. */
  readonly before?: string
}
export type Arrived = { readonly path: string; readonly source: string; readonly text: string }
export type Conflict = { readonly path: string; readonly mine: string; readonly theirs: string }
export type Side = {
  readonly source: Texts
  readonly target: Texts
  readonly known: readonly Known[]
}
export type Merged = {
  /** What the target has afterwards, for every text of the source that has a translation. */
  readonly write: Texts
  readonly known: Known[]
  readonly conflicts: Conflict[]
  /** Texts that arrived and that the source no longer has. */
  readonly gone: string[]
}

export type Phase = 'NONE' | 'WAITING' | 'IN_TRANSLATION' | 'IN_REVIEW' | 'APPROVED' | 'FAILED'
export type State =
  | 'NOT_SENT'
  | 'WAITING'
  | 'IN_TRANSLATION'
  | 'IN_REVIEW'
  | 'TRANSLATED'
  | 'OUT_OF_DATE'
  | 'CHANGED_BY_HAND'
  | 'FAILED'

/** A text that only moved is known by its digest, and not sent again. */
export function whatToSend(source: Texts, known: readonly Known[]): string[] {
  const translated = new Set(known.map((one) => one.source))
  return Object.entries(source).flatMap(([path, text]) =>
    translated.has(digest(text)) ? [] : [path],
  )
}

/** What an arrived translation changes. Without one: where the texts that are known belong now. */
export function merge({ source, target, known }: Side, arrived: readonly Arrived[]): Merged {
  const texts = Object.entries(source).map(([path, text]) => ({ path, source: digest(text) }))
  const knownOf = matched(texts, known, true)
  const arrivedOf = matched(texts, arrived, false)
  const isStarted = Object.values(target).some((text) => text.trim() !== '')
  const places = new Set(known.map((one) => one.path))
  const write: Record<string, string> = {}
  const kept: Known[] = []
  const conflicts: Conflict[] = []
  for (const { path, source: now } of texts) {
    const old = knownOf.get(path)
    // What stands at this place may belong to a text that has moved away.
    const isOther = !old && places.has(path)
    const mine = isOther ? '' : (own(target, old?.path ?? path) ?? '')
    const isEdited = old
      ? isStarted && mine !== old.text && mine !== old.before
      : mine !== '' && mine !== source[path]
    const one = arrivedOf.get(path)
    // A translation of an older text does not replace that of the present one.
    const fresh = one && !(old?.source === now && one.source !== now) ? one : undefined
    if (fresh) {
      const theirs = fresh.text
      const isConflict = isEdited && mine !== theirs
      if (isConflict) conflicts.push({ path, mine, theirs })
      write[path] = isConflict ? mine : theirs
      const before = mine === theirs || isConflict ? {} : { before: mine }
      kept.push({ path, source: fresh.source, text: theirs, ...before })
    } else if (old) {
      write[path] = isEdited ? mine : old.text
      kept.push({ ...old, path })
    } else if (isEdited) write[path] = mine
  }
  const used = new Set([...arrivedOf.values()])
  return {
    write,
    known: kept,
    conflicts,
    gone: arrived.filter((one) => !used.has(one)).map(({ path }) => path),
  }
}

type Matched = { readonly path: string; readonly source: string }

/**
 * To each text of the source what belongs to it: by path and digest, then by digest, then by path.
 * By digest, one translation may serve several equal texts.
 */
function matched<T extends Matched>(
  texts: readonly Matched[],
  all: readonly T[],
  isShared: boolean,
): Map<string, T> {
  const found = new Map<string, T>()
  const used = new Set<T>()
  const byPath = new Map(all.map((one) => [one.path, one]))
  const byDigest = new Map<string, T[]>()
  for (const one of all) byDigest.set(one.source, [...(byDigest.get(one.source) ?? []), one])
  const take = (text: Matched, one: T | undefined) => {
    if (!one || found.has(text.path)) return
    found.set(text.path, one)
    used.add(one)
  }
  for (const text of texts) {
    const one = byPath.get(text.path)
    if (one?.source === text.source) take(text, one)
  }
  for (const text of texts) {
    if (found.has(text.path)) continue
    const same = byDigest.get(text.source) ?? []
    take(text, same.find((one) => !used.has(one)) ?? (isShared ? same[0] : undefined))
  }
  for (const text of texts) {
    const one = byPath.get(text.path)
    if (one && !used.has(one)) take(text, one)
  }
  return found
}

/** A person keeps one side; the other is forgotten. Without a path, of all conflicts. */
export function choose(
  conflicts: readonly Conflict[],
  keep: 'MINE' | 'THEIRS',
  path?: string,
): { readonly write: Texts; readonly conflicts: Conflict[] } {
  const isMeant = (one: Conflict) => path === undefined || one.path === path
  const write = Object.fromEntries(
    keep === 'THEIRS' ? conflicts.filter(isMeant).map((one) => [one.path, one.theirs]) : [],
  )
  return { write, conflicts: conflicts.filter((one) => !isMeant(one)) }
}

export type Standing = {
  readonly phase: Phase
  readonly source: Texts
  readonly known: readonly Known[]
  readonly conflicts: readonly Conflict[]
}

export function stateOf({ phase, source, known, conflicts }: Standing): State {
  if (conflicts.length > 0) return 'CHANGED_BY_HAND'
  if (phase === 'WAITING' || phase === 'IN_TRANSLATION' || phase === 'IN_REVIEW') return phase
  if (phase === 'FAILED') return 'FAILED'
  if (known.length === 0) return 'NOT_SENT'
  return whatToSend(source, known).length > 0 ? 'OUT_OF_DATE' : 'TRANSLATED'
}

/** What is in conflict is for a person, and so is what nobody chose to publish by itself. */
export const mayPublish = (
  publish: boolean,
  merged: Pick<Merged, 'conflicts' | 'write'>,
): boolean => publish && merged.conflicts.length === 0 && Object.keys(merged.write).length > 0

const mostBytes = 1_048_576
const mostTexts = 20_000
const mostPathBytes = 1_000

/** Why texts cannot be sent, as a sentence for an editor; undefined if they can. */
export function whyNotSendable(texts: Texts): string | undefined {
  let bytes = 0
  if (Object.keys(texts).length > mostTexts)
    return 'The entry has more than 20,000 texts. Divide it into several entries.'
  for (const [path, text] of Object.entries(texts)) {
    if (Buffer.byteLength(path) > mostPathBytes)
      return `A text lies too deep to be sent: ${path.slice(0, 100)}…`
    if (text.includes('\0') || !text.isWellFormed())
      return `The text ${path} has a character that cannot be sent, such as NUL. Type it anew.`
    bytes += Buffer.byteLength(path) + Buffer.byteLength(text)
    if (bytes > mostBytes)
      return 'The texts of this entry are larger than 1 MiB. Divide it into several entries.'
  }
  return undefined
}

const own = (texts: Texts, path: string): string | undefined =>
  Object.hasOwn(texts, path) ? texts[path] : undefined
