/**
 * One PATCH of an upload whose body is sent piece by piece, so that another writer can come in
 * between.
 */
import { Agent, request } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import type { Transfer } from './connector.ts'

export type Patched = { readonly status: number | undefined; readonly offset: number | undefined }

export type PacedBody = {
  readonly letter: string
  readonly bytes: number
  readonly pieces: number
  /** The pause between two pieces. */
  readonly pauseMs: number
}

const agent = new Agent({ keepAlive: false })

export const patchPaced = (
  url: URL,
  transfer: Transfer,
  from: number,
  body: PacedBody,
): Promise<Patched> =>
  new Promise((resolve) => {
    const call = request(url, {
      method: 'PATCH',
      agent,
      headers: {
        ...tusHeaders(transfer),
        'content-type': 'application/offset+octet-stream',
        'upload-offset': from,
        'content-length': body.bytes,
      },
    })
    const end = (status?: number, offset?: number) => {
      call.destroy()
      resolve({ status, offset })
    }
    call.on('response', (answer) => {
      answer.resume()
      const offset = answer.headers['upload-offset']
      end(answer.statusCode, offset === undefined ? undefined : Number(offset))
    })
    // A missing response says nothing: the writer does not know what happened to its bytes.
    call.on('error', () => end())
    void send()
    async function send() {
      const piece = Buffer.alloc(Math.ceil(body.bytes / body.pieces), body.letter)
      for (let left = body.bytes; left > 0 && !call.destroyed; left -= piece.length) {
        call.write(piece.subarray(0, Math.min(left, piece.length)))
        if (body.pauseMs > 0) await delay(body.pauseMs)
      }
      call.end()
    }
  })

/** The bytes from the acknowledged offset on, at once. Throws if there is no response. */
export async function sendPatch(
  url: URL,
  upload: {
    readonly transfer: Transfer
    readonly bytes: Uint8Array
    readonly acknowledged: number
  },
  to: number,
): Promise<Patched> {
  const answer = await fetch(url, {
    method: 'PATCH',
    headers: {
      ...tusHeaders(upload.transfer),
      'content-type': 'application/offset+octet-stream',
      'upload-offset': String(upload.acknowledged),
    },
    body: upload.bytes.subarray(upload.acknowledged, to) as BodyInit,
  })
  await answer.arrayBuffer()
  const offset = answer.headers.get('upload-offset')
  return { status: answer.status, offset: offset === null ? undefined : Number(offset) }
}

export const tusHeaders = (transfer: Transfer): Record<string, string> => ({
  sastoken: transfer.fmsSASToken,
  'tus-resumable': '1.0.0',
})

export async function createUpload(
  hub: string,
  transfer: Transfer,
  length: number,
): Promise<string> {
  const answer = await fetch(new URL(new URL(transfer.fmsUploadUrl).pathname, hub), {
    method: 'POST',
    headers: { ...tusHeaders(transfer), 'upload-length': String(length) },
  })
  const path = answer.headers.get('location')
  if (answer.status !== 201 || !path)
    throw new Error(`upload not created: ${answer.status} ${await answer.text()}`)
  return path
}

/** The offset that the hub reports; repeats while another writer holds the upload. */
export async function offsetOf(url: URL, transfer: Transfer): Promise<number> {
  for (let tries = 0; ; tries += 1) {
    const answer = await fetch(url, { method: 'HEAD', headers: tusHeaders(transfer) })
    if (answer.status === 200) return Number(answer.headers.get('upload-offset'))
    if (tries >= 5) throw new Error(`no offset: ${answer.status}`)
  }
}
