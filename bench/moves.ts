/**
 * The ways to move a file in and out of a hub, each timed in MB per second. The bytes are compared
 * after the run, untimed.
 */
import type { Files } from './source-file.ts'

const boundary = 'bench-7f3c2a'
const around = [
  `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="large.bin"\r\ncontent-type: application/octet-stream\r\n\r\n`,
  `\r\n--${boundary}--\r\n`,
] as const
const protocol = { 'tus-resumable': '1.0.0', 'content-type': 'application/offset+octet-stream' }

const rateOf = ({ source }: Files, seconds: number): number => source.size / 1e6 / seconds

/** As a form to any URL. */
export async function postForm(files: Files, url: string): Promise<number> {
  const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` }
  const send = { url, method: 'POST', headers, file: files.source.path, around }
  return rateOf(files, await files.mover.ask('send', send))
}

/**
 * By TUS to any URL: in one call, or in pieces of this many bytes. Also returns the upload's URL.
 */
export async function sendTus(
  files: Files,
  address: string,
  headers: Record<string, string>,
  pieceBytes?: number,
): Promise<{ rate: number; url: string }> {
  const url = await createTus(address, files.source.size, headers)
  const send = {
    url,
    method: 'PATCH',
    file: files.source.path,
    headers: { ...protocol, ...headers },
  }
  const seconds = pieceBytes
    ? await files.mover.ask('sendPieces', { ...send, pieceBytes })
    : await files.mover.ask('send', { ...send, headers: { ...send.headers, 'upload-offset': '0' } })
  return { rate: rateOf(files, seconds), url }
}

async function createTus(
  address: string,
  size: number,
  headers: Record<string, string>,
): Promise<string> {
  const sent = { 'tus-resumable': '1.0.0', 'upload-length': String(size), ...headers }
  const answer = await fetch(address, { method: 'POST', headers: sent })
  const location = answer.headers.get('location')
  if (answer.status !== 201 || !location) throw new Error(`${address} answered ${answer.status}`)
  return new URL(location, address).href
}

/** A new file in the hub, as a form. */
export async function uploadForm(files: Files): Promise<number> {
  const { fmsFileId, fmsPostMultipartUrl } = await files.beginTransfer()
  const rate = await postForm(files, fmsPostMultipartUrl)
  await files.mustBeSame({ url: await files.link(fmsFileId) })
  return rate
}

/** A new file in the hub, by TUS. */
export async function uploadTus(
  files: Files,
  pieceBytes?: number,
): Promise<{ rate: number; fileId: string }> {
  const { fmsFileId, fmsSASToken, fmsUploadUrl } = await files.beginTransfer()
  const { rate } = await sendTus(files, fmsUploadUrl, { sastoken: fmsSASToken }, pieceBytes)
  await files.mustBeSame({ url: await files.link(fmsFileId) })
  return { rate, fileId: fmsFileId }
}

export const readFrom = async (files: Files, url: string): Promise<number> =>
  rateOf(files, await files.mover.ask('read', url))
