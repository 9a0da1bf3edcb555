/**
 * Empty tasks per second on PostgreSQL against graphile-worker, same concurrency, each on its own
 * database.
 */
import { installAnchors } from '../anchors.ts'
import { startChild } from '../child.ts'
import type { GraphileTasksVerbs } from '../children/graphile-tasks.ts'
import type { OurTasksVerbs } from '../children/our-tasks.ts'
import type { Figure, FigureRow } from '../figure.ts'
import { inTurn, rate, ratioOf } from '../pairs.ts'
import { newPlace, productionEnv, profiles } from '../server.ts'

const concurrency = 10

export const tasksOnPostgres: Figure = {
  name: 'tasks-postgres',
  says: 'empty tasks a second on PostgreSQL against graphile-worker',
  run: async (bench) => {
    await installAnchors(bench)
    const postgres = await bench.postgres()
    const place = await newPlace(bench, await postgres.createDatabase())
    const profiling = bench.options.profile ? ['--cpu-prof', '--cpu-prof-dir', profiles] : []
    const ours = startChild<OurTasksVerbs>(bench, 'our-tasks', profiling)
    await ours.ask('open', { ...productionEnv(place), DRAGOMAN_LOG_LEVEL: 'warn' })
    const graphile = startChild<GraphileTasksVerbs>(bench, 'graphile-tasks')
    await graphile.ask('open', await postgres.createDatabase())
    const run = { many: bench.options.quick ? 200 : 10_000, concurrency }
    const taken = await inTurn(bench, {
      ours: () => ours.ask('tasks', run),
      plain: () => graphile.ask('tasks', { ...run, batched: false }),
      batched: () => graphile.ask('tasks', { ...run, batched: true }),
    })
    await Promise.all([ours.stop(), graphile.stop()])
    const row = (mode: 'plain' | 'batched', says: string): FigureRow => ({
      figure: `Empty tasks, PostgreSQL, ${concurrency} at once, against graphile-worker ${says}`,
      ours: rate(taken.ours),
      anchor: rate(taken[mode]),
      measured: ratioOf(taken.ours, taken[mode]),
      unit: 'x',
    })
    return [
      { ...row('plain', 'as it comes'), target: { atLeast: 1 } },
      row('batched', 'with local queue and batched completion'),
    ]
  },
}
