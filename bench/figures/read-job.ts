/**
 * One job read by its id with a token, against bare Fastify sending the same bytes: the fixed cost
 * of every call.
 */
import { startChild } from '../child.ts'
import type { BareFastifyVerbs } from '../children/bare-fastify.ts'
import type { LoadVerbs } from '../children/load.ts'
import type { Bench, Figure } from '../figure.ts'
import { inTurn, rate, ratioOf, type Side } from '../pairs.ts'
import { createJob, newPlace, startCaller } from '../server.ts'

const connections = 10

export const readJob: Figure = {
  name: 'job-sqlite',
  says: 'GET /jobs/{jobId} on SQLite against bare Fastify that sends the same bytes',
  run: async (bench: Bench) => {
    const server = await startCaller(bench, await newPlace(bench), 'job-sqlite')
    const path = `/v2/jobs/${(await createJob(server)).jobId}`
    const answer = await fetch(`http://127.0.0.1:${server.port}${path}`, {
      headers: server.headers,
    })
    const body = Buffer.from(await answer.arrayBuffer())
    if (!answer.ok) throw new Error(`GET ${path} answered ${answer.status}: ${body}`)
    const kept = ['content-type', 'cache-control', 'x-request-id']
    const headers = Object.fromEntries(
      [...answer.headers].filter(([header]) => kept.includes(header)),
    )
    const bare = startChild<BareFastifyVerbs>(bench, 'bare-fastify')
    const barePort = await bare.ask('open', { headers, body })
    const load = startChild<LoadVerbs>(bench, 'load')
    const side =
      (port: number): Side =>
      async (milliseconds) => {
        const call = {
          port,
          headers: server.headers,
          connections,
          method: 'GET',
          path,
          milliseconds,
        }
        const { calls, seconds } = await load.ask('calls', call)
        return calls / seconds
      }
    const taken = await inTurn(bench, { ours: side(server.port), anchor: side(barePort) })
    await Promise.all([server.stop(), bare.stop(), load.stop()])
    return [
      {
        figure: `GET /jobs/{jobId}, SQLite (${body.length} bytes), against bare Fastify`,
        ours: rate(taken.ours),
        anchor: rate(taken.anchor),
        measured: ratioOf(taken.ours, taken.anchor),
        unit: 'x',
      },
    ]
  },
}
