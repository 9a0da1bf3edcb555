/**
 * F7 for uploads: a node is stopped in the middle of a PATCH until its lease ends; another node
 * takes the upload over and acknowledges other bytes; then the first one resumes. Its late bytes
 * must not be visible.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { Connector } from './connector.ts'
import { createUpload, offsetOf, patchPaced } from './paced-patch.ts'
import type { SteadyHub } from './steady-hub.ts'
import type { Counter } from './tally.ts'

export type LatePlan = { readonly rounds: number; readonly bytes: number; readonly until: number }

export async function stallWriters(
  [first, second]: readonly [SteadyHub, SteadyHub],
  connector: Connector,
  plan: LatePlan,
  tally: Counter,
): Promise<void> {
  const jobId = await connector.createJob('Late writers')
  for (let round = 0; round < plan.rounds && performance.now() < plan.until; round += 1) {
    const transfer = await connector.beginTransfer(jobId, 'late.txt')
    const path = await createUpload(second.url, transfer, 2 * plan.bytes)
    const [late, timely] = [new URL(path, first.url), new URL(path, second.url)]
    // Some bytes are acknowledged before the conflict, so that a takeover has something to keep.
    const begun = await patchPaced(late, transfer, 0, {
      letter: 'a',
      bytes: plan.bytes / 2,
      pieces: 1,
      pauseMs: 0,
    })
    const from = begun.offset ?? 0
    const stalled = patchPaced(late, transfer, from, {
      letter: 'b',
      bytes: plan.bytes,
      pieces: 50,
      pauseMs: 10,
    })
    await delay(150)
    first.signal('SIGSTOP')
    const to = await takeOver(timely, transfer, plan.bytes, tally, from)
    first.signal('SIGCONT')
    const answer = await stalled
    if (answer.status === 204 && answer.offset !== from)
      tally.doubled(`the late writer was told that it is at ${answer.offset}`)
    const offset = await offsetOf(timely, transfer)
    if (offset !== to) tally.lost(`HEAD tells ${offset}, acknowledged was ${to}`)
    const rest = { letter: 'z', bytes: 2 * plan.bytes - offset, pieces: 1, pauseMs: 0 }
    const end = await patchPaced(timely, transfer, offset, rest)
    if (end.status !== 204) tally.lost(`the rest from ${offset} is refused: ${end.status}`)
    const bytes = await connector.read(jobId, transfer.fmsFileId).catch((error: Error) => error)
    if (bytes instanceof Error) tally.lost(`the file cannot be read: ${bytes.message}`)
    else
      hold(
        bytes,
        [
          ['a', 0, from],
          ['c', from, to],
          ['z', to, 2 * plan.bytes],
        ],
        tally,
      )
    tally.round()
  }
}

async function takeOver(
  url: URL,
  transfer: Parameters<typeof offsetOf>[1],
  bytes: number,
  tally: Counter,
  from: number,
) {
  const offset = await offsetOf(url, transfer)
  if (offset !== from) tally.lost(`HEAD tells ${offset}, acknowledged was ${from}`)
  const taken = await patchPaced(url, transfer, offset, {
    letter: 'c',
    bytes,
    pieces: 1,
    pauseMs: 0,
  })
  if (taken.status !== 204) tally.lost(`the writer that takes over is refused: ${taken.status}`)
  return taken.offset ?? offset
}

function hold(
  bytes: Uint8Array,
  stretches: readonly (readonly [string, number, number])[],
  tally: Counter,
): void {
  for (const [letter, from, to] of stretches) {
    const found = String.fromCharCode(...new Set(bytes.subarray(from, to)))
    if (found !== letter && from < to)
      tally.lost(`the bytes from ${from} to ${to} are ${found}, acknowledged was ${letter}`)
  }
}
