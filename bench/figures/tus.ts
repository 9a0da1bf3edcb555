/**
 * TUS uploads, hashed and flushed when they are acknowledged, against @tus/server with its file
 * store (neither).
 */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { installAnchors } from '../anchors.ts'
import { startChild } from '../child.ts'
import type { TusFilesVerbs } from '../children/tus-files.ts'
import type { Bench, Figure, FigureRow } from '../figure.ts'
import { sendTus, uploadTus } from '../moves.ts'
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
    const row = (says: string, { ours, anchor }: Taken): FigureRow => ({
      figure: `TUS, 1 GB ${says}`,
      ours: throughput(ours),
      anchor: throughput(anchor),
      measured: ratioOf(ours, anchor),
      unit: 'x',
      target: { atLeast: 0.8 },
    })
    return [
      row(
        'in one PATCH (ours with sha256, fsync before the answer; @tus/file-store with neither)',
        whole,
      ),
      row('in 1 MiB chunks (ours with sha256, fsync and a committed row for every chunk)', chunks),
    ]
  },
}

type Taken = { readonly ours: number[]; readonly anchor: number[] }
type Anchor = { readonly folder: string; readonly port: number }

/** MB per second of each side. The bytes are compared after each run, untimed. */
async function measure(
  bench: Bench,
  files: Files,
  { folder, port }: Anchor,
  pieceBytes?: number,
): Promise<Taken> {
  const ours: Side = async () => (await uploadTus(files, pieceBytes)).rate
  const anchor: Side = async () => {
    const { rate, url } = await sendTus(files, `http://127.0.0.1:${port}/files`, {}, pieceBytes)
    const file = join(folder, url.slice(url.lastIndexOf('/') + 1))
    await files.mustBeSame({ file })
    await rm(file)
    return rate
  }
  return inTurn(bench, { ours, anchor })
}
