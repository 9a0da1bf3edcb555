/** TUS uploads, hashed and on the disk when they are acknowledged, against @tus/server with its file store (neither). */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { installAnchors } from '../anchors.ts'
import { startChild } from '../child.ts'
import type { TusFilesVerbs } from '../children/tus-files.ts'
import type { Bench, Figure, Row } from '../figure.ts'
import { inTurn, ratioOf, type Side, throughput } from '../pairs.ts'
import { type Files, mib, openFiles } from '../source-file.ts'

export const tus: Figure = {
  name: 'tus',
  says: 'TUS, 1 GB in one PATCH and in 1 MiB chunks, against @tus/server with its file store',
  run: async (bench) => {
    await installAnchors(bench)
    const size = bench.options.quick ? 3 * mib : 1024 * mib
    const files = await openFiles(bench, 'tus', size)
    const folder = await bench.folder()
    const anchor = startChild<TusFilesVerbs>(bench, 'tus-files')
    const port = await anchor.ask('open', folder)
    const whole = await measure(bench, files, { folder, port })
    const chunks = await measure(bench, files, { folder, port }, mib)
    await Promise.all([files.stop(), anchor.stop()])
    const row = (says: string, { ours, anchor }: Taken): Row => ({
      figure: `TUS, 1 GB ${says}`,
      ours: throughput(ours),
      anchor: throughput(anchor),
      measured: ratioOf(ours, anchor),
      unit: 'x',
      target: { atLeast: 0.8 },
    })
    return [
      row('in one PATCH (ours with sha256, fsync before the answer; @tus/file-store with neither)', whole),
      row('in 1 MiB chunks (ours with sha256, fsync and a committed row for every chunk)', chunks),
    ]
  },
}

type Taken = { readonly ours: number[]; readonly anchor: number[] }
type Anchor = { readonly folder: string; readonly port: number }

const protocol = { 'tus-resumable': '1.0.0', 'content-type': 'application/offset+octet-stream' }

/** MB a second of each side. The bytes are compared after each run, which is not timed. */
async function measure(bench: Bench, files: Files, { folder, port }: Anchor, pieceBytes?: number): Promise<Taken> {
  const { source, mover } = files
  const move = async (url: string, headers: Record<string, string>): Promise<number> => {
    const send = { url, method: 'PATCH', file: source.path, headers: { ...protocol, ...headers } }
    const seconds = pieceBytes
      ? await mover.ask('sendPieces', { ...send, pieceBytes })
      : await mover.ask('send', { ...send, headers: { ...send.headers, 'upload-offset': '0' } })
    return source.size / 1e6 / seconds
  }
  const ours: Side = async () => {
    const transfer = await files.beginTransfer()
    const token = { sastoken: transfer.fmsSASToken }
    const moved = await move(await create(transfer.fmsUploadUrl, source.size, token), token)
    await files.mustBeSame({ url: await files.link(transfer.fmsFileId) })
    return moved
  }
  const anchor: Side = async () => {
    const url = await create(`http://127.0.0.1:${port}/files`, source.size)
    const moved = await move(url, {})
    const file = join(folder, url.slice(url.lastIndexOf('/') + 1))
    await files.mustBeSame({ file })
    await rm(file)
    return moved
  }
  return inTurn(bench, { ours, anchor })
}

async function create(address: string, size: number, headers: Record<string, string> = {}): Promise<string> {
  const sent = { 'tus-resumable': '1.0.0', 'upload-length': String(size), ...headers }
  const answer = await fetch(address, { method: 'POST', headers: sent })
  const location = answer.headers.get('location')
  if (answer.status !== 201 || !location) throw new Error(`${address} answered ${answer.status}`)
  return new URL(location, address).href
}
