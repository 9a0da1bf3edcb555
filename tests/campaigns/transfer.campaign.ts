/** `npm run faults`: the file transfer campaigns, sized by DRAGOMAN_FAULTS, one line each. */
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { databases } from '../hub.ts'
import { type ObjectStore, startObjectStore } from '../object-store.ts'
import { type BlobPlace, disk, inObjectStore, sealed } from './blob-place.ts'
import {
  cutPowerOf,
  cutUploads,
  memoryOf,
  packageMemoryOf,
  raceOnOneNode,
  raceOnTwoNodes,
  stallOnTwoNodes,
} from './campaigns.ts'
import { whyNoPowerRig } from './power-rig.ts'
import { killRounds } from './round.ts'
import { makeSourceFile } from './source-file.ts'
import { findingsOf, lineOf, type Tally } from './tally.ts'

/** The input from scripts/faults.mjs. */
type Size = {
  readonly only: readonly string[]
  readonly megabytes: number
  readonly cuts: number
  readonly races: number
  readonly stalls: number
  readonly power: number
  readonly every: number
  /** For each campaign. */
  readonly minutes: number
  readonly report: string
}

type Campaign = {
  readonly group: string
  readonly name: string
  readonly needs?: readonly ('postgres' | 'store' | 'power')[]
  /** The rig gets a broken product and must detect it. */
  readonly mustLose?: true
  readonly run: () => Promise<Tally>
}

const size = JSON.parse(process.env.DRAGOMAN_FAULTS ?? '{"only":[]}') as Size
const mib = 1024 ** 2
const folder = mkdtempSync(join(tmpdir(), 'dragoman-campaign-'))
let store: ObjectStore | undefined
let noPower: string | undefined

const until = () => performance.now() + size.minutes * 60_000
const bucket = (): BlobPlace => {
  if (!store) throw new Error('there is no object store')
  return inObjectStore(store)
}
const cut = async (place: BlobPlace): Promise<Tally> => {
  const source = await makeSourceFile(join(folder, place.name), size.megabytes * mib)
  const cuts = Math.ceil(size.cuts / 2)
  const chunkSizes = [1, 8, 64].map((many) => many * mib)
  return cutUploads(place, {
    source,
    chunkSizes,
    cuts,
    kills: Math.floor(cuts * 0.4),
    until: until(),
  })
}
const races = () => ({ races: Math.ceil(size.races / 3), bytes: 4 * mib, until: until() })
const stalls = () => ({ rounds: Math.ceil(size.stalls / 2), bytes: 24 * mib, until: until() })
const postgres = inject('postgresUrl')
const nodes = ['postgres', 'store'] as const

const campaigns: readonly Campaign[] = [
  { group: 'cuts', name: 'cut uploads to disk', run: () => cut(disk) },
  {
    group: 'cuts',
    name: 'cut uploads to object storage',
    needs: ['store'],
    run: () => cut(bucket()),
  },
  { group: 'races', name: 'races on one node', run: () => raceOnOneNode(races()) },
  {
    group: 'races',
    name: 'races, one folder',
    needs: ['postgres'],
    run: () => raceOnTwoNodes(postgres, disk, races()),
  },
  {
    group: 'races',
    name: 'races, a store',
    needs: nodes,
    run: () => raceOnTwoNodes(postgres, bucket(), races()),
  },
  {
    group: 'stalls',
    name: 'late, one folder',
    needs: ['postgres'],
    run: () => stallOnTwoNodes(postgres, disk, stalls()),
  },
  {
    group: 'stalls',
    name: 'late, a store',
    needs: nodes,
    run: () => stallOnTwoNodes(postgres, bucket(), stalls()),
  },
  {
    group: 'power',
    name: 'power cuts',
    needs: ['power'],
    run: () => cutPowerOf({ rounds: size.power, until: until() }),
  },
  ...(['everything', 'files'] as const).map(
    (unflushed): Campaign => ({
      group: 'power',
      name: `power cuts without flushing ${unflushed}`,
      needs: ['power'],
      mustLose: true,
      run: () => cutPowerOf({ rounds: Math.ceil(size.power / 5), unflushed, until: until() }),
    }),
  ),
  { group: 'sealed', name: 'cut sealed uploads to disk', run: () => cut(sealed(disk)) },
  {
    group: 'sealed',
    name: 'cut sealed uploads to a store',
    needs: ['store'],
    run: () => cut(sealed(bucket())),
  },
  {
    group: 'sealed',
    name: 'sealed races, one folder',
    needs: ['postgres'],
    run: () => raceOnTwoNodes(postgres, sealed(disk), races()),
  },
  {
    group: 'sealed',
    name: 'sealed races, a store',
    needs: nodes,
    run: () => raceOnTwoNodes(postgres, sealed(bucket()), races()),
  },
  {
    group: 'sealed',
    name: 'late and sealed, one folder',
    needs: ['postgres'],
    run: () => stallOnTwoNodes(postgres, sealed(disk), stalls()),
  },
  {
    group: 'sealed',
    name: 'late and sealed, a store',
    needs: nodes,
    run: () => stallOnTwoNodes(postgres, sealed(bucket()), stalls()),
  },
  ...databases.map(
    (database): Campaign => ({
      group: 'sealed',
      name: `the round, sealed, on ${database}`,
      run: () => killRounds(database, { every: size.every, env: sealed(disk).env, until: until() }),
    }),
  ),
  {
    group: 'sealed',
    name: 'memory, sealed',
    run: () =>
      memoryOf({
        bytes: size.megabytes * mib,
        eightBytes: Math.ceil(size.megabytes / 4) * mib,
        env: sealed(disk).env,
      }),
  },
  {
    group: 'memory',
    name: 'memory',
    run: () =>
      memoryOf({ bytes: size.megabytes * mib, eightBytes: Math.ceil(size.megabytes / 4) * mib }),
  },
  ...[undefined, sealed(disk).env].map(
    (env): Campaign => ({
      group: 'memory',
      name: `memory of a package${env ? ', sealed' : ''}`,
      // Sealed, the bytes also wait for the threads that open and seal them.
      run: () =>
        packageMemoryOf({
          files: 48,
          bytesEach: 4 * mib,
          maxAbove: env ? 192 : 64,
          ...(env && { env }),
        }),
    }),
  ),
]
const wanted = campaigns.filter(({ group }) => size.only.includes(group))
const someNeed = (what: string) => wanted.some(({ needs }) => needs?.some((need) => need === what))

beforeAll(async () => {
  if (someNeed('store')) store = await startObjectStore()
  if (someNeed('power')) noPower = await whyNoPowerRig()
})
afterAll(async () => {
  await store?.stop()
  rmSync(folder, { recursive: true })
})

const whyNot = ({ needs = [] }: Campaign): string | undefined => {
  if (needs.includes('postgres') && !postgres) return 'no PostgreSQL was found'
  if (needs.includes('store') && !store) return 'the programs of the object store are not installed'
  return needs.includes('power') ? noPower : undefined
}

it.each(wanted)('$name', async (campaign) => {
  const why = whyNot(campaign)
  if (why) return keep({ line: `NOT RUN: ${campaign.name}: ${why}.`, notRun: true })
  const tally = await campaign.run()
  const { mustLose = false } = campaign
  const findings = findingsOf(tally)
  const failed = mustLose ? tally.lost.length === 0 : findings.length > 0
  // Losses of the broken product do not count as ours.
  const own = (found: readonly string[]) => (mustLose ? 0 : found.length)
  keep({
    line: `${lineOf(tally)}${mustLose ? ' (it must lose some)' : ''}`,
    rounds: tally.rounds,
    lost: own(tally.lost),
    doubled: own(tally.doubled),
    leaked: own(tally.leaked),
  })
  expect(failed, failed ? findings.join('\n') || 'nothing was lost' : '').toBe(false)
})

/** Printed at once, and recorded for the total. */
function keep(said: { readonly line: string } & Record<string, unknown>): void {
  console.log(said.line)
  appendFileSync(size.report, `${JSON.stringify(said)}\n`)
}
