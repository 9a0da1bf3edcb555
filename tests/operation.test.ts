import { connect } from 'node:net'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Metrics, openMetrics } from '../packages/server/src/doors/http/metrics.ts'
import {
  openMetricsServer,
  registerOperation,
} from '../packages/server/src/doors/http/operation.ts'
import type { Hub } from '../packages/server/src/hub.ts'
import { usualPatience } from '../packages/server/src/process/listen.ts'
import { addTasks } from '../packages/server/src/store/tasks/add-tasks.ts'
import { databases, type HubPlace, makePlace, until } from './hub-place.ts'
import { packageVersion } from './package-version.ts'

describe.each(databases)('what watches over a hub on %s', (database) => {
  let place: HubPlace
  let hub: Hub
  let app: FastifyInstance
  let metrics: Metrics
  let isStopping: boolean
  let url: string
  beforeEach(async () => {
    place = await makePlace(database)
    hub = await place.open()
    metrics = openMetrics(hub)
    app = Fastify()
    isStopping = false
    registerOperation(app, hub, metrics, () => isStopping)
    url = await app.listen({ host: '127.0.0.1', port: 0 })
  })
  afterEach(async () => {
    await app.close()
    await place.clear()
  })
  const ask = async (path: string) => {
    const answer = await fetch(url + path)
    return { status: answer.status, text: await answer.text() }
  }

  it('is told that the process lives and that it can serve', async () => {
    expect(await ask('/healthz')).toEqual({
      status: 200,
      text: `{"status":"ok","version":"${packageVersion}"}`,
    })
    expect(await ask('/readyz')).toEqual({ status: 200, text: '{"status":"ready"}' })
  })

  it('is told what is missing when the database is gone, while the process lives', async () => {
    await place.close(hub)
    expect((await ask('/healthz')).status).toBe(200)
    const { status, text } = await ask('/readyz')
    expect(status).toBe(503)
    expect(text).toContain('the database does not respond')
  })

  it('is told to send nothing more before the hub stops', async () => {
    isStopping = true
    const { status, text } = await ask('/readyz')
    expect(status).toBe(503)
    expect(text).toContain('stopping')
    expect((await ask('/healthz')).status).toBe(200)
  })

  it('reads figures of calls, tasks, refusals and drops', async () => {
    const now = hub.clock.now()
    const task = { name: 'n', payload: {}, causeId: 'test' }
    await hub.db.transact((tx) =>
      addTasks(hub.db, tx, now, [
        { ...task, dueAt: now },
        { ...task, dueAt: now + 3_600_000 },
      ]),
    )
    metrics.observeCall({ route: '/v2/jobs', method: 'GET', status: 200, seconds: 0.02 })
    metrics.observeTask('archive-job', 'done', 3)
    metrics.countThrottled()
    metrics.countDroppedCalls(4)
    metrics.countCallsOver()
    const { status, text } = await ask('/metrics')
    expect(status).toBe(200)
    expect(text).toContain(
      'dragoman_call_seconds_count{route="/v2/jobs",method="GET",status="200"} 1',
    )
    expect(text).toContain('dragoman_task_seconds_count{task="archive-job",ending="done"} 1')
    expect(text).toContain('dragoman_throttled_calls_total 1')
    expect(text).toContain('dragoman_dropped_log_rows_total 4')
    expect(text).toContain('dragoman_calls_over_log_total 1')
    expect(text).toContain('dragoman_tasks{state="due"} 1')
    expect(text).toContain('dragoman_tasks{state="later"} 1')
    expect(text).toContain('dragoman_tasks{state="parked"} 0')
    expect(text).toContain('dragoman_deliveries{state="pending"} 0')
    expect(text).toContain('process_cpu_seconds_total')
  })

  it('reads the other figures when the database is gone', async () => {
    await place.close(hub)
    const { status, text } = await ask('/metrics')
    expect(status).toBe(200)
    expect(text).toContain('process_cpu_seconds_total')
    expect(text).not.toContain('dragoman_tasks{')
  })

  it('reads them on an address of their own, where nothing else is', async () => {
    const figures = await openMetricsServer(hub, metrics, { host: '127.0.0.1', port: 0 })
    const answer = await fetch(`${figures.url}/metrics`)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toContain('text/plain')
    expect(await answer.text()).toContain('dragoman_tasks{state="due"} 0')
    for (const path of ['/', '/healthz', '/v2/jobs'])
      expect((await fetch(figures.url + path)).status).toBe(404)
    expect((await fetch(`${figures.url}/metrics`, { method: 'POST' })).status).toBe(404)
    await figures.close()
  })

  it('cannot be kept from them by connections that say nothing', async () => {
    const patience = { ...usualPatience, head: 500 }
    const figures = await openMetricsServer(hub, metrics, { host: '127.0.0.1', port: 0 }, patience)
    const port = Number(new URL(figures.url).port)
    let ended = 0
    const silent = Array.from({ length: 150 }, () =>
      connect({ port, host: '127.0.0.1' })
        .on('error', () => {})
        .once('close', () => {
          ended += 1
        })
        .resume(),
    )
    await until('those over the limit are ended', () => ended >= 50)
    await until('and the others in time', () => ended === silent.length)
    expect((await fetch(`${figures.url}/metrics`)).status).toBe(200)
    await figures.close()
  })
})
