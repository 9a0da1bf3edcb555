/**
 * The file transfer campaigns by name, each with its size: the command runs them in full, `npm
 * test` a sample of each.
 */
import { type BlobPlace, disk } from './blob-place.ts'
import { openConnector } from './connector.ts'
import { stallWriters } from './late-writers.ts'
import { measureMemory } from './memory.ts'
import { withTwoNodes } from './nodes.ts'
import { measurePackage } from './package-memory.ts'
import { cutPower } from './power-cuts.ts'
import { type RacePlan, raceWriters } from './raced-writers.ts'
import { startSteadyHub } from './steady-hub.ts'
import { type Counter, openTally, type Tally } from './tally.ts'

export { cutUploads } from './resumed-uploads.ts'

async function count(name: string, work: (tally: Counter) => Promise<void>): Promise<Tally> {
  const tally = openTally(name)
  await work(tally)
  return tally.end()
}

export const raceOnOneNode = (plan: RacePlan): Promise<Tally> =>
  count('raced writers on one node', async (tally) => {
    const hub = await startSteadyHub()
    try {
      await raceWriters(
        [hub.url],
        openConnector(() => hub.url),
        plan,
        tally,
      )
    } finally {
      await hub.close()
    }
  })

export const raceOnTwoNodes = (
  postgresUrl: string,
  place: BlobPlace,
  plan: RacePlan,
): Promise<Tally> =>
  count(`raced writers on two nodes, ${nameOf(place)}`, (tally) =>
    withTwoNodes(postgresUrl, place, (nodes) =>
      raceWriters(
        nodes.map(({ url }) => url),
        openConnector(() => nodes[0].url),
        plan,
        tally,
      ),
    ),
  )

export const stallOnTwoNodes = (
  postgresUrl: string,
  place: BlobPlace,
  plan: Parameters<typeof stallWriters>[2],
): Promise<Tally> =>
  count(`late writers on two nodes, ${nameOf(place)}`, (tally) =>
    withTwoNodes(postgresUrl, place, (nodes) =>
      stallWriters(
        nodes,
        openConnector(() => nodes[1].url),
        plan,
        tally,
      ),
    ),
  )

const nameOf = (place: BlobPlace): string => (place === disk ? 'one folder' : place.name)

export const cutPowerOf = (plan: Parameters<typeof cutPower>[0]): Promise<Tally> =>
  count(plan.unflushed ? `power cuts with no flush of ${plan.unflushed}` : 'power cuts', (tally) =>
    cutPower(plan, tally),
  )

export const memoryOf = (plan: Parameters<typeof measureMemory>[0]): Promise<Tally> =>
  count(plan.env ? 'memory, sealed' : 'memory', (tally) => measureMemory(plan, tally))

export const packageMemoryOf = (plan: Parameters<typeof measurePackage>[0]): Promise<Tally> =>
  count(plan.env ? 'memory of a package, sealed' : 'memory of a package', (tally) =>
    measurePackage(plan, tally),
  )
