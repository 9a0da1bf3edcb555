/**
 * How long a good listener waits for its calls, alone and beside fifty bad ones (95th percentile).
 */
import { setTimeout as delay } from 'node:timers/promises'
import { type Child, startChild } from '../child.ts'
import type { ReceiverVerbs } from '../children/receiver.ts'
import type { Bench, Figure } from '../figure.ts'
import { inTurn, median, ratioOf, type Side } from '../pairs.ts'
import { type Caller, callHub, client, newPlace, startCaller } from '../server.ts'
import { sharedNow } from '../shared-clock.ts'
import { listeners, loopback } from './deliveries.ts'

const many = 50
/** Deliveries for each bad listener at the start of a run. */
const pile = 4

export const badListeners: Figure = {
  name: 'bad-listeners',
  says: 'p95 of a good listener with 50 bad ones beside it against alone',
  run: async (bench) => {
    const alone = await open(bench, 0)
    const beside = await open(bench, many)
    const taken = await inTurn(bench, { alone: alone.side, beside: beside.side })
    await Promise.all([alone.stop(), beside.stop()])
    return [
      {
        figure:
          "A good listener's p95, from event to call, with 50 bad ones beside it, against alone",
        ours: `${median(taken.beside).toFixed(1)} ms`,
        anchor: `${median(taken.alone).toFixed(1)} ms`,
        measured: ratioOf(taken.beside, taken.alone),
        unit: 'x',
        target: { atMost: 1.2 },
      },
    ]
  },
}

/** Separate hubs, so that pending calls to the bad listeners do not affect the run without them. */
async function open(bench: Bench, badOnes: number) {
  const server = await startCaller(
    bench,
    await newPlace(bench),
    badOnes > 0 ? 'bad-listeners' : undefined,
    loopback,
  )
  const receiver = startChild<ReceiverVerbs>(bench, 'receiver')
  const far = `http://127.0.0.1:${await receiver.ask('open')}`
  const make = async (path: string, body: object): Promise<string> =>
    `${path}/${(await callHub<{ listenerId: string }>(server, 'POST', path, body)).listenerId}/test`
  const good = await make(listeners, { uri: `${far}/good`, type: 'JOB_STATUS_UPDATED' })
  const bad: string[] = []
  await callHub(server, 'PATCH', `/v2/clients/${client.id}`, {
    quotas: { MaxProviderListeners: 100 },
  })
  for (let at = 0; at < badOnes; at++)
    bad.push(await make('/v2/listeners', { jobUri: `${far}/bad/${at}` }))
  const samples = bench.options.quick ? 10 : 200
  const side: Side = async () => {
    for (let round = 0; round < pile; round++)
      await Promise.all(bad.map((path) => callHub(server, 'POST', path)))
    // Measures the bad listeners, not the calls that gave them their work.
    await delay(500)
    return p95(await waits(server, receiver, good, samples))
  }
  const stop = async (): Promise<void> => {
    await Promise.all([server.stop(), receiver.stop()])
  }
  return { side, stop }
}

/** One event after another, each from the call that causes it until the listener is called. */
async function waits(
  server: Caller,
  receiver: Child<ReceiverVerbs>,
  path: string,
  samples: number,
): Promise<number[]> {
  await receiver.ask('take')
  const begun = new Map<string, number>()
  for (let at = 0; at < samples; at++) {
    const now = sharedNow()
    const { deliveryId } = await callHub<{ deliveryId: string }>(server, 'POST', path)
    begun.set(deliveryId, now)
    await delay(5)
  }
  while ((await receiver.ask('count')) < samples) await delay(10)
  const noted = await receiver.ask('take')
  return noted.map(({ id, at }) => at - (begun.get(id) ?? Number.NaN))
}

const p95 = (times: readonly number[]): number =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? Number.NaN
