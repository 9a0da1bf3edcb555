/** Contract, sections 9 and 11 (Quotes): words, bands, money and hashes, on both databases. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { enrolClient } from '../../packages/server/src/domain/sites/enrol-client.ts'
import { countFileWords } from '../../packages/text/src/index.ts'
import { databases, startHub, type TestHub } from '../hub.ts'
import { bands, prices, type Quoting, quoting, tmxOf, wordsOf } from '../quoting.ts'
import { run } from '../scenario.ts'

/** What each database made of the same job, before and after a restart. */
const hashes = new Map<string, string>()

describe.each(databases)('quotes on %s', (database) => {
  let hub: TestHub
  let at: Quoting
  beforeAll(async () => {
    hub = await startHub({ database })
    at = quoting(hub)
    const other = await enrolClient(hub.inner, {
      clientId: 'other-site',
      siteId: 'other',
      scopes: ['content'],
    })
    hub.secrets.set('other-site', other.secret)
  })
  afterAll(() => hub.close())

  const texts = [
    'The pump stops when the tank is empty.', // 8 words, in the memory as it stands
    'Close the valve before you open the cover.', // 8 words and a point: one word of nine tokens is another, 88 %
    'Close the valve before you open the lid!', // 8 words; of nine tokens the mark at the end is another, 88 %
    'Wear gloves.', // 2 words, new
    'Wear gloves.', // 2 words, repeated
    'Fill 20 litres', // 3 words, another number: 99 %
  ]

  it('says that there is no price list before there is one', async () => {
    const jobId = await at.jobOf(texts)
    const call = `GET /v2/jobs/${jobId}/quote`
    await run(hub, {
      name: 'none',
      call,
      status: 404,
      code: 'PRICE_LIST_NOT_FOUND',
      says: /valid on \d{4}-/,
    })
  })

  it('counts words by band, prices them and says what it used', async () => {
    const list = await at.setPrices({ ...prices, minimumFee: '5', managementFeePercent: '10' })
    const taught = await at.teach(
      tmxOf([
        ['The pump stops when the tank is empty.', 'Die Pumpe stoppt, wenn der Tank leer ist.'],
        [
          'Close the valve before you open the lid.',
          'Schließen Sie das Ventil, bevor Sie den Deckel öffnen.',
        ],
        ['Fill 5 litres', '5 Liter einfüllen'],
        ['A unit without a text', ' '],
      ]),
    )
    expect(taught).toMatchObject({
      importStatus: 'IMPORTED',
      units: { read: 4, added: 3, changed: 0, skipped: 1 },
    })
    const jobId = await at.jobOf(texts)
    const quote = await at.quote(jobId)
    const [line] = quote.lines
    // 8 of 31 words are there, 3 nearly, 16 in part: 88 % is in the band 75-94.
    expect(wordsOf(line)).toEqual({
      '100 %': 8,
      '95-99 %': 3,
      '75-94 %': 16,
      Repetitions: 2,
      New: 2,
    })
    expect(line?.counts).toMatchObject({ segments: 6, words: 31, numbers: 1 })
    const counted = countFileWords('texts.json', new TextEncoder().encode(JSON.stringify(texts)))
    expect(counted).toMatchObject({ segments: 6, words: 31, numbers: 1 })
    // 0.125 × (8 × 0.25 = 0.25) + (3 × 0.3 → 0.1125 → 0.11) + (16 × 0.6 → 1.20) + (2 × 0.1 → 0.025
    // → 0.02) + (2 → 0.25)
    expect(line).toMatchObject({
      unit: 'Word',
      unitPrice: '0.125',
      service: 'Translation',
      amount: '1.83',
    })
    expect(line?.priceLine).toEqual({ sourceLanguage: 'en-us', targetLanguage: 'de-de' })
    // 10 % of 1.83 is 0.183; 2.01 is below the minimum of 5.
    expect(quote).toMatchObject({
      jobId,
      currency: 'EUR',
      priceListId: list.priceListId,
      priceListVersion: list.version,
      subtotal: '1.83',
      managementFee: '0.18',
      minimumFeeApplied: true,
      total: '5.00',
      complete: true,
      inputsHash: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
    hashes.set(`${database} before`, quote.inputsHash)
    await hub.restart()
    expect(await at.quote(jobId)).toEqual(quote)
    hashes.set(`${database} after`, (await at.quote(jobId)).inputsHash)
    // The same content in another job is the same input; another text, another price or another
    // memory is not.
    const again = await at.quote(await at.jobOf(texts))
    expect(again.inputsHash).toBe(quote.inputsHash)
    const changed = [...texts.slice(0, -1), 'Fill 21 litres']
    expect((await at.quote(await at.jobOf(changed))).inputsHash).not.toBe(quote.inputsHash)
  })

  it('finds repetitions across files and for each language by itself', async () => {
    await at.setPrices()
    const jobId = await at.newJob()
    const first = await at.upload(
      jobId,
      'one.txt',
      'Alpha beta gamma delta\nEpsilon zeta eta theta\n',
    )
    const second = await at.upload(jobId, 'two.txt', 'Epsilon zeta eta theta\nIota kappa\n')
    await at.addRequest(jobId, { fmsFileId: first }, ['de-de', 'fr-fr'])
    await at.addRequest(jobId, { fmsFileId: second }, ['de-de'])
    const { lines } = await at.quote(jobId)
    expect(
      lines.map((line) => [line.targetNativeLanguageCode, wordsOf(line), line.amount]),
    ).toEqual([
      ['de-de', { New: 8 }, '1.00'],
      ['fr-fr', { New: 8 }, '1.60'],
      ['de-de', { Repetitions: 4, New: 2 }, '0.30'],
    ])
  })

  it('leaves out what has no price, and says why', async () => {
    await at.setPrices({
      ...prices,
      lines: [
        ...prices.lines.slice(0, 1),
        {
          service: 'Translation',
          sourceLanguage: 'en-us',
          targetLanguage: 'it-it',
          unit: 'Hour',
          unitPrice: '50',
        },
      ],
    })
    const jobId = await at.newJob()
    await at.addTexts(jobId, ['Good words'], ['de-de', 'fr-fr', 'it-it'])
    await at.addRequest(jobId, { fmsFileId: await at.upload(jobId, 'drawing.dwg', 'binary') })
    await at.addRequest(jobId, { fmsFileId: await at.upload(jobId, 'broken.json', '{"a": ') })
    const quote = await at.quote(jobId)
    expect(quote).toMatchObject({ complete: false, total: '0.25' })
    expect(quote.lines).toHaveLength(1)
    expect(quote.warnings).toEqual([
      expect.stringMatching(
        /not in the total: the price list has no line for Translation from en-us to fr-fr\.$/,
      ),
      expect.stringMatching(/priced per Hour/),
      expect.stringMatching(/the words of drawing\.dwg cannot be counted: its format is not known/),
      expect.stringMatching(/the words of broken\.json cannot be counted: /),
    ])
    const other = await at.quote(await at.jobOf(['Good words'], { serviceType: 'Proofreading' }))
    expect(other).toMatchObject({ complete: false, lines: [], total: '0.00' })
    expect(other.warnings?.[0]).toMatch(/no line for Proofreading/)
  })

  it('keeps the quote of a submission that asked for one', async () => {
    await at.setPrices()
    const asked = await at.jobOf(['Words that stay'], { shouldQuote: true })
    const open = await at.jobOf(['Words that stay'])
    const before = await at.quote(asked)
    for (const jobId of [asked, open]) await at.submit(jobId)
    const kept = await hub.inner.db.read.selectFrom('job_quotes').select('job_id').execute()
    expect(kept).toEqual([{ job_id: asked }])
    await at.teach(tmxOf([['Words that stay', 'Worte, die bleiben']]))
    expect(await at.quote(asked)).toEqual(before)
    expect(wordsOf((await at.quote(open)).lines[0])).toEqual({ '100 %': 3 })
    await hub.restart()
    expect(await at.quote(asked)).toEqual(before)
  })

  it('what was approved is a match for the next job, in its place even in context', async () => {
    await at.setPrices()
    const lines = [
      'Turn the key to the left',
      'Wait until the lamp is green',
      'Push the pedal slowly down',
    ]
    const jobId = await at.jobOf(lines)
    await at.submit(jobId, 'Pseudo')
    const { requests } = await at.must<{ requests: { requestId: string; statusCode: string }[] }>(
      200,
      'GET',
      `/jobs/${jobId}/requests`,
    )
    expect(requests[0]?.statusCode).toBe('REVIEW_TRANSLATION')
    expect(wordsOf((await at.quote(await at.jobOf(lines))).lines[0])).toEqual({ New: 17 })
    await at.must(200, 'PUT', `/jobs/${jobId}/requests/approve`, {
      requestIds: requests.map((one) => one.requestId),
    })
    await hub.advance('1s')
    expect(wordsOf((await at.quote(await at.jobOf(lines))).lines[0])).toEqual({ Context: 17 })
    const moved = [lines[1] ?? '', lines[0] ?? '']
    expect(wordsOf((await at.quote(await at.jobOf(moved))).lines[0])).toEqual({ '100 %': 12 })
    // The memory is of the site and of the pair of languages.
    const french = await at.newJob()
    await at.addTexts(french, lines, ['fr-fr'])
    expect(wordsOf((await at.quote(french)).lines[0])).toEqual({ New: 17 })
  })

  it('a file of every format that is read is counted', async () => {
    await at.setPrices()
    const jobId = await at.newJob()
    const files: [name: string, text: string, words: number][] = [
      ['page.html', '<html><body><p>Three <b>bold</b> words</p></body></html>', 3],
      ['messages.json', '{"greeting":"Hello {name}, welcome"}', 2],
      ['units.xlf', xliff('Two words'), 2],
      ['catalogue.xml', '<catalogue><title>One title here</title></catalogue>', 3],
    ]
    for (const [name, text] of files)
      await at.addRequest(jobId, {
        requestName: name,
        fmsFileId: await at.upload(jobId, name, text),
      })
    const { lines, complete } = await at.quote(jobId)
    expect(complete).toBe(true)
    expect(lines.map((line) => line.counts.words)).toEqual(files.map(([, , words]) => words))
  })

  describe('refuses', () => {
    it('another site, another scope, an archived job, and a file that has not arrived', async () => {
      const jobId = await at.jobOf(['Words'])
      const call = `GET /v2/jobs/${jobId}/quote`
      await run(hub, { name: 'site', as: 'other-site', call, status: 404, code: 'JOB_NOT_FOUND' })
      await run(hub, { name: 'scope', as: 'demo-provider', call, status: 403, code: 'FORBIDDEN' })
      const path = `/jobs/${jobId}/sourcefiles?fileName=late.txt`
      const { fmsFileId } = await at.must<{ fmsFileId: string }>(201, 'POST', path)
      await at.addRequest(jobId, { fmsFileId })
      await run(hub, { name: 'file', call, status: 409, code: 'FILE_NOT_UPLOADED' })
      const done = await at.jobOf(['Words'])
      await at.submit(done)
      await at.must(200, 'PUT', `/jobs/${done}/complete`)
      await at.must(200, 'PUT', `/jobs/${done}/archive`)
      await run(hub, {
        name: 'archived',
        call: `GET /v2/jobs/${done}/quote`,
        status: 409,
        code: 'JOB_ARCHIVED',
      })
    })
  })

  it('a job without requests costs nothing', async () => {
    await at.setPrices({ ...prices, minimumFee: '30', bands })
    expect(await at.quote(await at.newJob())).toMatchObject({
      lines: [],
      total: '0.00',
      complete: true,
    })
  })
})

const xliff = (source: string): string =>
  `<?xml version="1.0"?><xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2"><file original="a" source-language="en" datatype="plaintext"><body><trans-unit id="1"><source>${source}</source></trans-unit></body></file></xliff>`

it('both databases, before and after a restart, give the same hash', () => {
  expect(hashes.size).toBe(databases.length * 2)
  expect(new Set(hashes.values()).size).toBe(1)
})
