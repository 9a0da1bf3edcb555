/**
 * The port for providers. A driver that translates gets one content at a time and knows nothing of
 * jobs, rows or blobs. Without `translate`, people or an external provider do the work.
 */
import type { ProviderType, TextParts } from '@dragoman/contract'
import { FormatError, type Named, type Part } from '@dragoman/text/formats'
import type { Hub } from '../../../hub.ts'
import type { Db } from '../../../store/database.ts'
import type { ProviderRow } from '../../../store/tables.ts'
import type { Basis } from '../quality/basis.ts'
import type { Risk } from './verify-answer.ts'

export type KeyedText = { readonly key: string; readonly value: string }

/** What to translate: a file's bytes, or key-value content. */
export type Source = {
  readonly sourceLanguage: string
  readonly targetLanguage: string
  /**
   * The longest that one call to an engine may take here, if that is shorter than what its config
   * says.
   */
  readonly maxSeconds?: number
  /** The job that pays for it; a test has none. */
  readonly jobId?: string
  /** Only a try-out: the engine itself is asked, not the memory. */
  readonly isTrial?: true
  /** Targets that are there already, by the ids of segments: no engine is asked for them. */
  readonly carried?: ReadonlyMap<string, TextParts>
  readonly content:
    | (Named & { readonly bytes: Uint8Array })
    | { readonly fields: readonly KeyedText[] }
}
/** `remarks` are sentences on what in the file is not translated. */
export type Translated = (
  | { readonly bytes: Uint8Array; readonly remarks?: readonly string[] }
  | { readonly fields: readonly KeyedText[] }
) & { readonly machine?: readonly MachineSegment[] }

/** People get suggestions instead of a translation. */
export type Suggested = {
  readonly suggestions: Suggestions
  readonly machine: readonly MachineSegment[]
}
export type Suggestions = {
  readonly texts: readonly (readonly [id: string, parts: readonly Part[]])[]
  /** These segments have no suggestion; each says why. */
  readonly open: readonly (readonly [id: string, reason: string])[]
  /** This says why there are no suggestions at all. */
  readonly because?: string
}

/** Who translated a segment, by its id in the content, and how far to trust it. */
export type MachineSegment = Risk & {
  readonly id: string
  readonly origin: Origin
  readonly basis: Basis
}
/** A provider's engine, or the memory. */
export type Origin = { readonly providerId: string; readonly engine: string } | 'MEMORY'

/**
 * The provider cannot translate this content. The message becomes the request's error; a retry
 * would not help.
 */
export class CannotTranslate extends Error {
  override readonly name = 'CannotTranslate'
}

/**
 * Nothing is wrong with the content, and a later try may succeed. The message becomes the request's
 * error if no try is left.
 */
export class TryLater extends Error {
  override readonly name = 'TryLater'
}

/**
 * A quota or a limit is used up, the vendor's or ours: the work waits until this time, or until
 * someone changes the provider.
 */
export class Held extends TryLater {
  readonly until: number
  constructor(message: string, until: number) {
    super(message)
    this.until = until
  }
}

/**
 * A FormatError is final for its request, even a timeout, because a second try would take as long.
 */
export const faultOfFile = (error: unknown): unknown =>
  error instanceof FormatError ? new CannotTranslate(error.message) : error

export type Driver = ProviderType & {
  readonly capabilities: { readonly supportUpdateTM: boolean; readonly supportQuote: boolean }
  /**
   * Calls something that may be slow: its tasks run in the outside lane, with few requests each.
   */
  readonly outside?: boolean
  /** The schema for this config, if it depends on the config; otherwise `configSchema`. */
  readonly schemaFor?: (config: Readonly<Record<string, unknown>>) => Record<string, unknown>
  /** Checks a config that is valid by the schema. */
  readonly faultIn?: (
    hub: Hub,
    config: Readonly<Record<string, unknown>>,
    site: { readonly db: Db; readonly siteId: string },
  ) => ConfigFault | undefined | Promise<ConfigFault | undefined>
  /** The provider whose people work on the suggestions that `translate` makes. */
  readonly people?: (provider: ProviderRow) => string | undefined
  /**
   * The id of a provider that must be enabled before this one can take work; undefined if it can.
   */
  readonly missing?: (db: Db, provider: ProviderRow) => Promise<string | undefined>
  /**
   * The languages that the engine lists. Undefined if it cannot be asked: then no pair is refused.
   */
  readonly languages?: (hub: Hub, provider: ProviderRow) => Promise<Languages | undefined>
  /**
   * Absent if others do the work. Throws CannotTranslate, or TryLater or any other error for a
   * retry.
   */
  readonly translate?: (
    hub: Hub,
    provider: ProviderRow,
    source: Source,
  ) => Promise<Translated | Suggested>
  /** The whole job goes on to another service, which this names. */
  readonly sendsTo?: (provider: ProviderRow) => Beyond
  /**
   * Asks that service for something harmless. Throws what is wrong, as CannotTranslate or TryLater.
   */
  readonly reach?: (hub: Hub, provider: ProviderRow) => Promise<void>
}

/** Another service of this interface, as its config names it. */
export type Beyond = { readonly url: string }

export type Languages = {
  readonly pairs: readonly { readonly source: string; readonly targets: readonly string[] }[]
  readonly has: (source: string, target: string) => boolean
}

export type ConfigFault = { readonly path: string; readonly message: string }

/** Types of providers whose work people do, or programs of theirs. */
export const peopleTypes: ReadonlySet<string> = new Set(['manual', 'api'])

export const noConfig = { type: 'object', properties: {}, additionalProperties: false }
