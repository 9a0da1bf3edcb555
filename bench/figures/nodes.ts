/**
 * Tasks that wait for I/O: two nodes on one PostgreSQL against one. A second node must nearly
 * double the rate.
 */
import { startChild } from '../child.ts'
import type { BareHttpVerbs } from '../children/bare-http.ts'
import type { WaitingTasksVerbs } from '../children/waiting-tasks.ts'
import type { Figure } from '../figure.ts'
import { inTurn, rate, ratioOf, type Side } from '../pairs.ts'
import { newPlace, productionEnv } from '../server.ts'

/**
 * How long each task waits for its response: long enough that both nodes leave a small machine's
 * processors idle.
 */
const waitMs = 100
const concurrency = 20

export const nodes: Figure = {
  name: 'nodes',
  says: 'tasks that wait on I/O, on PostgreSQL: two nodes against one',
  run: async (bench) => {
    const postgres = await bench.postgres()
    const place = await newPlace(bench, await postgres.createDatabase())
    const slow = startChild<BareHttpVerbs>(bench, 'bare-http')
    const port = await slow.ask('open', { headers: {}, body: Buffer.from('{}'), waitMs })
    const node = () => startChild<WaitingTasksVerbs>(bench, 'waiting-tasks')
    const [first, second] = [node(), node()]
    for (const each of [first, second])
      await each.ask('open', { ...productionEnv(place), DRAGOMAN_LOG_LEVEL: 'warn' })
    const many = bench.options.quick ? 100 : 1_000
    const side =
      (at: readonly (typeof first)[]): Side =>
      async () => {
        await first.ask('add', many)
        const begun = performance.now()
        const ran = await Promise.all(at.map((each) => each.ask('work', { port, concurrency })))
        const seconds = (performance.now() - begun) / 1_000
        const all = ran.reduce((sum, each) => sum + each, 0)
        if (all !== many) throw new Error(`${all} runs of ${many} tasks`)
        return many / seconds
      }
    const taken = await inTurn(bench, { two: side([first, second]), one: side([first]) })
    await Promise.all([first.stop(), second.stop(), slow.stop()])
    return [
      {
        figure: `Tasks that wait ${waitMs} ms for an answer, ${concurrency} at once a node, PostgreSQL: two nodes against one`,
        ours: rate(taken.two),
        anchor: rate(taken.one),
        measured: ratioOf(taken.two, taken.one),
        unit: 'x',
        target: { atLeast: 1.7 },
      },
    ]
  },
}
