/**
 * The memory of a site on both databases: the same matches as brute force finds, and TMX files good,
 * broken, late and cut off.
 */
import type { TmUpdate } from '@dragoman/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pairOf } from '../../packages/server/src/domain/language/memory/add-units.ts'
import { findMatches } from '../../packages/server/src/domain/language/memory/find-matches.ts'
import { likenessOf } from '../../packages/text/src/likeness/likeness.ts'
import { minPercent } from '../../packages/text/src/likeness/pieces.ts'
import { plainSource, tokensOf } from '../../packages/text/src/likeness/tokens.ts'
import { databases, startHub, type TestHub } from '../hub.ts'
import { prices, type Quoting, quoting, tmxOf } from '../quoting.ts'

/** A small generator with a seed: both databases and every run see the same texts. */
function seeded(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}
const words =
  `the a of to and valve pump open close press wait until lamp green red tank empty full {name} 12 3.5 <b> </b> 東京 é , .`.split(
    ' ',
  )
const sentence = (draw: (below: number) => number): string =>
  Array.from(
    { length: 1 + draw(22) },
    () => words[Math.floor((draw(100) / 100) ** 2 * words.length)],
  ).join(' ')
const changed = (text: string, draw: (below: number) => number): string => {
  const tokens = text.split(' ')
  for (let edits = draw(4); edits > 0; edits--)
    tokens.splice(draw(tokens.length), draw(2), words[draw(words.length)] ?? '')
  return tokens.join(' ')
}

const found = new Map<string, number[]>()
const pair = pairOf('en-us', 'de-de')

describe.each(databases)('the memory on %s', (database) => {
  let hub: TestHub
  let at: Quoting
  beforeAll(async () => {
    hub = await startHub({ database })
    at = quoting(hub)
    await at.setPrices(prices)
  })
  afterAll(() => hub.close())
  const unitsNow = () =>
    hub.inner.db.read
      .selectFrom('memory_units')
      .select(['source', 'target'])
      .orderBy('unit_id')
      .execute()

  it('finds the matches that brute force finds', async () => {
    const draw = seeded(7)
    const units = Array.from({ length: 1_500 }, () => sentence(draw))
    const queries = units.slice(0, 400).map((text) => changed(text, draw))
    const { importStatus } = await at.teach(tmxOf(units.map((text, one) => [text, `Satz ${one}`])))
    expect(importStatus).toBe('IMPORTED')
    const matches = await findMatches(
      hub.inner,
      { siteId: 'demo', pair },
      queries.map((source) => ({ source })),
    )
    /** The first of each list of tokens stands for all; the very text is looked for among all. */
    const known = (source: string) => ({ source, tokens: tokensOf(source) })
    const sources = new Set(units.map(plainSource))
    const firsts = new Map<string, ReturnType<typeof known>>()
    for (const source of sources) {
      const one = known(source)
      const key = one.tokens.join()
      if (!firsts.has(key)) firsts.set(key, one)
    }
    const brute = queries.map(plainSource).map((query) => {
      if (sources.has(query)) return 100
      const asked = known(query)
      const best = Math.max(...Array.from(firsts.values(), (unit) => likenessOf(asked, unit)))
      return best >= minPercent ? best : 0
    })
    const percents = matches.map(({ percent }) => percent)
    expect(percents).toEqual(brute)
    // The test is worth something: there are matches of every kind.
    const kinds = [0, 100].map((kind) => brute.filter((percent) => percent === kind).length)
    expect(
      Math.min(...kinds, brute.filter((percent) => percent > 0 && percent < 95).length),
    ).toBeGreaterThan(20)
    found.set(database, percents)
  })

  it('takes a translation anew, and counts what it did', async () => {
    const before = (await unitsNow()).length
    const units: [string, string][] = [
      ['Renew this text', 'Erste Fassung'],
      ['Keep this text', 'Bleibt'],
    ]
    expect((await at.teach(tmxOf(units))).units).toEqual({
      read: 2,
      added: 2,
      changed: 0,
      skipped: 0,
    })
    units[0] = ['Renew this text', 'Zweite Fassung']
    expect((await at.teach(tmxOf(units))).units).toEqual({
      read: 2,
      added: 0,
      changed: 1,
      skipped: 0,
    })
    const after = await unitsNow()
    expect(after).toHaveLength(before + 2)
    expect(after.find(({ source }) => source === 'Renew this text')?.target).toBe('Zweite Fassung')
  })

  it('a million equal tokens are one to find, whatever their numbers', async () => {
    await at.teach(
      tmxOf(
        Array.from({ length: 300 }, (_, one) => [
          `Order number ${one} has been sent`,
          `Bestellung ${one}`,
        ]),
      ),
    )
    const [exact, other] = await findMatches(hub.inner, { siteId: 'demo', pair }, [
      { source: 'Order number 17 has been sent' },
      { source: 'Order number 999 has been sent' },
    ])
    expect([exact?.percent, other?.percent]).toEqual([100, 99])
    // The others have the one by which they take its place.
    const postings = await hub.inner.db.read
      .selectFrom('memory_postings')
      .select('unit_id')
      .groupBy('unit_id')
      .having((eb) => eb(eb.fn.countAll(), '>', 1))
      .execute()
    expect(postings.length).toBeLessThan((await unitsNow()).length - 250)
  })

  const good = tmxOf([['Fine', 'Gut']])
  it.each<[name: string, file: string | Uint8Array, says: RegExp]>([
    [
      'empty',
      '',
      /memory\.tmx cannot be imported: it is not well-formed XML.*Nothing was imported\.$/,
    ],
    ['cut off', tmxOf([['Lost', 'Verloren']]).slice(0, -20), /not well-formed XML: unclosed tag/],
    ['no TMX', '<html></html>', /its root is <html>, not <tmx>/],
    [
      'of other languages',
      good.replaceAll('de-DE', 'fr-FR'),
      /both EN_us and de-DE; its languages are en-US, fr-FR/,
    ],
    [
      'with entities',
      good.replace('<tmx', '<!DOCTYPE tmx [<!ENTITY a "b">]><tmx'),
      /DOCTYPE contains declarations/,
    ],
    ['no UTF-8', Buffer.from(good.replace('Gut', 'Grüße'), 'latin1'), /not written in/],
  ])('a file that is %s is an error on its update, and teaches nothing', async (_, file, says) => {
    const before = await unitsNow()
    const update = await at.teach(file)
    expect(update).toMatchObject({ importStatus: 'FAILED', units: { read: 0, added: 0 } })
    expect(update.importError).toMatch(says)
    expect(await unitsNow()).toEqual(before)
    const [tasks] = await hub.inner.db.read
      .selectFrom('tasks')
      .select((eb) => eb.fn.countAll().as('many'))
      .where('name', '=', 'import-tm-update')
      .execute()
    expect(Number(tasks?.many)).toBe(0)
  })

  it('waits for bytes that are on their way, and leaves other files to the provider', async () => {
    const jobId = await at.newJob()
    const begin = (fileName: string) =>
      at.must<Record<string, string>>(
        201,
        'POST',
        `/jobs/${jobId}/sourcefiles?fileName=${fileName}`,
      )
    const late = await begin('late.tmx')
    const path = `/jobs/${jobId}/tmupdates`
    const update = await at.must<TmUpdate>(201, 'POST', path, {
      fmsFileId: late.fmsFileId,
      ...at.pair,
    })
    await hub.advance('1m')
    expect(await at.must<TmUpdate>(200, 'GET', `${path}/${update.tmupdateId}`)).toMatchObject({
      importStatus: 'WAITING',
    })
    const form = new FormData()
    form.append('file', new Blob([tmxOf([['A text that came late', 'Spät']])]), 'late.tmx')
    expect(
      (await fetch(late.fmsPostMultipartUrl ?? '', { method: 'POST', body: form })).status,
    ).toBe(201)
    await hub.advance('1s')
    expect(await at.must<TmUpdate>(200, 'GET', `${path}/${update.tmupdateId}`)).toMatchObject({
      importStatus: 'IMPORTED',
      units: { read: 1, added: 1 },
    })
    const other = await begin('terms.tbx')
    const plain = await at.must<TmUpdate>(201, 'POST', path, {
      fmsFileId: other.fmsFileId,
      ...at.pair,
    })
    expect(plain).not.toHaveProperty('importStatus')
  })

  it('an import that was cut off goes on where it was', async () => {
    const units = Array.from({ length: 2_500 }, (_, one): [string, string] => [
      `Sentence ${'abcdefghij'[one % 10]} ${one.toString(36).replace(/\d/g, 'x')} ${one}`,
      `Satz ${one}`,
    ])
    const before = (await unitsNow()).length
    await at.teach(tmxOf(units.slice(0, 1_000)))
    const jobId = await at.newJob()
    const fmsFileId = await at.upload(jobId, 'memory.tmx', tmxOf(units))
    const path = `/jobs/${jobId}/tmupdates`
    // The runner is kept from it until the row looks as it does after a batch and a dead process.
    const { tmupdateId } = await at.must<TmUpdate>(201, 'POST', path, { fmsFileId, ...at.pair })
    await hub.advance('1s')
    const { db: store } = hub.inner
    await store.transact(async (tx) => {
      const cut = {
        import_status: 'IMPORTING',
        units_read: 1_000,
        units_added: 1_000,
        units_changed: 0,
      } as const
      await tx.updateTable('tm_updates').set(cut).where('tmupdate_id', '=', tmupdateId).execute()
      await tx.deleteFrom('memory_units').where('origin', '=', tmupdateId).execute()
      const gone = await tx
        .selectFrom('memory_units')
        .select((eb) => eb.fn.max('unit_id').as('last'))
        .executeTakeFirst()
      await tx
        .deleteFrom('memory_postings')
        .where('unit_id', '>', Number(gone?.last ?? 0))
        .execute()
    })
    const { importLater } = await import(
      '../../packages/server/src/domain/jobs/assets/import-tm-update.ts'
    )
    await store.transact((tx) =>
      importLater(
        hub.inner,
        tx,
        { site_id: 'demo', job_id: jobId, tmupdate_id: tmupdateId, file_id: fmsFileId },
        'test',
      ),
    )
    await hub.advance('1s')
    expect(await at.must<TmUpdate>(200, 'GET', `${path}/${tmupdateId}`)).toMatchObject({
      importStatus: 'IMPORTED',
      units: { read: 2_500, added: 2_500, changed: 0, skipped: 0 },
    })
    expect(await unitsNow()).toHaveLength(before + 2_500)
  })
})

it('both databases find the same', () => {
  expect(found.size).toBe(databases.length)
  expect(new Set(Array.from(found.values(), (percents) => percents.join())).size).toBe(1)
})
