/**
 * F12: two writers send different bytes at the same offset of one upload, through one node or two.
 * One wins: the bytes between two offsets reported by HEAD all come from one writer, and the next
 * race begins at an acknowledged offset.
 */
import { randomInt } from 'node:crypto'
import type { Connector, Transfer } from './connector.ts'
import { createUpload, offsetOf, type PacedBody, type Patched, patchPaced } from './paced-patch.ts'
import type { Counter } from './tally.ts'

export type RacePlan = {
  readonly races: number
  /** The most bytes that one writer sends. */
  readonly bytes: number
  readonly until: number
}

type Stretch = { readonly from: number; readonly to: number; readonly letters: readonly string[] }

const racesAnUpload = 4
const pairs = ['ab', 'cd', 'ef', 'gh'] as const

/** `nodes` are the URLs for the writers, the first for the first writer and so on. */
export async function raceWriters(
  nodes: readonly string[],
  connector: Connector,
  plan: RacePlan,
  tally: Counter,
): Promise<void> {
  const jobId = await connector.createJob('Raced writers')
  for (let left = plan.races; left > 0 && performance.now() < plan.until; left -= racesAnUpload) {
    const transfer = await connector.beginTransfer(jobId, 'race.txt')
    const length = racesAnUpload * plan.bytes + 1
    const path = await createUpload(nodes[0] ?? '', transfer, length)
    const stretches: Stretch[] = []
    let from = 0
    for (const letters of pairs.slice(0, Math.min(left, racesAnUpload))) {
      const stretch = await raceOnce(
        nodes,
        path,
        transfer,
        { from, letters: [...letters], bytes: plan.bytes },
        tally,
      )
      stretches.push(stretch)
      from = stretch.to
      tally.round()
    }
    const rest = await patchPaced(
      new URL(path, nodes[0]),
      transfer,
      from,
      whole('z', length - from),
    )
    if (rest.status !== 204) tally.lost(`the rest from ${from} is refused: ${rest.status}`)
    await compare(
      connector,
      jobId,
      transfer,
      [...stretches, { from, to: length, letters: ['z'] }],
      tally,
    )
  }
}

const whole = (letter: string, bytes: number): PacedBody => ({
  letter,
  bytes,
  pieces: 1,
  pauseMs: 0,
})

async function raceOnce(
  nodes: readonly string[],
  path: string,
  transfer: Transfer,
  race: { from: number; letters: readonly string[]; bytes: number },
  tally: Counter,
): Promise<Stretch> {
  const { from, letters } = race
  const answers = await Promise.all(
    letters.map((letter, at) =>
      patchPaced(new URL(path, nodes[at % nodes.length]), transfer, from, {
        letter,
        bytes: randomInt(1, race.bytes),
        pieces: randomInt(1, 12),
        pauseMs: randomInt(30),
      }),
    ),
  )
  const to = await offsetOf(new URL(path, nodes[randomInt(nodes.length)]), transfer)
  const said = () =>
    `from ${from} to ${to}: ${answers.map(({ status, offset }) => `${status} ${offset}`).join(' and ')}`
  const winners = answers.flatMap((answer, at) =>
    isProgress(answer, from) ? [{ ...answer, at }] : [],
  )
  const [winner] = winners
  if (winners.length > 1)
    tally.doubled(`two writers were told that their bytes are kept, ${said()}`)
  if (winner && winner.offset !== to)
    tally.lost(`the offset is not the acknowledged one, ${said()}`)
  if (to < from) tally.lost(`the upload went back, ${said()}`)
  return { from, to, letters: winner ? letters.filter((_, at) => at === winner.at) : letters }
}

/**
 * A 204 at the starting offset acknowledges nothing: that writer was told to stop before its first
 * byte.
 */
const isProgress = ({ status, offset }: Patched, from: number): boolean =>
  status === 204 && offset !== from

async function compare(
  connector: Connector,
  jobId: string,
  transfer: Transfer,
  stretches: readonly Stretch[],
  tally: Counter,
): Promise<void> {
  const bytes = await connector.read(jobId, transfer.fmsFileId)
  for (const { from, to, letters } of stretches) {
    const found = new Set(bytes.subarray(from, to))
    if (found.size > 1)
      tally.doubled(`the bytes from ${from} to ${to} are of ${found.size} writers`)
    for (const byte of found)
      if (!letters.includes(String.fromCharCode(byte)))
        tally.lost(
          `the bytes from ${from} to ${to} hold ${String.fromCharCode(byte)}, not ${letters}`,
        )
  }
}
