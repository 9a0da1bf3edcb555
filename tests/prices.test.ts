import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { databases, type Env, startHub, type TestHub } from './hub.ts'
import { priceList } from './price-list.ts'
import { runCommandLine } from './run-command.ts'
import { everything } from './scenario.ts'

const folder = mkdtempSync(join(tmpdir(), 'dragoman-prices-'))
afterAll(() => rmSync(folder, { recursive: true }))

const file = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}
const sheet = `Row;Name;Currency;ValidFrom;MinimumFee;Kind;MinPercent;MaxPercent;Factor;Service;SourceLanguage;TargetLanguage;Unit;UnitPrice
List;Frühjahr;EUR;2024-05-01;25
Band;100 %;;;;Exact;;;0.2
Band;75-99 %;;;;Fuzzy;75;99;0.6
Band;New;;;;New;;;1

Line;;;;12.50;;;;;Translation;en-us;de-de;Word;0.145
Line;;;;;;;;;Translation;*;*;Word;0.2
`

describe.each(databases)('dragoman prices on %s', (database) => {
  let hub: TestHub
  let env: Env
  beforeAll(async () => {
    hub = await startHub({ database })
    const { databaseUrl, masterKey } = hub.inner.config
    env = {
      DRAGOMAN_PROFILE: 'sandbox',
      DRAGOMAN_DATA: join(hub.folder, 'data'),
      DRAGOMAN_DATABASE_URL: databaseUrl,
      ...(masterKey && { DRAGOMAN_MASTER_KEY: Buffer.from(masterKey).toString('base64') }),
    }
  })
  afterAll(() => hub.close())
  const prices = (...args: string[]) => runCommandLine(['prices', ...args], env)

  it('takes a sheet and a JSON file, and gives both back', async () => {
    const saved = await prices('import', '--site', 'demo', file('a.csv', sheet))
    expect(saved).toEqual({
      code: 0,
      err: '',
      out: expect.stringMatching(/^Frühjahr is version 1 of site demo, from 2024-05-01 on/),
    })
    const json = await prices(
      'import',
      '--site',
      'demo',
      file('b.json', JSON.stringify(priceList)),
      '--json',
    )
    expect([json.code, JSON.parse(json.out)]).toEqual([
      0,
      { ...priceList, version: 2, priceListId: expect.any(String) },
    ])
    const current = await hub.call('GET', '/v2/settings/pricelists/current', {
      as: 'demo-settings',
    })
    expect(current.body).toMatchObject({ name: 'Frühjahr', version: 1, minimumFee: '25' })

    const out = join(folder, 'c.csv')
    expect(await prices('export', '--site', 'demo', out)).toEqual({ code: 0, out: '', err: '' })
    expect(readFileSync(out, 'utf8')).toMatch(/^Row,Name,Currency/)
    const again = await prices('import', '--site', 'demo', out, '--json')
    expect(JSON.parse(again.out)).toEqual({
      ...current.body,
      version: 3,
      priceListId: expect.any(String),
    })
    const { priceListId } = JSON.parse(json.out)
    const byId = await prices('export', '--site', 'demo', '--id', priceListId, '--json')
    expect(JSON.parse(byId.out)).toEqual(JSON.parse(json.out))
    const at = await prices('export', '--site', 'demo', '--at', '2024-02-01', '--format', 'json')
    expect(JSON.parse(at.out)).toEqual(JSON.parse(json.out))
  })

  // What follows ends before it comes to the database, or asks the same of both.
  if (database !== databases[0]) return

  const broken = sheet
    .replace('EUR', 'euro')
    .replace('0.6', '0,6')
    .replace('de-de', 'xx-xx')
    .replace('0.145', '-1')
    .replace('Word;0.2', 'Word;NaN')
  const refusals: readonly [name: string, text: string, says: RegExp[]][] = [
    [
      'five bad cells',
      broken,
      [
        /a\.csv: row 2, column Currency: is not valid; expected: An ISO 4217 currency/,
        /row 4, column Factor: is not valid; expected: A ratio/,
        /row 7, column TargetLanguage: "xx-xx" is not an accepted language code/,
        /row 7, column UnitPrice: is not valid; expected: A decimal string/,
        /row 8, column UnitPrice: is not valid/,
        /Nothing was saved: 5 errors\./,
      ],
    ],
    [
      'what fits no other cell',
      sheet.replace('EUR', 'XXQ').replace('75;99', '75;94').replace('*;*', 'EN-us;DE_de'),
      [
        /row 2, column Currency: XXQ is not an ISO 4217 currency/,
        /row 4, column MaxPercent: There is a gap: no band covers 95 to 99/,
        /row 8: It overlaps row 7: both price/,
      ],
    ],
    [
      'a sheet of another kind',
      'a,b\n1,2\n',
      [/row 1, column 1: "a" is not a column/, /row 1, column 2/, /column Row is missing/],
    ],
  ]
  test.each(refusals)('%s are named, and nothing is saved', async (_, text, says) => {
    const before = await everything(hub)
    const { code, out, err } = await prices('import', '--site', 'demo', file('a.csv', text))
    expect([code, out]).toEqual([1, ''])
    for (const pattern of says) expect(err).toMatch(pattern)
    expect(await everything(hub)).toBe(before)
  })

  test.each<[string, string[], number, RegExp]>([
    ['an unknown site', ['export', '--site', 'nowhere'], 1, /There is no site nowhere here\./],
    [
      'no list in force',
      ['export', '--site', 'demo', '--at', '1999-01-01'],
      1,
      /no price list valid on 1999-01-01/,
    ],
    ['a day that is none', ['export', '--site', 'demo', '--at', 'soon'], 1, /"soon" is not a day/],
    [
      'a file that is not there',
      ['import', '--site', 'demo', join(folder, 'none.csv')],
      2,
      /ENOENT/,
    ],
  ])('%s is told', async (_, args, code, says) => {
    const answer = await prices(...args)
    expect([answer.code, answer.err]).toEqual([code, expect.stringMatching(says)])
  })

  it('refuses invalid JSON and names the position', async () => {
    const bad = { ...priceList, lines: [{ ...priceList.lines[0], unitPrice: 1 }] }
    const { err } = await prices('import', '--site', 'demo', file('d.json', JSON.stringify(bad)))
    expect(err).toMatch(/d\.json: lines\[0\]\.unitPrice: must be string\./)
    expect((await prices('import', '--site', 'demo', file('d.json', '{'))).err).toMatch(
      /It is not JSON/,
    )
    expect((await prices('import', '--site', 'demo', file('d.json', '[]'))).code).toBe(1)
  })
})
