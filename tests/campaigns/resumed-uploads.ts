/**
 * F11: tus-js-client uploads a file while the connection is reset and the hub killed at random
 * offsets. HEAD always reports an offset between the last acknowledged and the last sent, the
 * upload never restarts, and the stored bytes are those that were sent. Every other upload sends a
 * checksum per chunk: a broken chunk leaves nothing.
 */
import { createHash, randomInt } from 'node:crypto'
import { closeSync, createReadStream, openSync, readSync } from 'node:fs'
import { Agent } from 'node:http'
import { DefaultHttpStack, type HttpRequest, type HttpResponse, Upload } from 'tus-js-client'
import { type BlobPlace, lookAt, sweepAll } from './blob-place.ts'
import { openConnector, type Transfer } from './connector.ts'
import { type CutProxy, openCutProxy } from './cut-proxy.ts'
import type { SourceFile } from './source-file.ts'
import { type SteadyHub, startSteadyHub } from './steady-hub.ts'
import { type Counter, openTally, type Tally } from './tally.ts'

export type CutPlan = {
  readonly source: SourceFile
  readonly chunkSizes: readonly number[]
  readonly cuts: number
  /** How many of the cuts kill the hub; the others reset the connection. */
  readonly kills: number
  /** On the clock of `performance.now()`: no upload begins after it. */
  readonly until: number
}

export async function cutUploads(place: BlobPlace, plan: CutPlan): Promise<Tally> {
  const tally = openTally(`cut uploads to ${place.name}`)
  const hub = await startSteadyHub(place.env)
  const proxy = await openCutProxy(hub.port)
  const connector = openConnector(() => hub.url)
  const files: { jobId: string; fileId: string }[] = []
  const cutter = openCutter(hub, proxy, plan)
  try {
    const jobId = await connector.createJob('Cut uploads')
    for (let at = 0; cutter.left() > 0 && performance.now() < plan.until; at += 1) {
      const chunkSize = plan.chunkSizes[at % plan.chunkSizes.length] ?? Infinity
      const uploadsLeft = Math.max(1, plan.chunkSizes.length - at)
      const transfer = await connector.beginTransfer(jobId, `file-${at}.bin`)
      cutter.begin(Math.ceil(cutter.left() / uploadsLeft), plan.source.size)
      await uploadThrough(
        proxy,
        transfer,
        plan.source,
        { chunkSize, hasChecksums: at % 2 === 1 },
        tally,
      )
      await cutter.pause()
      files.push({ jobId, fileId: transfer.fmsFileId })
      tally.round()
    }
    await lookAfter(place, hub, tally, files.length)
    for (const { fileId } of files) {
      const got = await connector.download(jobId, fileId)
      if (got.sha256 !== plan.source.sha256)
        tally.lost(`file ${fileId} came back with other bytes (${got.size})`)
    }
    tally.figure(cutter.says())
    return tally.end()
  } finally {
    await proxy.close()
    await hub.close()
  }
}

/** Sweeps before the files are read: a sweep that removes too much would show. */
async function lookAfter(
  place: BlobPlace,
  hub: SteadyHub,
  tally: Counter,
  files: number,
): Promise<void> {
  const blobs = await lookAt(place, hub.folder)
  try {
    const { swept, left } = await sweepAll(blobs)
    tally.figure(`${swept} leavings swept`)
    if (left > 0) tally.leaked(`${left} leavings of interrupted writes stay`)
    let found = 0
    for await (const _ of blobs.list()) found += 1
    if (found > files) tally.leaked(`${found} blobs for ${files} files`)
  } finally {
    await blobs.close()
  }
  const findings = await hub.check()
  if (findings) tally.leaked(`dragoman check: ${findings}`)
}

type Cutter = {
  /** Plans this many cuts, spread at random over the next `bytes`. */
  begin(cuts: number, bytes: number): void
  /** No more cuts, and the hub runs again. */
  pause(): Promise<void>
  left(): number
  says(): string
}

function openCutter(hub: SteadyHub, proxy: CutProxy, { cuts, kills }: CutPlan): Cutter {
  const done = { resets: 0, kills: 0 }
  const left = () => cuts - done.resets - done.kills
  let working: Promise<void> = Promise.resolve()
  let [now, gap] = [0, 2]
  const arm = () => {
    if (now > 0) proxy.cutAfter(randomInt(1, gap), cut)
  }
  const cut = () => {
    const isKill = randomInt(left()) < kills - done.kills
    now -= 1
    if (isKill) {
      done.kills += 1
      working = hub.restart().then(() => {
        proxy.reset()
        arm()
      })
    } else {
      done.resets += 1
      proxy.reset()
      arm()
    }
  }
  return {
    begin: (many, bytes) => {
      now = Math.min(many, left())
      gap = Math.max(2, Math.floor((1.5 * bytes) / now))
      arm()
    },
    pause: async () => {
      now = 0
      proxy.cutAfter(Infinity, () => {})
      await working
    },
    left,
    says: () => `${done.resets} resets and ${done.kills} kills`,
  }
}

/**
 * Uploads one file from its creation to its last byte, and checks each response against what was
 * sent.
 */
function uploadThrough(
  proxy: CutProxy,
  transfer: Transfer,
  source: SourceFile,
  { chunkSize, hasChecksums }: { readonly chunkSize: number; readonly hasChecksums: boolean },
  tally: Counter,
): Promise<void> {
  let acknowledged = 0
  let created = 0
  let patch = { from: 0, mark: 0 }
  const sent = () => patch.from + proxy.passed() - patch.mark
  const note = (request: HttpRequest, answer: HttpResponse) => {
    const [method, status] = [request.getMethod(), answer.getStatus()]
    if (method === 'POST' && status === 201) created += 1
    if (created > 1) tally.lost('the upload was begun anew')
    if (status !== 200 && status !== 204) return
    const offset = Number(answer.getHeader('Upload-Offset'))
    if (!(offset >= acknowledged && offset <= sent()))
      tally.lost(`${method} tells offset ${offset}; acknowledged ${acknowledged}, sent ${sent()}`)
    if (hasChecksums && offset % chunkSize !== 0 && offset !== source.size)
      tally.lost(
        `${method} tells offset ${offset}, in the middle of a chunk of ${chunkSize} with a checksum`,
      )
    acknowledged = offset
    // Bytes after the offset are lost: counting restarts from here.
    patch = { from: offset, mark: proxy.passed() }
  }
  return new Promise((resolve, reject) => {
    const upload: Upload = new Upload(createReadStream(source.path), {
      endpoint: new URL(new URL(transfer.fmsUploadUrl).pathname, proxy.url).href,
      headers: { sastoken: transfer.fmsSASToken },
      chunkSize,
      // A killed hub is away for seconds.
      retryDelays: [0, 50, 100, ...Array.from({ length: 200 }, () => 200)],
      onShouldRetry: () => true,
      // The proxy counts one call per connection.
      httpStack: new DefaultHttpStack({ agent: new Agent({ keepAlive: false }) }),
      onBeforeRequest: (request) => {
        if (request.getMethod() !== 'PATCH') return
        const from = Number(request.getHeader('Upload-Offset'))
        patch = { from, mark: proxy.passed() }
        if (hasChecksums)
          request.setHeader('Upload-Checksum', `sha256 ${sha256Of(source, from, chunkSize)}`)
      },
      onAfterResponse: note,
      onSuccess: () => resolve(),
      onError: reject,
    })
    upload.start()
  })
}

function sha256Of({ path, size }: SourceFile, from: number, most: number): string {
  const bytes = Buffer.alloc(Math.min(most, size - from))
  const file = openSync(path, 'r')
  readSync(file, bytes, 0, bytes.length, from)
  closeSync(file)
  return createHash('sha256').update(bytes).digest('base64')
}
