/**
 * A short sample of every campaign of `npm run faults`: uploads cut by resets and kills, writers
 * that race, power cuts, and memory. The rig of the power cuts is also shown a hub whose flushes do
 * nothing, and must see the loss.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, it, type TestContext } from 'vitest'
import { type BlobPlace, disk, inObjectStore, sealed } from '../campaigns/blob-place.ts'
import {
  cutPowerOf,
  cutUploads,
  memoryOf,
  packageMemoryOf,
  raceOnOneNode,
  raceOnTwoNodes,
} from '../campaigns/campaigns.ts'
import { canTrace } from '../campaigns/no-fsync.ts'
import { whyNoPowerRig } from '../campaigns/power-rig.ts'
import { makeSourceFile, type SourceFile } from '../campaigns/source-file.ts'
import { findingsOf, lineOf, type Tally } from '../campaigns/tally.ts'
import { type ObjectStore, startObjectStore } from '../object-store.ts'

const mib = 1024 ** 2
const until = Number.POSITIVE_INFINITY
const postgresUrl = inject('postgresUrl')
/**
 * Where images cannot be mounted, no test can change that: then there are no such tests, and the
 * run says so.
 */
const noPower = await whyNoPowerRig()
if (noPower) console.warn(`NOT RUN: the power cuts, because ${noPower}.`)

function allHeld(tally: Tally, rounds: number): void {
  console.log(lineOf(tally))
  expect(findingsOf(tally)).toEqual([])
  expect(tally.rounds).toBeGreaterThanOrEqual(rounds)
}

describe('file transfer under faults', () => {
  const folder = mkdtempSync(join(tmpdir(), 'dragoman-sample-'))
  let store: ObjectStore | undefined
  let source: SourceFile
  beforeAll(async () => {
    store = await startObjectStore()
    source = await makeSourceFile(join(folder, 'source'), 24 * mib)
  })
  afterAll(async () => {
    await store?.stop()
    rmSync(folder, { recursive: true })
  })
  const mustHaveStore = ({ skip }: TestContext): BlobPlace =>
    store ? inObjectStore(store) : skip('the programs of the object store are not installed')

  const mustHavePostgres = ({ skip }: TestContext): string =>
    postgresUrl || skip('no PostgreSQL was found on this machine')

  const cut = async (place: BlobPlace): Promise<void> => {
    const chunkSizes = [1, 8, 64].map((many) => many * mib)
    allHeld(await cutUploads(place, { source, chunkSizes, cuts: 6, kills: 1, until }), 3)
  }
  it('uploads to disk in 1, 8 and 64 MiB go on after resets and kills', () => cut(disk))
  it('uploads to object storage in 1, 8 and 64 MiB go on after resets and kills', (test) =>
    cut(mustHaveStore(test)))

  it('sealed uploads to disk go on after resets and kills', () => cut(sealed(disk)))
  it('sealed uploads to object storage go on after resets and kills', (test) =>
    cut(sealed(mustHaveStore(test))))

  const races = { races: 4, bytes: 2 * mib, until }
  it('two writers on one node never interleave', async () =>
    allHeld(await raceOnOneNode(races), races.races))
  it('two writers on two nodes with one folder never interleave', async (test) =>
    allHeld(await raceOnTwoNodes(mustHavePostgres(test), disk, races), races.races))
  it('two writers on two nodes with one object store never interleave', async (test) =>
    allHeld(await raceOnTwoNodes(mustHavePostgres(test), mustHaveStore(test), races), races.races))

  it('two sealed writers on two nodes with one folder never interleave', async (test) =>
    allHeld(await raceOnTwoNodes(mustHavePostgres(test), sealed(disk), races), races.races))

  if (!noPower) {
    it('a power cut loses nothing that was acknowledged', async () =>
      allHeld(await cutPowerOf({ rounds: 1, until }), 1))
    it.for(['everything', 'files'] as const)(
      'a power cut is seen to lose when flushing %s does nothing',
      async (unflushed, { skip }) => {
        if (!canTrace()) skip('there is no strace on this machine')
        // The kernel may flush by itself just in time: what is never flushed is lost in one of a
        // few rounds.
        let lost: readonly string[] = []
        for (let round = 0; round < 4 && lost.length === 0; round += 1)
          lost = (await cutPowerOf({ rounds: 1, unflushed, until })).lost
        expect(lost).not.toEqual([])
      },
    )
  }

  // On a busy machine the collector comes late; a hub that keeps what it moves is far above this.
  it('moving 200 MB up and down leaves the memory flat', async () =>
    allHeld(await memoryOf({ bytes: 200 * mib, eightBytes: 0, maxAbove: 128 }), 1))
  it('a package of 160 MB goes out and comes back with the memory flat', async () =>
    allHeld(await packageMemoryOf({ files: 20, bytesEach: 8 * mib, maxAbove: 128 }), 1))
})
