/**
 * `connect`: everything a connector does with a hub, on one object. Its only state is a token; two
 * connections are independent.
 */
import { type JobRequest, limits } from '@dragoman/contract/wire'
import { openTransport } from './call.ts'
import { type Calls, type Each, openCalls } from './client.ts'
import { type Connector, openConnector } from './connector.ts'
import { type Add, openAdd, recordOf } from './content.ts'
import { type DownloadFile, openDownload } from './download.ts'
import { type KeptTexts, keptInMemory } from './kept-texts.ts'
import { type LanguageTable, mapLanguage } from './languages.ts'
import { type LogSink, openLog } from './log.ts'
import { openPolling, type Polling } from './poll.ts'
import { openPrepare } from './prepare.ts'
import { findProvider, openPush, type PushJob } from './push.ts'
import { openRetries, type RetryPolicy, usualRetry } from './retry.ts'
import { openTokens } from './token.ts'
import { openSend, openUpload, type Upload } from './upload.ts'
import { openWait, type Wait } from './wait.ts'

export type ConnectOptions = {
  /** `https://hub.example.org`, without /v2. */
  readonly url: string
  readonly clientId: string
  readonly clientSecret: string
  /** The token endpoint's base URL, if elsewhere. */
  readonly authUrl?: string
  /** Restricts what the token may do. */
  readonly scope?: string
  /** Name, version and installation, sent with every job. Production connectors must set it. */
  readonly connector?: Connector
  readonly languages?: LanguageTable
  readonly retry?: Partial<RetryPolicy>
  /** Timeout of one call; 60 s by default. */
  readonly timeoutMs?: number
  /** The largest answer in JSON that is read; 64 MiB by default. Files have no limit. */
  readonly mostAnswerBytes?: number
  /**
   * Answers of more than 128 KiB are read in a place of these, so that a program with many
   * connections holds few long answers at once: returns what to call when the answer is read.
   */
  readonly longAnswers?: () => Promise<() => void>
  /**
   * Stores what must outlive the process: uploads in progress, handled updates. Kept in memory by
   * default.
   */
  readonly kept?: KeptTexts
  /** Receives every transaction; `dailyLog` of @dragoman/sdk/node writes one file per day. */
  readonly log?: LogSink
  readonly fetch?: typeof globalThis.fetch
}

export type Connection = Calls &
  Polling & {
    readonly url: string
    /** The items of a paged call, across all pages. */
    readonly each: Each
    readonly upload: Upload
    readonly download: DownloadFile
    readonly add: Add
    readonly push: PushJob
    readonly wait: Wait
    /** The translation of a key-value request. */
    fields(request: Pick<JobRequest, 'jobId' | 'requestId'>): Promise<Record<string, string>>
    /** Approves any number of requests. */
    approve(jobId: string, requestIds: readonly string[]): Promise<void>
    findProviderNamed(nameOrId: string): ReturnType<typeof findProvider>
    /** The accepted code for a code of the content system. */
    language(code: string): string
  }

/** What every connection stands on. */
export function openHub(options: ConnectOptions) {
  const url = addressOf(options.url, 'url')
  const timeoutMs = options.timeoutMs ?? 60_000
  const fetch = waitedFor(
    options.fetch ?? ((input, init) => globalThis.fetch(input, init)),
    timeoutMs,
  )
  const kept = options.kept ?? keptInMemory()
  const log = openLog(options.log)
  const retries = openRetries({ ...usualRetry, ...options.retry })
  const { clientId, clientSecret, scope, languages = {} } = options
  if (!clientId || !clientSecret)
    throw new TypeError('connect needs a clientId and a clientSecret.')
  const authUrl = options.authUrl === undefined ? url : addressOf(options.authUrl, 'authUrl')
  const who = { authUrl, clientId, clientSecret, ...(scope !== undefined && { scope }) }
  const { mostAnswerBytes, longAnswers } = options
  const parts = {
    fetch,
    retries,
    log,
    timeoutMs,
    ...(mostAnswerBytes !== undefined && { mostAnswerBytes }),
    ...(longAnswers && { longAnswers }),
  }
  const transport = openTransport({ url, ...parts, tokens: openTokens(who, parts) })
  const { calls, each } = openCalls(
    transport,
    openPrepare(openConnector(options.connector), languages),
  )
  const { ask } = transport
  return {
    url,
    ask,
    calls,
    each,
    kept,
    languages,
    send: openSend(transport, kept),
    download: openDownload(transport),
  }
}

/** A hub for calls that are not in the table of the API, with the same token, retries and log. */
export type Line = {
  readonly url: string
  /** Sends JSON and returns the JSON of the answer. */
  post(path: string, body: unknown, options?: PostOptions): Promise<unknown>
}
export type PostOptions = {
  readonly headers?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly signal?: AbortSignal
}

export function connectLine(options: ConnectOptions): Line {
  const { url, ask } = openHub(options)
  return { url, post: (path, body, more) => ask({ method: 'POST', path, body, ...more }) }
}

export function connect(options: ConnectOptions): Connection {
  const { url, calls, each, kept, languages, send, download } = openHub(options)
  const upload = openUpload(send, calls)
  const add = openAdd(calls, upload)
  return {
    ...calls,
    ...openPolling(calls, each, kept),
    url,
    each,
    upload,
    download,
    add,
    push: openPush(calls, each, add),
    wait: openWait(calls, each),
    fields: async ({ jobId, requestId }) => {
      const { translationContent } = await calls.retrieveContent({ params: { jobId, requestId } })
      return recordOf(translationContent[0]?.targetContent ?? [])
    },
    approve: async (jobId, requestIds) => {
      for (let at = 0; at < requestIds.length; at += limits.requestsPerCall) {
        const body = { requestIds: requestIds.slice(at, at + limits.requestsPerCall) }
        await calls.approveRequests({ params: { jobId }, body })
      }
    },
    findProviderNamed: (nameOrId) => findProvider(each, nameOrId),
    language: (code) => mapLanguage(code, languages),
  }
}

/**
 * If a connection breaks at its very start, Node's fetch can stay pending without keeping the
 * process alive: the process would exit silently. A timer keeps it alive until the call has failed.
 */
function waitedFor(fetch: typeof globalThis.fetch, ms: number): typeof globalThis.fetch {
  return (input, init) => {
    const timer = setTimeout(() => {}, ms + 1_000)
    return fetch(input, init).finally(() => clearTimeout(timer))
  }
}

/** Removes a trailing slash, and /v2, which the rows of the table add. */
function addressOf(text: string, name: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.search || url.hash)
    throw new TypeError(
      `${name} is an http or https address without user, query or fragment, not "${text}".`,
    )
  return url.href.replace(/\/+$/, '').replace(/\/v2$/, '')
}
