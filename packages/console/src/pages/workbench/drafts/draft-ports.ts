/** Drafts: what they are, how a page sees them, and what their queue needs of the world. */
import type { KeptCheck, Segment, TextParts } from '@dragoman/contract/wire'

export type Saving = 'saved' | 'waiting' | 'saving' | 'offline' | 'conflict'

export type Draft = {
  readonly target: TextParts
  readonly state: 'DRAFT' | 'TRANSLATED'
  readonly kept?: KeptCheck[]
}
export type DraftChange = Draft & { readonly segmentId: string; readonly version: number }

/**
 * A draft in the browser: the version it is based on, and what was sent since without an answer.
 */
export type StoredDraft = DraftChange & { readonly tried?: readonly Draft[] }

export type Failure = { readonly status: number; readonly code: string; readonly current?: unknown }

export type DraftPorts = {
  /** Rejects with a `Failure`; status 0 if the hub could not be reached. */
  send(changes: readonly DraftChange[], isLeaving: boolean): Promise<readonly Segment[]>
  /** Returns whether it is stored. */
  store(draft: StoredDraft): boolean
  forget(segmentId: string): void
  after(ms: number, act: () => void): () => void
  now(): number
  changed(): void
}

export type DraftState = {
  readonly saving: Saving
  readonly target?: TextParts
  /** As the hub has it, while the person chooses. */
  readonly theirs?: Segment
  /** Why the hub refused it; it is tried again with the next change. */
  readonly failure?: Failure
}
