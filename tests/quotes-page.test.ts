/**
 * The worked example of docs/quotes.md: its commands are run as they stand, and the hub gives the
 * cents the page computes.
 */
import { execFile, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Quote } from '@dragoman/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { databases, startHub, type TestHub } from './hub.ts'

const page = readFileSync(join(import.meta.dirname, '..', 'docs', 'quotes.md'), 'utf8')
const script = [...page.matchAll(/```sh tour\n([\s\S]*?)```/g)]
  .map(([, block = '']) => block)
  .join('\n')
const hasCurl = spawnSync('curl', ['--version']).status === 0

type QuoteLine = { language: string; band: string; words: number; sum: string; amount: string }
const rows: QuoteLine[] = [
  ...page.matchAll(/^\| (\w\w-\w\w) \| (.+?) \| (\d+) \| (.+?) = ([\d.]+) \| ([\d.]+) \|$/gm),
].map(([, language = '', band = '', words = '', , sum = '', amount = '']) => ({
  language,
  band,
  words: Number(words),
  sum,
  amount,
}))

if (!hasCurl)
  process.stderr.write('SKIPPED: the worked example of quotes, because curl is not installed\n')

describe.runIf(hasCurl).each(databases)('the worked example on %s', (database) => {
  let hub: TestHub
  beforeAll(async () => {
    hub = await startHub({ database })
  })
  afterAll(() => hub.close())

  it('gives the cents that the page computes', async () => {
    const text = script.replace('http://127.0.0.1:8080', hub.url)
    const env = { PATH: process.env.PATH ?? '' }
    const { stdout } = await promisify(execFile)('sh', ['-eu', '-c', text], { env })
    expect(stdout).toMatch(/"importStatus":"IMPORTED".*"added":1/)
    const quote = JSON.parse(/\{"jobId":"[^"]*","currency".*\}/.exec(stdout)?.[0] ?? '{}') as Quote
    const shown = quote.lines.flatMap((line) =>
      line.bands
        .filter(({ words }) => words > 0)
        .map(({ name, words, amount }) => [line.targetNativeLanguageCode, name, words, amount]),
    )
    expect(shown).toEqual(
      rows.map(({ language, band, words, amount }) => [language, band, words, amount]),
    )
    expect(rows).toHaveLength(6)
    const figures = [...quote.lines.map(({ amount }) => amount), quote.managementFee, quote.total]
    expect(figures).toEqual(['2.13', '3.50', '0.42', '6.05'])
    for (const figure of figures) expect(page).toContain(`**${figure}**`)
    expect(quote.lines.map(({ minimumApplied = false }) => minimumApplied)).toEqual([false, true])
    expect(quote).toMatchObject({ subtotal: '5.63', complete: true })
    expect(quote).not.toHaveProperty('minimumFeeApplied')
    const job = await hub.call('GET', `/v2/jobs/${quote.jobId}`, { as: 'demo-connector' })
    expect(job.body).toMatchObject({ analysisCodes: [{ level: 1, code: 'CC-100' }] })
  })
})

it('the page multiplies rightly', () => {
  for (const { sum } of rows) {
    const row = page.split('\n').find((line) => line.includes(`= ${sum} |`)) ?? ''
    const [words = 0, price = 0, factor = 0] = (/(\d+) × ([\d.]+) × ([\d.]+)/.exec(row) ?? [])
      .slice(1)
      .map(Number)
    expect(words * price * factor).toBeCloseTo(Number(sum), 9)
  }
})
