/**
 * The cost of sealing: files in and out of a hub that seals its content, against the same hub
 * without, in the same run.
 */
import type { Bench, Figure, FigureRow } from '../figure.ts'
import { readFrom, uploadForm, uploadTus } from '../moves.ts'
import { inTurn, ratioOf, throughput } from '../pairs.ts'
import { type Files, mib, openFiles } from '../source-file.ts'

type Sides = { readonly sealed: Files; readonly open: Files }

async function openSides(bench: Bench, name: string, bytes: number): Promise<Sides> {
  const open = await openFiles(bench, name, bytes)
  const sealed = await openFiles(bench, `${name}-sealed`, bytes, {
    env: { DRAGOMAN_SEAL_CONTENT: 'on' },
    source: open.source,
  })
  return { sealed, open }
}

async function compare(
  bench: Bench,
  { sealed, open }: Sides,
  figure: string,
  move: (files: Files) => Promise<number>,
): Promise<FigureRow> {
  const taken = await inTurn(bench, { sealed: () => move(sealed), open: () => move(open) })
  return {
    figure,
    ours: throughput(taken.sealed),
    anchor: throughput(taken.open),
    measured: ratioOf(taken.sealed, taken.open),
    unit: 'x',
    target: { atLeast: 0.7 },
  }
}

const sizeOf = ({ options }: Bench, bytes: number): number => (options.quick ? 2 * mib : bytes)

export const sealedUploads: Figure = {
  name: 'upload-sealed',
  says: 'uploads to a hub that seals, by TUS (one PATCH, 1 MiB chunks) and multipart, against one that does not',
  run: async (bench) => {
    const sides = await openSides(bench, 'upload', sizeOf(bench, 200e6))
    const tus = (pieceBytes?: number) => async (files: Files) =>
      (await uploadTus(files, pieceBytes)).rate
    const rows = [
      await compare(bench, sides, 'Sealed: TUS, 200 MB in one PATCH, against unsealed', tus()),
      await compare(
        bench,
        sides,
        'Sealed: TUS, 200 MB in 1 MiB chunks, against unsealed',
        tus(mib),
      ),
      await compare(
        bench,
        sides,
        'Sealed: direct upload (multipart), 200 MB, against unsealed',
        uploadForm,
      ),
    ]
    await Promise.all([sides.sealed.stop(), sides.open.stop()])
    return rows
  },
}

export const sealedDownload: Figure = {
  name: 'download-sealed',
  says: 'download of 1 GB from a hub that seals, against one that does not',
  run: async (bench) => {
    const sides = await openSides(bench, 'download', sizeOf(bench, 1024 * mib))
    const ids = new Map<Files, string>()
    for (const files of [sides.sealed, sides.open]) ids.set(files, (await uploadTus(files)).fileId)
    const read = async (files: Files) => readFrom(files, await files.link(ids.get(files) ?? ''))
    const rows = [
      await compare(bench, sides, 'Sealed: download, 1 GB after the 307, against unsealed', read),
    ]
    await Promise.all([sides.sealed.stop(), sides.open.stop()])
    return rows
  },
}
