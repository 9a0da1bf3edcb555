/**
 * The port of what drives a provider. A driver that translates gets one piece of content at a time and knows nothing of
 * jobs, rows or blobs; one that does not leaves the job to people or to an outside provider.
 */
import type { ProviderType } from '@dragoman/contract'
import type { Hub } from '../../../hub.ts'
import type { ProviderRow } from '../../../store/tables.ts'
import type { Named } from '../../formats/find-format.ts'
import { FormatError } from '../../formats/format-error.ts'

export type KeyedText = { readonly key: string; readonly value: string }

/** What is to be translated: a file's bytes, or keys and values. */
export type Source = {
  readonly sourceLanguage: string
  readonly targetLanguage: string
  readonly content: (Named & { readonly bytes: Uint8Array }) | { readonly fields: readonly KeyedText[] }
}
/** `remarks` are sentences on what in the file is not translated. */
export type Translated =
  | { readonly bytes: Uint8Array; readonly remarks?: readonly string[] }
  | { readonly fields: readonly KeyedText[] }

/** The provider could not translate this; the sentence becomes the error of the request. Trying again would not help. */
export class CannotTranslate extends Error {
  override readonly name = 'CannotTranslate'
}

/** Nothing is wrong with the content, and a later try may do. The sentence is for the request when no try is left. */
export class TryLater extends Error {
  override readonly name = 'TryLater'
}

/** What a refusal of a content is to its request: final, the time limit too, for a second try would take as long. */
export const faultOfFile = (error: unknown): unknown =>
  error instanceof FormatError ? new CannotTranslate(error.message) : error

export type Driver = ProviderType & {
  readonly capabilities: { readonly supportUpdateTM: boolean; readonly supportQuote: boolean }
  /** It calls somebody who may be slow: its tasks wait apart from the hub's own work, each with a few requests. */
  readonly outside?: boolean
  /** What is wrong with a config that fits the schema. */
  readonly faultIn?: (hub: Hub, config: Readonly<Record<string, unknown>>) => ConfigFault | undefined
  /** Absent where others do the work. Throws CannotTranslate, or TryLater or anything else to be tried again. */
  readonly translate?: (hub: Hub, provider: ProviderRow, source: Source) => Promise<Translated>
}

export type ConfigFault = { readonly path: string; readonly message: string }

export const noConfig = { type: 'object', properties: {}, additionalProperties: false }
