/**
 * Deliveries per second to one fast receiver, signed, logged and each of its own job, against a
 * bare undici loop.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { databaseModule } from '../built.ts'
import { type Child, startChild } from '../child.ts'
import type { BarePostsVerbs } from '../children/bare-posts.ts'
import type { LoadVerbs } from '../children/load.ts'
import type { ReceiverVerbs } from '../children/receiver.ts'
import type { Bench, Figure, FigureRow } from '../figure.ts'
import { inTurn, rate, ratioOf, type Side } from '../pairs.ts'
import { type Caller, callHub, type HubFolder, newPlace, startCaller } from '../server.ts'

/** The most calls that the hub makes to one listener at once. */
const concurrency = 64
export const listeners = '/v2/statusupdates/listeners'
export const loopback = { DRAGOMAN_LISTENER_ALLOW: '127.0.0.0/8' }

export const deliveriesOnSqlite: Figure = {
  name: 'deliveries-sqlite',
  says: 'deliveries a second to one fast receiver on SQLite against a bare undici loop',
  run: (bench) => compareDeliveries(bench, 'SQLite', 'deliveries-sqlite'),
}

export const deliveriesOnPostgres: Figure = {
  name: 'deliveries-postgres',
  says: 'the same on PostgreSQL',
  run: async (bench) =>
    compareDeliveries(
      bench,
      'PostgreSQL',
      'deliveries-postgres',
      await (await bench.postgres()).createDatabase(),
    ),
}

async function compareDeliveries(
  bench: Bench,
  database: string,
  name: string,
  databaseUrl?: string,
): Promise<FigureRow[]> {
  const many = bench.options.quick ? 100 : 2_000
  const place = await newPlace(bench, databaseUrl)
  const server = await startCaller(bench, place, name, loopback)
  const receiver = startChild<ReceiverVerbs>(bench, 'receiver')
  const url = `http://127.0.0.1:${await receiver.ask('open')}/good`
  const type = 'JOB_STATUS_UPDATED'
  const { listenerId } = await callHub<{ listenerId: string }>(server, 'POST', listeners, {
    uri: url,
    type,
  })
  await receiver.ask('keep')
  await makeSamples(bench, server, listenerId, many)
  const { ours, stop } = await openReplays(place, server, receiver, { listenerId, many })
  const bare = startChild<BarePostsVerbs>(bench, 'bare-posts')
  await bare.ask('open', await receiver.ask('kept'))
  const anchor: Side = () => bare.ask('post', { url, concurrency })
  const taken = await inTurn(bench, { ours, anchor })
  await stop()
  await Promise.all([server.stop(), receiver.stop(), bare.stop()])
  return [
    {
      figure: `Deliveries to one fast receiver, ${concurrency} at once, signed and logged, ${database}, against bare undici`,
      ours: rate(taken.ours),
      anchor: rate(taken.anchor),
      measured: ratioOf(taken.ours, taken.anchor),
      unit: 'x',
      target: { atLeast: 0.5 },
    },
  ]
}

/** One delivery each, each of its own job. */
async function makeSamples(
  bench: Bench,
  { port, headers }: Caller,
  listenerId: string,
  many: number,
): Promise<void> {
  bench.say(`${many.toLocaleString('en')} deliveries`)
  const load = startChild<LoadVerbs>(bench, 'load')
  const path = `${listeners}/${listenerId}/test`
  const call = {
    port,
    headers,
    connections: 50,
    method: 'POST',
    path,
    milliseconds: 600_000,
    most: many,
  }
  await load.ask('calls', call)
  await load.stop()
}

/**
 * Repeats all of them: from the response to the replay until the last one is delivered and
 * recorded.
 */
async function openReplays(
  place: HubFolder,
  server: Caller,
  receiver: Child<ReceiverVerbs>,
  { listenerId, many }: { readonly listenerId: string; readonly many: number },
) {
  const db = await (await databaseModule()).openDatabase(place.databaseUrl)
  const find = db.read.selectFrom('tasks').select('task_id').where('name', '=', 'deliver').limit(1)
  const allWritten = async (): Promise<void> => {
    while (await find.executeTakeFirst()) await delay(10)
  }
  await allWritten()
  const ours: Side = async () => {
    await receiver.ask('take')
    const { replayed } = await callHub<{ replayed: number }>(
      server,
      'POST',
      `${listeners}/${listenerId}/replay`,
      {},
    )
    const begun = performance.now()
    // Does not query the database before: polling its tasks every few milliseconds would be
    // measured, too.
    while ((await receiver.ask('count')) < many) await delay(5)
    await allWritten()
    const seconds = (performance.now() - begun) / 1_000
    const ids = (await receiver.ask('take')).map(({ id }) => id)
    if (replayed !== many || ids.length !== many || new Set(ids).size !== many)
      throw new Error(
        `${replayed} to be sent, ${ids.length} came, ${new Set(ids).size} different, of ${many}`,
      )
    return many / seconds
  }
  return { ours, stop: () => db.close() }
}
