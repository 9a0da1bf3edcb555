/**
 * The hub inside a test: from `startHub()` to the first answered call, in a fresh process and again
 * in the same.
 */
import { repository } from '../built.ts'
import { startChild } from '../child.ts'
import type { TestingHubVerbs } from '../children/testing-hub.ts'
import type { Bench, Figure } from '../figure.ts'
import { inTurn, measuredOf, median, ratioOf } from '../pairs.ts'

const module = new URL('packages/cli/dist/testing/index.js', repository).href

export const testingHub: Figure = {
  name: 'testing-hub',
  says: 'startHub() of dragoman/testing to its first answered call, against a bare Fastify',
  run: async (bench) => {
    const loads: number[] = []
    const next: number[] = []
    const taken = await inTurn(bench, {
      first: () => inFreshProcess(bench, loads, next),
      fastify: async () => {
        const child = startChild<TestingHubVerbs>(bench, 'testing-hub')
        const seconds = await child.ask('fastify')
        await child.stop()
        return seconds
      },
    })
    loads.shift()
    next.shift()
    const whole = taken.first.map((seconds, pair) => seconds + (loads[pair] ?? 0))
    return [
      {
        figure: 'startHub() to the first answered call, fresh process',
        ours: `${median(taken.first).toFixed(2)} s`,
        anchor: '',
        measured: measuredOf(taken.first),
        unit: 's',
        target: { atMost: 0.5 },
      },
      {
        figure: 'startHub() to the first answered call, with the import of the package',
        ours: `${median(whole).toFixed(2)} s`,
        anchor: `bare Fastify with its import ${median(taken.fastify).toFixed(2)} s`,
        measured: ratioOf(whole, taken.fastify),
        unit: 'x',
      },
      {
        figure: 'startHub() once more in the same process',
        ours: `${median(next).toFixed(2)} s`,
        anchor: '',
        measured: measuredOf(next),
        unit: 's',
        target: { atMost: 0.5 },
      },
    ]
  },
}

async function inFreshProcess(bench: Bench, loads: number[], next: number[]): Promise<number> {
  const child = startChild<TestingHubVerbs>(bench, 'testing-hub')
  loads.push(await child.ask('load', { module }))
  const seconds = await child.ask('hub', { module })
  next.push(await child.ask('hub', { module }))
  await child.stop()
  return seconds
}
