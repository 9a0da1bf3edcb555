/**
 * F2: clients create jobs and send files until, right after an acknowledgement, the power is cut. A
 * hub started on what is left must have every acknowledged job once, every acknowledged file with
 * its bytes, and every upload at least as far as was acknowledged.
 */
import { createHash, randomBytes, randomInt } from 'node:crypto'
import { join } from 'node:path'
import { type Connector, openConnector, type Transfer } from './connector.ts'
import { dropFlushes } from './no-fsync.ts'
import { createUpload, offsetOf, sendPatch } from './paced-patch.ts'
import { openPowerRig } from './power-rig.ts'
import { type SteadyHub, startSteadyHub } from './steady-hub.ts'
import type { Counter } from './tally.ts'

export type PowerPlan = {
  readonly rounds: number
  /** What is disabled from outside: such rounds must lose something. */
  readonly unflushed?: 'everything' | 'files'
  readonly until: number
}

type SentFile = { readonly jobId: string; readonly transfer: Transfer; readonly bytes: Uint8Array }
type Resumable = SentFile & { readonly path: string; acknowledged: number }

/** What was acknowledged before the cut. */
type Ledger = {
  readonly jobs: Map<string, string>
  readonly files: SentFile[]
  readonly uploads: Resumable[]
}

const diskBytes = 160 * 1024 ** 2

export async function cutPower(plan: PowerPlan, tally: Counter): Promise<void> {
  let acknowledged = 0
  for (let round = 0; round < plan.rounds && performance.now() < plan.until; round += 1) {
    const rig = await openPowerRig(diskBytes)
    let open: { close(): Promise<void> }[] = [rig]
    try {
      const hub = await startSteadyHub({ DRAGOMAN_DATA: join(rig.folder, 'data') })
      open = [hub, rig]
      if (plan.unflushed) await dropFlushes(hub.pid, plan.unflushed)
      const { ledger, left } = await workUntilCut(hub, rig, randomInt(4, 40))
      await hub.close()
      const disk = await left.restore()
      open = [disk]
      acknowledged += ledger.jobs.size + ledger.files.length + ledger.uploads.length
      const after = await startSteadyHub({ DRAGOMAN_DATA: join(disk.folder, 'data') }).catch(
        (error: Error) => error,
      )
      if (after instanceof Error)
        tally.lost(`the hub does not start on what is left: ${after.message}`)
      else {
        open = [after, disk]
        await compare(after, ledger, tally)
      }
      tally.round()
    } finally {
      for (const one of open) await one.close()
    }
  }
  tally.figure(`${acknowledged} acknowledged things`)
}

/**
 * Three clients at once. The power is cut right after this many acknowledgements, once a file is
 * among them.
 */
async function workUntilCut(
  hub: SteadyHub,
  rig: Awaited<ReturnType<typeof openPowerRig>>,
  last: number,
) {
  const ledger: Ledger = { jobs: new Map(), files: [], uploads: [] }
  const connector = openConnector(() => hub.url)
  let count = 0
  let over = false
  let cutting: ReturnType<typeof rig.cut> | undefined
  /** False if the cut came before this response: it does not count. */
  const acknowledge = (note: () => void): boolean => {
    if (over) return false
    note()
    count += 1
    if (count < last || ledger.files.length === 0) return true
    over = true
    cutting = rig.cut()
    cutting.catch(() => {})
    return false
  }
  const clients = [createJobs, sendFiles, sendPieces].map((work) =>
    work(connector, hub, ledger, acknowledge),
  )
  // Each ends with the cut: with its last response, or with an error that says nothing.
  const ended = await Promise.allSettled(clients)
  if (!cutting)
    throw (ended.find((one) => one.status === 'rejected') as PromiseRejectedResult).reason
  return { ledger, left: await cutting }
}

type Acknowledge = (note: () => void) => boolean
type Client = (
  connector: Connector,
  hub: SteadyHub,
  ledger: Ledger,
  acknowledge: Acknowledge,
) => Promise<void>

const createJobs: Client = async (connector, _hub, { jobs }, acknowledge) => {
  for (let at = 0; ; at += 1) {
    const jobId = await connector.createJob(`job-${at}`)
    if (!acknowledge(() => jobs.set(`job-${at}`, jobId))) return
  }
}

const sendFiles: Client = async (connector, _hub, { files }, acknowledge) => {
  const jobId = await connector.createJob('files')
  for (;;) {
    const bytes = randomBytes(randomInt(1, 2 * 1024 ** 2))
    const transfer = await connector.beginTransfer(jobId, 'direct.bin')
    await connector.uploadWhole(transfer, bytes)
    if (!acknowledge(() => files.push({ jobId, transfer, bytes }))) return
  }
}

const sendPieces: Client = async (connector, hub, { uploads }, acknowledge) => {
  const jobId = await connector.createJob('uploads')
  for (;;) {
    const bytes = randomBytes(randomInt(1, 4 * 1024 ** 2))
    const transfer = await connector.beginTransfer(jobId, 'pieces.bin')
    const path = await createUpload(hub.url, transfer, bytes.length)
    const upload: Resumable = { jobId, transfer, bytes, path, acknowledged: 0 }
    if (!acknowledge(() => uploads.push(upload))) return
    while (upload.acknowledged < bytes.length) {
      const to = Math.min(bytes.length, upload.acknowledged + randomInt(1, 1024 ** 2))
      const { status, offset } = await sendPatch(new URL(path, hub.url), upload, to)
      if (status !== 204 || offset === undefined) return
      const told = acknowledge(() => {
        upload.acknowledged = offset
      })
      if (!told) return
    }
  }
}

async function compare(hub: SteadyHub, ledger: Ledger, tally: Counter): Promise<void> {
  const connector = openConnector(() => hub.url)
  const found = await connector.jobs()
  for (const [name, jobId] of ledger.jobs) {
    const ids = found.get(name) ?? []
    if (!ids.includes(jobId)) tally.lost(`job ${name}`)
    if (ids.length > 1) tally.doubled(`job ${name}`)
  }
  for (const file of ledger.files) await compareBytes(connector, file, 'file', tally)
  for (const upload of ledger.uploads) {
    const url = new URL(upload.path, hub.url)
    const offset = await offsetOf(url, upload.transfer).catch((error: Error) => error)
    if (offset instanceof Error || offset < upload.acknowledged) {
      tally.lost(
        `upload at ${upload.acknowledged}: ${offset instanceof Error ? offset.message : offset}`,
      )
      continue
    }
    if (offset < upload.bytes.length) {
      const { status } = await sendPatch(
        url,
        { ...upload, acknowledged: offset },
        upload.bytes.length,
      )
      if (status !== 204) tally.lost(`upload at ${offset} does not go on: ${status}`)
    }
    await compareBytes(connector, upload, 'upload', tally)
  }
  const findings = await hub.check()
  if (findings) tally.lost(`dragoman check: ${findings}`)
}

async function compareBytes(
  connector: Connector,
  file: SentFile,
  what: string,
  tally: Counter,
): Promise<void> {
  const got = await connector
    .download(file.jobId, file.transfer.fmsFileId)
    .catch((error: Error) => error)
  if (got instanceof Error) tally.lost(`${what} of ${file.bytes.length} bytes: ${got.message}`)
  else if (got.sha256 !== createHash('sha256').update(file.bytes).digest('hex'))
    tally.lost(`${what} of ${file.bytes.length} bytes has other bytes`)
}
