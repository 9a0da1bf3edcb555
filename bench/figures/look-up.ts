/**
 * Looking a text up among 1,000,000 units, on both databases, against pg_trgm on the same texts;
 * short texts apart.
 */
import pg from 'pg'
import type { Bench, Figure, FigureRow } from '../figure.ts'
import { fillMemory } from '../fill-memory.ts'
import { measuredOf, ratioOf } from '../pairs.ts'
import { altered, type Draw, seeded, sentence } from '../sentences.ts'
import { type Caller, callHub, createJob, newPlace, startCaller } from '../server.ts'

const pair = { sourceNativeLanguageCode: 'en-us', targetNativeLanguageCode: 'de-de' }
/** A fifth of the memory are texts of one to three words, as in software. */
const unit = (draw: Draw): string =>
  draw() < 0.2 ? short(draw, 1 + Math.floor(draw() * 3)) : sentence(draw)
const short = (draw: Draw, words: number): string =>
  sentence(draw).replace('.', '').split(' ').slice(0, words).join(' ')
/** With another letter in the middle. */
const mistyped = (text: string): string => {
  const at = Math.floor(text.length / 2)
  return `${text.slice(0, at)}q${text.slice(at + 1)}`
}

const kinds = {
  'one word': (draw: Draw) => mistyped(short(draw, 1)),
  'two words': (draw: Draw) => mistyped(short(draw, 2)),
  sentences: (draw: Draw, units: readonly string[]) =>
    altered(units[Math.floor(draw() * units.length)] ?? '', draw),
} as const

type Ask = (text: string) => Promise<unknown>

export const lookUp: Figure = {
  name: 'look-up',
  says: 'a text looked up in a memory of 1,000,000 units, 95th percentile, against pg_trgm',
  run: async (bench) => {
    const units = bench.options.quick ? 500 : 1_000_000
    const postgres = await bench.postgres()
    const databaseUrl = await postgres.createDatabase()
    const [onSqlite, onPostgres] = [
      await openWith(bench, units),
      await openWith(bench, units, databaseUrl),
    ]
    const trigrams = await openTrigrams(databaseUrl)
    const memory = seeded(1)
    const known = Array.from({ length: Math.min(units, 5_000) }, () => unit(memory))
    const rows: FigureRow[] = []
    for (const [kind, make] of Object.entries(kinds)) {
      const draw = seeded(5)
      const texts = Array.from({ length: bench.options.quick ? 5 : 200 }, () => make(draw, known))
      const sides = { sqlite: onSqlite.ask, postgres: onPostgres.ask, trigrams: trigrams.ask }
      const taken = await inTurns(sides, texts, bench.options.quick ? 1 : 3)
      for (const [database, name] of [
        ['sqlite', 'SQLite'],
        ['postgres', 'PostgreSQL'],
      ] as const)
        rows.push({
          figure: `Look-up of ${kind} at ${units.toLocaleString('en')} units, ${name}: 95 of 100 take`,
          ours: `${Math.round(measuredOf(taken[database]).median * 1_000)} ms`,
          anchor: `${Math.round(measuredOf(taken.trigrams).median * 1_000)} ms pg_trgm (${ratioOf(taken.trigrams, taken[database]).median.toFixed(0)} x)`,
          measured: measuredOf(taken[database]),
          unit: 's',
          target: { atMost: 0.05 },
        })
    }
    await Promise.all([onSqlite.caller.stop(), onPostgres.caller.stop(), trigrams.close()])
    return rows
  },
}

/** The 95th percentile of each round, every side in turn for each text. */
async function inTurns<N extends string>(
  sides: Record<N, Ask>,
  texts: readonly string[],
  rounds: number,
): Promise<Record<N, number[]>> {
  const names = Object.keys(sides) as N[]
  const taken = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<
    N,
    number[]
  >
  for (const text of texts.slice(0, 20)) for (const name of names) await sides[name](text)
  for (let round = 0; round < rounds; round++) {
    const times = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<
      N,
      number[]
    >
    for (const text of texts)
      for (const name of names) {
        const begun = performance.now()
        await sides[name](text)
        times[name].push((performance.now() - begun) / 1_000)
      }
    for (const name of names) {
      const sorted = times[name].toSorted((one, other) => one - other)
      taken[name].push(sorted[Math.floor(sorted.length * 0.95)] ?? Number.NaN)
    }
  }
  return taken
}

async function openWith(
  bench: Bench,
  units: number,
  databaseUrl?: string,
): Promise<{ caller: Caller; ask: Ask }> {
  const place = await newPlace(bench, databaseUrl)
  const first = await startCaller(bench, place)
  const { siteId } = await createJob(first)
  const { id } = await callHub<{ id: string }>(first, 'POST', '/v2/providers', {
    name: 'Desk',
    typeId: 'manual',
  })
  await first.stop()
  await fillMemory(bench, place, siteId, { units, textOf: unit })
  if (databaseUrl) await onPostgres(databaseUrl, (client) => client.query('vacuum analyze'))
  const caller = await startCaller(bench, place, `look-up-${databaseUrl ? 'postgres' : 'sqlite'}`)
  return {
    caller,
    ask: (text) => callHub(caller, 'POST', `/v2/providers/${id}/matches`, { ...pair, text }),
  }
}

/** The usual index for similar texts, on the units of the same database. */
async function openTrigrams(
  databaseUrl: string,
): Promise<{ ask: Ask; close: () => Promise<void> }> {
  const client = new pg.Client(databaseUrl)
  await client.connect()
  await client.query('create extension pg_trgm')
  await client.query('create index on memory_units using gin (source gin_trgm_ops)')
  await client.query('set pg_trgm.similarity_threshold = 0.6')
  const text =
    'select source, target from memory_units where source % $1 order by similarity(source, $1) desc limit 5'
  return { ask: (sought) => client.query(text, [sought]), close: () => client.end() }
}

async function onPostgres(
  url: string,
  work: (client: pg.Client) => Promise<unknown>,
): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  await work(client)
  await client.end()
}
