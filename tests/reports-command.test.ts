/** `dragoman reports`: against a running hub, and with --local on its database. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Report } from '@dragoman/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Env, startHub, type TestHub } from './hub.ts'
import { prices, quoting } from './quoting.ts'
import { runCommandLine } from './run-command.ts'

describe('dragoman reports', () => {
  let hub: TestHub
  let cwd: string
  beforeAll(async () => {
    hub = await startHub()
    cwd = mkdtempSync(join(tmpdir(), 'dragoman-reports-'))
    const at = quoting(hub)
    await at.setPrices({
      ...prices,
      lines: prices.lines.map((line) => ({ ...line, unitPrice: '0.5' })),
    })
    const { providers } = await at.must<{ providers: { id: string; name: string }[] }>(
      200,
      'GET',
      '/providers',
    )
    const manual = providers.find(({ name }) => name === 'Manual')?.id
    await at.must(200, 'PATCH', `/providers/${manual}`, { name: '=SUM(A1), "x"' }, 'demo-admin')
    await at.submit(await at.jobOf(['Three small words'], { shouldQuote: true }), '=SUM(A1), "x"')
    await at.submit(await at.jobOf(['No quote']), '=SUM(A1), "x"')
  })
  afterAll(async () => {
    await hub.close()
    rmSync(cwd, { recursive: true })
  })

  const run = (args: readonly string[], env: Env) =>
    runCommandLine(['reports', ...args], { ...env, COLUMNS: '300' }, cwd)

  describe.each([
    ['over HTTP', () => ({ HUB_URL: hub.url }), [] as string[]],
    ['with --local', () => hub.env, ['--local']],
  ] as const)('%s', (_, env, flags) => {
    it('shows a table with totals, and what is not in it', async () => {
      const { code, out } = await run(['money', '--site', 'demo', ...flags], env())
      expect(code).toBe(0)
      expect(out).toMatch(/^money from \d{4}-\d\d-\d\d to \d{4}-\d\d-\d\d \(UTC\)$/m)
      expect(out).toMatch(/^DAY +GROUP +CURRENCY +JOBS +AMOUNT +CANCELLED AMOUNT +AMOUNT BEFORE$/m)
      expect(out).toMatch(/^\d{4}-\d\d-\d\d +=SUM\(A1\), "x" +EUR +1 +1\.50 +0\.00$/m)
      expect(out).toMatch(/^ +=SUM\(A1\), "x" +EUR +1 +1\.50 +0\.00 +0\.00$/m)
      expect(out).toMatch(/^1 job without a quote: not in these figures\.$/m)
    })

    it('prints CSV that no spreadsheet takes for a formula', async () => {
      const { out } = await run(['money', '--site', 'demo', '--csv', ...flags], env())
      const [head, row, ...rest] = out.trim().split('\n')
      expect(head).toBe('day,group,groupName,currency,jobs,amount,cancelledAmount')
      expect(row).toMatch(/^\d{4}-\d\d-\d\d,[\w-]{22},"'=SUM\(A1\), ""x""",EUR,1,1\.50,0\.00$/)
      expect(rest).toEqual([])
    })

    it('prints JSON', async () => {
      const { out } = await run(['words', '--site', 'demo', '--json', ...flags], env())
      expect(JSON.parse(out) as Report).toMatchObject({
        report: 'words',
        totals: [{ currency: 'EUR', words: 3, new: 3 }],
      })
    })

    it('says that there is nothing', async () => {
      const { out } = await run(
        ['rejects', '--site', 'demo', '--to', '2020-01-31', ...flags],
        env(),
      )
      expect(out).toMatch(/from 2019-11-04 to 2020-02-02 \(UTC\)\nDELIVERED/)
      expect(
        (await run(['money', '--site', 'demo', '--to', '2020-01-31', ...flags], env())).out,
      ).toMatch(/nothing in this/)
    })

    it.each([
      [[], 2, /Specify a report: throughput, time-in-state/],
      [['nothing'], 2, /Specify a report/],
      [['money', 'x'], 2, /"x" is not understood here/],
      [['throughput', '--by', 'provider'], 2, /has no --by/],
      [['money', '--by', 'language'], 2, /--by of money must be provider, code1/],
      [['money', '--from', 'yesterday', '--site', 'demo'], 1, /from/],
      [['money'], 1, /siteId is missing/],
    ] as const)('%j is refused', async (args, code, err) => {
      expect(await run([...args, ...flags], env())).toMatchObject({
        code,
        err: expect.stringMatching(err),
      })
    })
  })
})
