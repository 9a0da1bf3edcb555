/**
 * What the files of a package have in common: what goes into one, which task it belongs to, and how
 * a text is recognised again.
 */
import { createHash } from 'node:crypto'
import type { MaxLength, TextParts, TextTag } from '@dragoman/contract/wire'

/**
 * The job and asset task of a file. It stands in the file itself, because tools rename and move
 * files.
 */
export type Identity = { readonly jobId: string; readonly assetTaskId: string }

const mark = 'dragoman:'
export const originalOf = ({ jobId, assetTaskId }: Identity, fileName: string): string =>
  `${mark}${jobId}/${assetTaskId}/${fileName}`

/** Undefined if the file is from elsewhere. */
export function identityIn(original: string): Identity | undefined {
  const [jobId, assetTaskId] = original.startsWith(mark)
    ? original.slice(mark.length).split('/')
    : []
  return jobId && assetTaskId ? { jobId, assetTaskId } : undefined
}

export type PackedMatch = {
  readonly percent: number
  readonly source: TextParts
  readonly target: TextParts
}

/** A segment as it is written into a package. */
export type PackedSegment = {
  readonly segmentId: string
  readonly key?: string
  readonly source: TextParts
  readonly tags: readonly TextTag[]
  /** What the translator starts from. */
  readonly target: TextParts
  /** What somebody has written or delivered. */
  readonly own?: TextParts | undefined
  readonly state: 'open' | 'translated' | 'final'
  readonly notes?: readonly string[]
  readonly maxLength?: MaxLength
  readonly matches: readonly PackedMatch[]
}

export type PackedFile = Identity & {
  readonly fileName: string
  readonly sourceLanguage: string
  readonly targetLanguage: string
  /** One by one: there may be half a million. */
  readonly segments: Iterable<PackedSegment>
}

/** With neighbouring strings as one, and line ends as XML reads them. */
export function plainParts(text: TextParts): TextParts {
  const out: TextParts = []
  for (const part of text) {
    const last = out.at(-1)
    if (typeof part !== 'string') out.push(part)
    else if (typeof last === 'string') out[out.length - 1] = last + part
    else out.push(part)
  }
  return out
    .map((part) => (typeof part === 'string' ? part.replace(/\r\n?/g, '\n') : { tag: part.tag }))
    .filter((part) => part !== '')
}

export const isSameText = (one: TextParts, other: TextParts): boolean =>
  JSON.stringify(plainParts(one)) === JSON.stringify(plainParts(other))

/** Tells whether a target is the one that was sent: no attribute that a tool sets does. */
export const fingerprintOf = (target: TextParts): string =>
  createHash('sha256')
    .update(JSON.stringify(plainParts(target)))
    .digest('base64url')
    .slice(0, 12)

/** What was sent: the target, and what the segment itself had. */
export type Sent = { readonly target: string; readonly own: string }

/** In an attribute that tools keep. */
export const writeMark = ({ target, own }: Pick<PackedSegment, 'target' | 'own'>): string =>
  `sent.${fingerprintOf(target)}.${own ? fingerprintOf(own) : 'none'}`

export function readMark(text: string): Sent | undefined {
  const [, target, own] = /sent\.([\w-]{12})\.([\w-]{12}|none)$/.exec(text) ?? []
  return target !== undefined && own !== undefined ? { target, own } : undefined
}
