/**
 * A thousand people who follow the hub: what their event streams cost in memory, and what they take
 * from POST /jobs.
 */
import { rssOf } from '../../tests/campaigns/moved-memory.ts'
import { startChild } from '../child.ts'
import type { LoadVerbs } from '../children/load.ts'
import type { StreamVerbs } from '../children/streams.ts'
import type { Bench, Figure } from '../figure.ts'
import { inTurn, measuredOf, rate, ratioOf, type Side } from '../pairs.ts'
import { callHub, newJob, startServer } from '../server.ts'

const connections = 10

export const streams: Figure = {
  name: 'streams',
  says: 'memory of 1,000 event streams, and POST /jobs beside them',
  run: async (bench) => {
    const count = bench.options.quick ? 20 : 1_000
    const [followed, alone] = [await startHub(bench, 'streams'), await startHub(bench)]
    // Code loaded on first use counts as idle memory.
    for (const { post } of [followed, alone]) await post(bench.options.quick ? 150 : 3_000)
    const browsers = startChild<StreamVerbs>(bench, 'streams')
    await browsers.ask('open', { port: followed.port, count: 1 })
    const idle = await rssOf(followed.pid)
    await browsers.ask('open', { port: followed.port, count: count - 1 })
    const held = await rssOf(followed.pid)
    const taken = await inTurn(bench, { ours: followed.post, anchor: alone.post })
    await Promise.all([browsers.stop(), followed.stop(), alone.stop()])
    const many = count.toLocaleString('en')
    return [
      {
        figure: `Memory (RSS) of ${many} event streams`,
        ours: `${held.toFixed(0)} MB`,
        anchor: `idle ${idle.toFixed(0)} MB`,
        measured: measuredOf([held - idle]),
        unit: 'MB',
        target: { atMost: 50 },
      },
      {
        figure: `POST /jobs with ${many} event streams, against none`,
        ours: rate(taken.ours),
        anchor: rate(taken.anchor),
        measured: ratioOf(taken.ours, taken.anchor),
        unit: 'x',
        target: { atLeast: 0.9 },
      },
    ]
  },
}

/** In the sandbox profile, where the console needs no sign-in. */
async function startHub(bench: Bench, name?: string) {
  const env = {
    DRAGOMAN_PROFILE: 'sandbox',
    DRAGOMAN_PORT: '0',
    DRAGOMAN_DATA: await bench.folder(),
    DRAGOMAN_RATE_LIMIT: 'off',
    DRAGOMAN_CONNECTIONS_PER_ADDRESS: 'off',
    DRAGOMAN_LOG_LEVEL: 'warn',
  }
  const server = await startServer(bench, env, name)
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: 'demo-connector',
    client_secret: 'demo-connector-secret',
  })
  const { access_token: token } = (await (
    await fetch(`http://127.0.0.1:${server.port}/connect/token`, { method: 'POST', body: form })
  ).json()) as { access_token: string }
  const headers = { authorization: `Bearer ${token}` }
  await callHub({ port: server.port, headers }, 'POST', '/v2/jobs', newJob)
  const load = startChild<LoadVerbs>(bench, 'load')
  const call = {
    port: server.port,
    headers,
    connections,
    method: 'POST',
    path: '/v2/jobs',
    body: JSON.stringify(newJob),
  }
  const post: Side = async (milliseconds) => {
    const { calls, seconds } = await load.ask('calls', { ...call, milliseconds })
    return calls / seconds
  }
  const stop = async (): Promise<void> => {
    await Promise.all([server.stop(), load.stop()])
  }
  return { port: server.port, pid: server.pid, post, stop }
}
