/**
 * The list of all statements is not made while one of them is tied to no site and nobody says why.
 */
import { describe, expect, it } from 'vitest'

type Columns = ReadonlyMap<string, readonly string[]>
type Script = {
  tablesWithoutSite(statement: string, columns: Columns): { loose: string[]; bare: string[] }
  whyNoSite(
    source: string,
    name: string,
    statements: readonly string[],
    columns: Columns,
  ): Map<string, string>
}
const script = String(new URL('../scripts/query-sites.mjs', import.meta.url))
const { tablesWithoutSite, whyNoSite } = (await import(script)) as Script

const columns: Columns = new Map(
  Object.entries({
    ...{ jobs: ['site_id'], files: ['site_id'], requests: ['site_id'], tasks: ['site_id'] },
    ...{ attempts: ['id'], unheard_of: ['id'] },
  }),
)

describe('a statement is tied to a site', () => {
  it.each([
    ['by a comparison', 'select * from "jobs" where "site_id" = ? and "job_id" = ?'],
    ['by one of PostgreSQL', 'delete from "jobs" where "job_id" in ($1) and site_id || \'\' = $2'],
    [
      'in both parts of a choice',
      'select * from jobs where ((site_id = ? and a = 1) or (site_id = ? and b = 2))',
    ],
    [
      'by a table it is joined to',
      'select 1 from requests r join files f on f.site_id = r.site_id where r.site_id = ?',
    ],
    [
      'by given values',
      'with given(site_id) as (values (?)) select f.a from given cross join files f on f.site_id = given.site_id',
    ],
    [
      'by the column it inserts',
      'insert into "jobs" ("job_id", "site_id") values (?, ?) on conflict do nothing',
    ],
    [
      'by the key it replaces',
      'insert into jobs (a, site_id) values (?, ?) on conflict (site_id, a) do update set b = ?',
    ],
    [
      'around an inner question',
      'select 1 from jobs where site_id = ? and exists (select 1 from tasks where tasks.site_id = jobs.site_id)',
    ],
  ])('%s', (_, statement) => {
    expect(tablesWithoutSite(statement, columns).loose).toEqual([])
  })

  it.each([
    ['by nothing', 'select * from "jobs" where "job_id" = ?', ['jobs']],
    ['by what it sets', 'update "jobs" set "site_id" = ? where "job_id" = ?', ['jobs']],
    ['in one part of a choice only', 'select * from jobs where (site_id = ? or b = 2)', ['jobs']],
    [
      'in one of its tables only',
      'select 1 from requests left join files on files.a = requests.a where requests.site_id = ?',
      ['files'],
    ],
    [
      'to each other only',
      'select 1 from requests r join files f on f.site_id = r.site_id where r.a = ?',
      ['files', 'requests'],
    ],
    ['without the column', 'insert into "jobs" ("job_id") values (?)', ['jobs']],
    [
      'by a key without the site',
      'insert into jobs (a, site_id) values (?, ?) on conflict (a) do update set b = ?',
      ['jobs'],
    ],
    [
      'but for an inner question',
      'delete from jobs where site_id = ? and a in (select a from tasks where b = ?)',
      ['tasks'],
    ],
  ])('but not %s', (_, statement, loose) => {
    expect(tablesWithoutSite(statement, columns).loose).toEqual(loose)
  })
})

describe('why there is no site', () => {
  const loose = 'select * from jobs where job_id = ?'
  const tied = 'select * from jobs where site_id = ?'
  const own =
    '/** All of them. No site: upkeep\n * over all sites. It is quick. */\nexport function find() {}'
  const ofFile = '/** SQL. No site: the operator asks. */\n\nexport const find = () => 1'

  it('stands in the comment of the function or of its file', () => {
    expect([...whyNoSite(own, 'find', [loose, tied], columns)]).toEqual([
      [loose, 'upkeep over all sites'],
    ])
    expect([...whyNoSite(ofFile, 'find', [loose], columns)]).toEqual([[loose, 'the operator asks']])
  })

  it('must be said', () => {
    const silent = '/** SQL. */\n\n/** All. */\nexport function find() {}'
    expect(() => whyNoSite(silent, 'find', [loose], columns)).toThrow(
      /tied to no site in jobs: add the site, or say why/,
    )
    expect(() => whyNoSite(silent, 'find', ['select * from unheard_of'], columns)).toThrow(
      /unheard_of has no site: say why/,
    )
  })

  it('must not be said of one that has it', () => {
    expect(() => whyNoSite(own, 'find', [tied], columns)).toThrow(/but it has one/)
  })
})
