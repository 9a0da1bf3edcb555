/**
 * Whole files in and out: a form of 200 MB and a download of 1 GB, each against a minimal node:http
 * server.
 */
import { link, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { startChild } from '../child.ts'
import type { BareFilesVerbs } from '../children/bare-files.ts'
import type { Figure, FigureRow } from '../figure.ts'
import { postForm, readFrom, uploadForm, uploadTus } from '../moves.ts'
import { serveByNginx } from '../nginx.ts'
import { inTurn, median, ratioOf, type Side, throughput } from '../pairs.ts'
import { mib, openFiles } from '../source-file.ts'

export const multipart: Figure = {
  name: 'multipart',
  says: 'direct upload of 200 MB against node:http that pipes to the disk and flushes',
  run: async (bench) => {
    const files = await openFiles(bench, 'multipart', bench.options.quick ? 2 * mib : 200e6)
    const folder = await bench.folder()
    const bare = startChild<BareFilesVerbs>(bench, 'bare-files')
    const port = await bare.ask('open', folder)
    const ours: Side = () => uploadForm(files)
    const anchor: Side = async () => {
      const moved = await postForm(files, `http://127.0.0.1:${port}/form`)
      await rm(join(folder, 'form'))
      return moved
    }
    const taken = await inTurn(bench, { ours, anchor })
    await Promise.all([files.stop(), bare.stop()])
    return [
      {
        figure: 'Direct upload (multipart), 200 MB, both with fsync before the answer',
        ours: throughput(taken.ours),
        anchor: throughput(taken.anchor),
        measured: ratioOf(taken.ours, taken.anchor),
        unit: 'x',
        target: { atLeast: 0.9 },
      },
    ]
  },
}

export const download: Figure = {
  name: 'download',
  says: 'download of 1 GB after the 307 against node:http, and against nginx with sendfile',
  run: async (bench) => {
    const files = await openFiles(bench, 'download', bench.options.quick ? 4 * mib : 1024 * mib)
    const folder = await bench.folder()
    await link(files.source.path, join(folder, 'large.bin'))
    const bare = startChild<BareFilesVerbs>(bench, 'bare-files')
    const urls = {
      bare: `http://127.0.0.1:${await bare.ask('open', folder)}/large.bin`,
      nginx: await serveByNginx(bench, folder),
    }
    const { fileId } = await uploadTus(files)
    await files.mustBeSame({ url: urls.bare })
    const read = (url: string) => readFrom(files, url)
    const taken = await inTurn(bench, {
      ours: async () => read(await files.link(fileId)),
      bare: () => read(urls.bare),
      nginx: async () => (urls.nginx ? read(`${urls.nginx}/large.bin`) : Number.NaN),
    })
    await Promise.all([files.stop(), bare.stop()])
    const row = (anchor: 'bare' | 'nginx', says: string): FigureRow => ({
      figure: `Download, 1 GB after the 307, against ${says}`,
      ours: throughput(taken.ours),
      anchor: throughput(taken[anchor]),
      measured: ratioOf(taken.ours, taken[anchor]),
      unit: 'x',
    })
    const against = { ...row('bare', 'a bare node:http stream'), target: { atLeast: 0.9 } }
    if (Number.isNaN(median(taken.nginx))) {
      bench.say('nginx is not installed: its row is left out')
      return [against]
    }
    return [against, row('nginx', 'nginx with sendfile')]
  },
}
