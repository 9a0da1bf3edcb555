/**
 * What a connector stands between: a content system and a hub. Both are given; `connect` of
 * @dragoman/sdk returns a hub that fits.
 */
import type { Arrived, Conflict, Known, Phase, State, Texts } from '../rules.ts'

/** In the words of the content system. */
export type Entry = { readonly collection: string; readonly id: string }

export type Source = {
  /** Shown to translators. */
  readonly name: string
  readonly texts: Texts
}

export type System = {
  /** Undefined if the entry does not exist (any more). */
  source(entry: Entry): Promise<Source | undefined>
  target(entry: Entry, language: string): Promise<Texts>
  /**
   * Writes one language: a draft, or published for that language alone. Returns a sentence if
   * something had to be left out.
   */
  write(writing: Writing): Promise<string | undefined>
  /** Whether there is such a collection with texts. */
  hasCollection(collection: string): Promise<boolean>
}
export type Writing = {
  readonly entry: Entry
  readonly language: string
  readonly texts: Texts
  /** What the connector wrote before; any other text in the target is a person's. */
  readonly ours: readonly string[]
  readonly publish: boolean
}

/** Small records under unique keys, in the content system's own database. */
export type Records = {
  get(key: string): Promise<unknown>
  put(key: string, value: unknown): Promise<void>
  remove(key: string): Promise<void>
  list(prefix: string): Promise<readonly { readonly key: string; readonly value: unknown }[]>
}

export type Settings = {
  /** A provider of the hub, by name or id. */
  readonly provider: string
  /** The system's source language. */
  readonly source: string
  /** Codes of the system to those of the hub, the source included. */
  readonly languages: Readonly<Record<string, string>>
  readonly fields?: Readonly<Record<string, readonly string[]>>
  readonly blocks?: Readonly<Record<string, readonly string[]>>
  readonly onPublish: boolean
  readonly publish: boolean
  readonly pollSeconds: number
}

type Request = {
  readonly requestId: string
  readonly statusCode: string
  readonly hasError?: boolean
  readonly latestErrorMessage?: string
  readonly sourceNativeId?: string
  readonly targetNativeLanguageCode: string
}
type InJob = { readonly params: { readonly jobId: string } }
type Key = { readonly key: string }
export type HubItem = {
  readonly name: string
  readonly id: string
  readonly targets: readonly string[]
  readonly fields: Texts
}
type Listener = { readonly listenerId: string; readonly type: string; readonly uri: string }

export type Hub = {
  readonly url: string
  findProviderNamed(nameOrId: string): Promise<{ readonly id: string }>
  createJob(
    input: { readonly body: { readonly jobName: string; readonly providerId: string } },
    options: Key,
  ): Promise<{ readonly jobId: string }>
  findJob(input: InJob): Promise<{ readonly statusCode: string }>
  add(
    jobId: string,
    items: readonly HubItem[],
    options: Key & { readonly source: string; readonly targets: readonly string[] },
  ): Promise<readonly Request[]>
  submitJob(input: InJob): Promise<unknown>
  each(name: 'listRequests', input: InJob): AsyncIterable<Request>
  findRequest(input: {
    readonly params: { readonly jobId: string; readonly requestId: string }
  }): Promise<Request>
  fields(request: { readonly jobId: string; readonly requestId: string }): Promise<Texts>
  approve(jobId: string, requestIds: readonly string[]): Promise<void>
  rejectRequests(
    input: InJob & { readonly body: { readonly requestIds: string[]; readonly note: string } },
  ): Promise<unknown>
  pollOnce(
    handle: (update: Update) => Promise<void>,
    options: { readonly ledger: true; readonly onError: (error: unknown) => void },
  ): Promise<number>
  listListeners(): Promise<{ readonly listeners: readonly Listener[] }>
  createListener(input: {
    readonly body: {
      readonly uri: string
      readonly type: 'REQUEST_STATUS_UPDATED'
      readonly secret: string
    }
  }): Promise<unknown>
  changeListener(input: {
    readonly params: { readonly listenerId: string }
    readonly body: { readonly uri: string; readonly secret: string; readonly disabled: false }
  }): Promise<unknown>
}
export type Update = { readonly jobId: string; readonly requestIds?: readonly string[] | undefined }

/** One sending of one entry into one language. */
export type Sent = {
  readonly sending: string
  readonly jobId?: string
  readonly requestId?: string
  readonly phase: Phase
  readonly texts: readonly Omit<Arrived, 'text'>[]
}
/** What is kept for an entry and a language. */
export type Row = Entry & {
  readonly language: string
  readonly known: readonly Known[]
  readonly conflicts: readonly Conflict[]
  /** Newest last. */
  readonly sent: readonly Sent[]
  readonly failed?: string
  readonly told?: string
}

export type Item = Entry & {
  readonly language: string
  readonly state: State
  readonly sentence?: string
  readonly jobId?: string
  readonly requestId?: string
  readonly jobUrl?: string
  readonly target?: string
  readonly conflict?: readonly Conflict[]
}
