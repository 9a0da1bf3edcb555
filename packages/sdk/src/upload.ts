/**
 * Uploads a file: in one multipart call below 1 MB, by TUS above, as the specification recommends.
 * A TUS upload is recorded while it runs and resumes where it stopped, even in another process, if
 * the bytes are the same.
 */
import { type FmsTransferObject, HubError, limits } from '@dragoman/contract/wire'
import { readFailure, type Transport, within } from './call.ts'
import type { Calls } from './client.ts'
import { now } from './clock.ts'
import { unreachable } from './failures.ts'
import type { KeptTexts } from './kept-texts.ts'
import { type Source, versionOf } from './source.ts'
import { createTus, isGone, sendTus, type TusUpload } from './tus.ts'

export type UploadOptions = {
  readonly signal?: AbortSignal
  readonly onProgress?: (sent: number, size: number) => void
  /** Piece size of a TUS upload; 4 MiB by default. */
  readonly chunkBytes?: number
}

const multipartUnder = 1024 ** 2
const usualChunk = 4 * 1024 ** 2

export type Upload = (
  jobId: string,
  source: Source,
  options?: UploadOptions,
) => Promise<{ fmsFileId: string }>

/** Sends the bytes of a source to a transfer that `ask` requests; `of` names what they are for. */
export type Send = (
  of: string,
  ask: Ask,
  source: Source,
  options?: UploadOptions,
) => Promise<FmsTransferObject>

/** Multipart requests a new transfer for each attempt, because a broken form cannot resume. */
export function openSend(transport: Transport, kept: KeptTexts): Send {
  return async (of, ask, source, options = {}) => {
    if (source.size > limits.fileBytes)
      throw new HubError('FILE_TOO_LARGE', { limit: limits.fileBytes, way: 'a file' })
    return source.size < multipartUnder
      ? sendForm(transport, ask, source, options)
      : sendPieces(
          transport,
          ask,
          { source, ...options },
          await recordOf(kept, of, source, options.signal),
        )
  }
}

export function openUpload(send: Send, calls: Pick<Calls, 'createSourceFile'>): Upload {
  return async (jobId, source, options) => {
    const input = { params: { jobId }, query: { fileName: source.name } }
    const { fmsFileId } = await send(
      jobId,
      (of) => calls.createSourceFile(input, of),
      source,
      options,
    )
    return { fmsFileId }
  }
}

type Ask = (options?: Pick<UploadOptions, 'signal'>) => Promise<FmsTransferObject>

async function sendForm(
  transport: Transport,
  ask: Ask,
  source: Source,
  options: UploadOptions,
): Promise<FmsTransferObject> {
  const { signal, onProgress } = options
  const bytes = await source.read(0, source.size)
  onProgress?.(0, source.size)
  const sent = await transport.retries.run(async (attempt) => {
    const transfer = await ask(signal && { signal })
    const form = new FormData()
    form.append('file', new Blob([bytes], { type: source.contentType ?? '' }), source.name)
    await postForm(transport, transfer.fmsPostMultipartUrl, form, { attempt, signal })
    return transfer
  }, signal)
  onProgress?.(source.size, source.size)
  return sent
}

/** The URL is signed, so the token is not sent. */
async function postForm(
  transport: Transport,
  address: string,
  body: FormData,
  { attempt, signal }: { readonly attempt: number; readonly signal: AbortSignal | undefined },
) {
  const begun = now()
  const write = (status: number) =>
    transport.log({ method: 'POST', path: new URL(address).pathname, status, attempt, begun })
  const answer = await transport
    .fetch(address, {
      method: 'POST',
      body,
      redirect: 'error',
      signal: within(transport.timeoutMs, signal),
    })
    .catch((error: unknown) => {
      write(0)
      signal?.throwIfAborted()
      throw unreachable(new URL(address).origin, error)
    })
  write(answer.status)
  if (!answer.ok) throw await readFailure(answer, new URL(address).origin)
  await answer.body?.cancel()
}

async function sendPieces(
  transport: Transport,
  ask: Ask,
  { source, chunkBytes = usualChunk, ...options }: UploadOptions & { readonly source: Source },
  record: Progress | undefined,
): Promise<FmsTransferObject> {
  const begun = readBegun(await record?.get())
  if (begun) {
    const upload: TusUpload = { transfer: begun.transfer, source, chunkBytes, ...options }
    const isDone = await sendTus(transport, upload, begun.address, false).then(
      () => true,
      (error: unknown) => {
        if (isGone(error)) return false
        throw error
      },
    )
    await record?.remove()
    if (isDone) return begun.transfer
  }
  const transfer = await ask(options.signal && { signal: options.signal })
  const upload: TusUpload = { transfer, source, chunkBytes, ...options }
  const address = await createTus(transport, upload)
  await record?.set(JSON.stringify({ transfer, address } satisfies Begun))
  await sendTus(transport, upload, address, true)
  await record?.remove()
  return transfer
}

type Begun = { readonly transfer: FmsTransferObject; readonly address: string }

/** Where an upload in progress is recorded. */
type Progress = {
  get(): Promise<string | undefined>
  set(text: string): Promise<void>
  remove(): Promise<void>
}

/**
 * By what it is for, name and bytes. Undefined if the bytes cannot be told from others: then
 * nothing is resumed.
 */
async function recordOf(
  kept: KeptTexts,
  of: string,
  source: Source,
  signal?: AbortSignal,
): Promise<Progress | undefined> {
  const version = await versionOf(source, signal)
  if (version === undefined) return undefined
  const key = `upload ${of} ${source.size} ${version} ${source.name}`
  return {
    get: () => kept.get(key),
    set: (text) => kept.set(key, text),
    remove: () => kept.remove(key),
  }
}

function readBegun(text: string | undefined): Begun | undefined {
  try {
    const found = text === undefined ? undefined : (JSON.parse(text) as Partial<Begun>)
    return found?.transfer && found.address
      ? { transfer: found.transfer, address: found.address }
      : undefined
  } catch {
    return undefined
  }
}
