/**
 * The client side of TUS 1.0.0: create, ask for the offset, send piece by piece. After an error it
 * asks the hub for the offset, so that no byte is sent twice or left out.
 */
import { type FmsTransferObject, HubError, heardError } from '@dragoman/contract/wire'
import { readFailure, type Transport, within } from './call.ts'
import { now } from './clock.ts'
import { unreachable } from './failures.ts'
import type { Bytes, Source } from './source.ts'

export type TusUpload = {
  readonly transfer: FmsTransferObject
  readonly source: Source
  readonly chunkBytes: number
  readonly signal?: AbortSignal
  readonly onProgress?: (sent: number, size: number) => void
}

/** Creates the upload at the hub and returns its URL. */
export async function createTus(transport: Transport, upload: TusUpload): Promise<string> {
  const { transfer, source, chunkBytes, signal } = upload
  const metadata = {
    name: source.name,
    contentType: source.contentType ?? '',
    chunkSize: String(chunkBytes),
  }
  const answer = await transport.retries.run(
    (attempt) =>
      speak(transport, upload, {
        method: 'POST',
        address: transfer.fmsUploadUrl,
        attempt,
        headers: { 'upload-length': String(source.size), 'upload-metadata': encode(metadata) },
      }),
    signal,
  )
  const location = answer.headers.get('location')
  if (!location)
    throw heardError('FMS_UNAVAILABLE', 'The hub made an upload without an address.', {
      status: 502,
    })
  return new URL(location, transfer.fmsUploadUrl).href
}

/** Sends the missing bytes. Resolves when the hub has all of them. */
export async function sendTus(
  transport: Transport,
  upload: TusUpload,
  address: string,
  isNew: boolean,
): Promise<void> {
  const { source, chunkBytes, signal, onProgress } = upload
  const askOffset = async (attempt: number) =>
    offsetOf(await speak(transport, upload, { method: 'HEAD', address, attempt }))
  let offset = isNew ? 0 : await transport.retries.run(askOffset, signal)
  onProgress?.(offset, source.size)
  while (offset < source.size) {
    const from: number = offset
    offset = await transport.retries.run(async (attempt) => {
      const at = attempt === 1 ? from : await askOffset(attempt)
      if (at >= source.size) return at
      const body = await source.read(at, Math.min(at + chunkBytes, source.size))
      const headers = {
        'upload-offset': String(at),
        'content-type': 'application/offset+octet-stream',
      }
      return offsetOf(
        await speak(transport, upload, { method: 'PATCH', address, attempt, headers, body }),
      )
    }, signal)
    onProgress?.(offset, source.size)
  }
}

/** Whether the hub no longer has the upload, so that it must start again. */
export const isGone = (error: unknown): boolean =>
  error instanceof HubError && [403, 404, 410].includes(error.status)

type Step = {
  readonly method: 'POST' | 'HEAD' | 'PATCH'
  readonly address: string
  readonly attempt: number
  readonly headers?: Record<string, string>
  readonly body?: Bytes
}

async function speak(
  transport: Transport,
  { transfer, signal }: TusUpload,
  step: Step,
): Promise<Response> {
  const begun = now()
  const { method, address, attempt } = step
  const write = (status: number) =>
    transport.log({ method, path: new URL(address).pathname, status, attempt, begun })
  const answer = await transport
    .fetch(address, {
      method,
      headers: { 'tus-resumable': '1.0.0', sastoken: transfer.fmsSASToken, ...step.headers },
      ...(step.body && { body: step.body }),
      redirect: 'error',
      signal: within(transport.timeoutMs, signal),
    })
    .catch((error: unknown) => {
      write(0)
      signal?.throwIfAborted()
      throw unreachable(new URL(address).origin, error)
    })
  write(answer.status)
  if (answer.ok) return answer
  const failure = await readFailure(answer, new URL(address).origin)
  // Another writer is active, or our offset is wrong: asking for the offset again resolves both.
  if (method === 'PATCH' && [409, 423, 460].includes(answer.status))
    throw heardError('FMS_UNAVAILABLE', failure.message, { status: 503, cause: failure })
  throw failure
}

function offsetOf(answer: Response): number {
  const text = answer.headers.get('upload-offset')
  if (text && /^\d+$/.test(text)) return Number(text)
  throw heardError('FMS_UNAVAILABLE', 'The hub did not say how much of the upload it has.', {
    status: 502,
  })
}

/** Comma-separated pairs of a name and base64 of UTF-8; empty ones are left out. */
function encode(metadata: Readonly<Record<string, string>>): string {
  const base64 = (text: string) => btoa(String.fromCharCode(...new TextEncoder().encode(text)))
  return Object.entries(metadata)
    .filter(([, text]) => text !== '')
    .map(([name, text]) => `${name} ${base64(text)}`)
    .join(',')
}
