/**
 * 10,000 segments through a fast engine on loopback, from submit to review: sent in batches,
 * verified, counted and written, against bare undici that posts the same batches with the same
 * concurrency. And the memory that the hub takes for it.
 */
import { readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { databaseModule } from '../built.ts'
import { startChild } from '../child.ts'
import type { BarePostsVerbs } from '../children/bare-posts.ts'
import type { FastEngineVerbs } from '../children/fast-engine.ts'
import type { Figure } from '../figure.ts'
import { inTurn, measuredOf, rate, ratioOf, type Side } from '../pairs.ts'
import { callHub, createJob, newPlace, startCaller } from '../server.ts'
import { loopback } from './deliveries.ts'

const concurrency = 4
const languages = { sourceNativeLanguageCode: 'en-US', targetNativeLanguageCodes: ['de-DE'] }

export const engineOnSqlite: Figure = {
  name: 'engine-sqlite',
  says: '10,000 segments through a fast engine on SQLite against bare undici calls of the same batches',
  run: async (bench) => {
    const many = bench.options.quick ? 200 : 10_000
    const place = await newPlace(bench)
    const server = await startCaller(bench, place, 'engine-sqlite', loopback)
    const engine = startChild<FastEngineVerbs>(bench, 'fast-engine')
    const url = `http://127.0.0.1:${await engine.ask('open')}`
    const { id: providerId } = await callHub<{ id: string }>(server, 'POST', '/v2/providers', {
      name: 'Engine',
      typeId: 'machine-translation',
      config: { url, concurrency, format: 'text' },
    })
    const fields = Array.from({ length: many }, (_, at) => ({
      key: `k${at}`,
      value: `The quick brown fox jumps over the lazy dog, number ${at}.`,
    }))
    const body = JSON.stringify({ requestName: 'r', sourceNativeId: 's', ...languages, fields })
    const database = await (await databaseModule()).openDatabase(place.databaseUrl)
    const ready = (jobId: string) =>
      database.read
        .selectFrom('requests')
        .select(['status', 'error_message'])
        .where('job_id', '=', jobId)
        .executeTakeFirstOrThrow()
    const ours: Side = async () => {
      const { jobId } = await createJob(server)
      await callHub(server, 'POST', `/v2/jobs/${jobId}/requests/add`, body)
      const begun = performance.now()
      await callHub(server, 'PUT', `/v2/jobs/${jobId}/submit`, { providerId })
      for (;;) {
        const { status, error_message } = await ready(jobId)
        if (error_message) throw new Error(error_message)
        if (status === 'REVIEW_TRANSLATION') return (many * 1_000) / (performance.now() - begun)
        await delay(5)
      }
    }
    await engine.ask('keep')
    await ours(0)
    const kept = await engine.ask('kept')
    const bare = startChild<BarePostsVerbs>(bench, 'bare-posts')
    await bare.ask('open', kept)
    const anchor: Side = async () =>
      ((await bare.ask('post', { url: `${url}/translate`, concurrency })) * many) / kept.length
    const taken = await inTurn(bench, { ours, anchor })
    const peak = peakOf(server.pid)
    await Promise.all([server.stop(), engine.stop(), bare.stop(), database.close()])
    const figure = `${many.toLocaleString('en')} segments through a fast engine, ${concurrency} calls at once, SQLite`
    return [
      {
        figure: `${figure}, against bare undici`,
        ours: rate(taken.ours),
        anchor: rate(taken.anchor),
        measured: ratioOf(taken.ours, taken.anchor),
        unit: 'x',
        target: { atLeast: 0.5 },
      },
      {
        figure: `Most memory of the hub with ${many.toLocaleString('en')} segments through an engine`,
        ours: `${peak.toFixed(0)} MB`,
        anchor: '',
        measured: measuredOf([peak]),
        unit: 'MB',
        target: { atMost: 400 },
      },
    ]
  },
}

/** The largest resident size since the process began; only Linux tells. */
function peakOf(pid: number): number {
  const [, kilobytes] = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) / 1_024
}
