/**
 * `connect`: everything a connector does with a hub, on one object. It holds a token and nothing else; two connections
 * know nothing of each other.
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
import { openUpload, type Upload } from './upload.ts'
import { openWait, type Wait } from './wait.ts'

export type ConnectOptions = {
  /** `https://hub.example.org`, without /v2. */
  readonly url: string
  readonly clientId: string
  readonly clientSecret: string
  /** Where tokens are had, if elsewhere. */
  readonly authUrl?: string
  /** Narrows what the token may do. */
  readonly scope?: string
  /** Name, version and installation, sent with every job. A connector in production has one. */
  readonly connector?: Connector
  readonly languages?: LanguageTable
  readonly retry?: Partial<RetryPolicy>
  /** How long one call may stay without an answer; 60 s unless given. */
  readonly timeoutMs?: number
  /** What must outlive the process: uploads under way, updates that were handled. In memory unless given. */
  readonly kept?: KeptTexts
  /** Takes every transaction; `dailyLog` of @dragoman/sdk/node writes them to a file a day. */
  readonly log?: LogSink
  readonly fetch?: typeof globalThis.fetch
}

export type Connection = Calls &
  Polling & {
    readonly url: string
    /** The items of a paged call, over all its pages. */
    readonly each: Each
    readonly upload: Upload
    readonly download: DownloadFile
    readonly add: Add
    readonly push: PushJob
    readonly wait: Wait
    /** The translation of a key-value request. */
    fields(request: Pick<JobRequest, 'jobId' | 'requestId'>): Promise<Record<string, string>>
    /** Approves, however many there are. */
    approve(jobId: string, requestIds: readonly string[]): Promise<void>
    findProviderNamed(nameOrId: string): ReturnType<typeof findProvider>
    /** The accepted code for one of the content system's. */
    language(code: string): string
  }

export function connect(options: ConnectOptions): Connection {
  const url = addressOf(options.url, 'url')
  const timeoutMs = options.timeoutMs ?? 60_000
  const fetch = waitedFor(options.fetch ?? ((input, init) => globalThis.fetch(input, init)), timeoutMs)
  const kept = options.kept ?? keptInMemory()
  const log = openLog(options.log)
  const retries = openRetries({ ...usualRetry, ...options.retry })
  const { clientId, clientSecret, scope, languages = {} } = options
  if (!clientId || !clientSecret) throw new TypeError('connect needs a clientId and a clientSecret.')
  const authUrl = options.authUrl === undefined ? url : addressOf(options.authUrl, 'authUrl')
  const who = { authUrl, clientId, clientSecret, ...(scope !== undefined && { scope }) }
  const parts = { fetch, retries, log, timeoutMs }
  const transport = openTransport({ url, ...parts, tokens: openTokens(who, parts) })
  const { calls, each } = openCalls(transport, openPrepare(openConnector(options.connector), languages))
  const upload = openUpload(transport, calls, kept)
  const add = openAdd(calls, upload)
  return {
    ...calls,
    ...openPolling(calls, each, kept),
    url,
    each,
    upload,
    download: openDownload(transport),
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
 * A connection that breaks at its very beginning may leave Node's fetch pending with nothing that keeps the process: it would end
 * without a word. A timer keeps it until the call has failed.
 */
function waitedFor(fetch: typeof globalThis.fetch, ms: number): typeof globalThis.fetch {
  return (input, init) => {
    const timer = setTimeout(() => {}, ms + 1_000)
    return fetch(input, init).finally(() => clearTimeout(timer))
  }
}

/** Without the slash at its end, and without /v2, which the rows of the table add themselves. */
function addressOf(text: string, name: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.search || url.hash)
    throw new TypeError(`${name} is an http or https address without user, query or fragment, not "${text}".`)
  return url.href.replace(/\/+$/, '').replace(/\/v2$/, '')
}
