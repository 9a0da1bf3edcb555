/**
 * Downloads a file: follows the 307 itself, without sending the token to the file store. A broken
 * download resumes where it broke, and requests a new link when the old one has expired.
 */
import { type EndpointName, HubError, heardError } from '@dragoman/contract/wire'
import { readFailure, type Transport } from './call.ts'
import { addressOf, rowOf } from './client.ts'
import { now } from './clock.ts'
import { unreachable } from './failures.ts'
import { openPatience, type Patience } from './patience.ts'
import type { Bytes } from './source.ts'

/** What to fetch: a translation, a source file of a job, or a file for a provider. */
export type Downloadable =
  | { readonly jobId: string; readonly requestId: string }
  | { readonly jobId: string; readonly fmsFileId: string }
  | { readonly providerId: string; readonly jobId: string; readonly assetTaskId: string }
  | { readonly providerId: string; readonly jobId: string; readonly supportAssetId: string }

export type Download = {
  /** The job, and the id of the item in it. */
  readonly of: { readonly jobId: string; readonly id: string }
  /** As the hub has it: not safe as a file name. */
  readonly name: string
  readonly contentType: string
  /** Undefined if the file store does not report it. */
  readonly size: number | undefined
  /** The content in chunks; can be read once. */
  chunks(): AsyncIterable<Bytes>
  bytes(): Promise<Bytes>
  text(): Promise<string>
}

export type DownloadFile = (
  what: Downloadable,
  options?: { readonly signal?: AbortSignal },
) => Promise<Download>

export function openDownload(transport: Transport): DownloadFile {
  return async (what, { signal } = {}) => {
    const path = pathFor(what)
    const patience = openPatience(transport.timeoutMs, signal)
    const asked = { transport, path, patience }
    const first = await transport.retries.run((attempt) => follow(asked, attempt), signal)
    const size = numberOf(first.headers.get('content-length'))
    const chunks = () => read(asked, first, size)
    const bytes = async () => join(chunks())
    return {
      of: { jobId: what.jobId, id: idOf(what) },
      name: nameOf(first.headers.get('content-disposition')) ?? path.split('/').at(-1) ?? 'file',
      contentType: first.headers.get('content-type') ?? 'application/octet-stream',
      size,
      chunks,
      bytes,
      text: async () => new TextDecoder().decode(await bytes()),
    }
  }
}

function pathFor(what: Downloadable): string {
  const name: EndpointName =
    'requestId' in what
      ? 'retrieveFile'
      : 'fmsFileId' in what
        ? 'findSourceFile'
        : 'assetTaskId' in what
          ? 'findAssetTaskSource'
          : 'findSupportAssetSource'
  return addressOf(rowOf(name), what)
}

function idOf(what: Downloadable): string {
  if ('requestId' in what) return what.requestId
  if ('fmsFileId' in what) return what.fmsFileId
  return 'assetTaskId' in what ? what.assetTaskId : what.supportAssetId
}

type DownloadSource = {
  readonly transport: Transport
  readonly path: string
  readonly patience: Patience
}

/** Requests the bytes, from the break of the last response if it is still the same file. */
async function follow(
  { transport, path, patience }: DownloadSource,
  attempt: number,
  from?: From,
): Promise<Response> {
  const { given } = patience
  const ask = {
    method: 'GET',
    path,
    accept: 'application/octet-stream',
    ...(given && { signal: given }),
  } as const
  const range: Record<string, string> = from
    ? { range: `bytes=${from.at}-`, 'if-range': from.etag }
    : {}
  const answer = await transport.send({ ...ask, redirect: 'manual' })
  // A page cannot see the target of a redirect: the browser follows it, and drops the token for
  // another origin.
  if (answer.type === 'opaqueredirect') return transport.send({ ...ask, redirect: 'follow' })
  const location = answer.headers.get('location')
  if (answer.status !== 307 || !location) return answer
  await answer.body?.cancel()
  const address = new URL(location, transport.url)
  const begun = now()
  const write = (status: number) =>
    transport.log({ method: 'GET', path: address.pathname, status, attempt, begun })
  const file = await transport
    .fetch(address, {
      headers: { accept: 'application/octet-stream', ...range },
      signal: patience.begin(),
    })
    .finally(patience.end)
    .catch((error: unknown) => {
      write(0)
      given?.throwIfAborted()
      throw unreachable(address.origin, error)
    })
  write(file.status)
  if (file.ok) return file
  const failure = await readFailure(file, address.origin)
  // The link has expired meanwhile; the next attempt requests another.
  if ([401, 403, 404, 410].includes(file.status) && !(failure.code in notPassing))
    throw heardError('FMS_UNAVAILABLE', failure.message, { status: 503, cause: failure })
  throw failure
}

const notPassing = { JOB_NOT_FOUND: true, FILE_NOT_FOUND: true } as const
type From = { readonly at: number; readonly etag: string }

async function* read(
  asked: DownloadSource,
  first: Response,
  size: number | undefined,
): AsyncGenerator<Bytes, void> {
  const { transport, patience } = asked
  let answer = first
  let at = 0
  for (;;) {
    const broke = yield* pour(answer, patience, (length) => {
      at += length
    })
    if (broke === undefined && (size === undefined || at === size)) return
    patience.given?.throwIfAborted()
    const etag = first.headers.get('etag')
    if (size !== undefined && at > size) throw changed()
    // Without an ETag the rest might not match.
    if (etag === null)
      throw unreachable(transport.url, broke ?? new Error('the file ended too early'))
    const from = { at, etag }
    answer = await transport.retries.run(
      (attempt) => follow(asked, attempt + 1, from),
      patience.given,
    )
    if (answer.status !== 206) throw changed()
  }
}

const changed = () =>
  new HubError('FMS_UNAVAILABLE', {
    because: 'the file changed while it was downloaded; download it again.',
  })

/** Returns why it ended early. The body may be slow as long as bytes keep arriving. */
async function* pour(
  answer: Response,
  patience: Patience,
  count: (length: number) => void,
): AsyncGenerator<Bytes, unknown> {
  if (!answer.body) return undefined
  const reader = answer.body.getReader()
  try {
    for (;;) {
      let piece: Awaited<ReturnType<typeof reader.read>>
      try {
        piece = await patience.race(reader.read())
      } catch (error) {
        return error
      }
      if (piece.done) return undefined
      count(piece.value.length)
      yield piece.value as Bytes
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
}

async function join(chunks: AsyncIterable<Bytes>): Promise<Bytes> {
  const parts: Bytes[] = []
  for await (const chunk of chunks) parts.push(chunk)
  return new Uint8Array(await new Blob(parts).arrayBuffer())
}

const numberOf = (text: string | null): number | undefined =>
  text && /^\d+$/.test(text) ? Number(text) : undefined

/** RFC 6266: the extended name before the plain one. */
function nameOf(disposition: string | null): string | undefined {
  const extended = /filename\*\s*=\s*UTF-8''([^;]+)/i.exec(disposition ?? '')?.[1]
  if (extended !== undefined) {
    try {
      return decodeURIComponent(extended.trim())
    } catch {
      // A stray percent sign: use the plain name.
    }
  }
  const [, quoted] = (disposition ?? '').split(/filename\s{0,9}=\s{0,9}"/i, 2)
  return /^((?:[^"\\]|\\.)*)"/.exec(quoted ?? '')?.[1]?.replace(/\\(.)/g, '$1')
}
