/**
 * What the engines of providers cost in each unit, by provider or by job; characters and tokens are
 * never added up.
 */
import type { ReportGroup, ReportRow } from '@dragoman/contract'
import { boundGroups, namesOf } from './groups.ts'
import { type Period, unitAt, unitsOf } from './report-period.ts'
import { selectEngineUsage } from './report-rows.ts'
import { parts, type Walk } from './walk.ts'

type Unit = 'CHARACTERS' | 'TOKENS'
type Sum = { estimated: number; billed: number | undefined; savedCharacters: number; calls: number }
type Used = Sum & { readonly day: string; readonly group: string; readonly countedIn: Unit }

const rowsPerPart = 2_000
const noSum = (): Sum => ({ estimated: 0, billed: undefined, savedCharacters: 0, calls: 0 })

export async function engines(walk: Walk, period: Period, by: ReportGroup) {
  const used = await readUsage(walk, period, by)
  const sizes = new Map<string, number>()
  for (const { group, estimated } of used) sizes.set(group, (sizes.get(group) ?? 0) + estimated)
  const keep = boundGroups(sizes)
  const units = new Map<string, Sum>()
  const totals = new Map<string, Sum>()
  for (const one of used) {
    const key = `${keep(one.group)} ${one.countedIn}`
    add(units, `${one.day} ${key}`, one)
    add(totals, key, one)
  }
  const named = await namesOf(walk, by, [...sizes.keys()].map(keep))
  const inOrder = (sums: ReadonlyMap<string, Sum>) =>
    [...sums].sort(([one], [other]) => (one < other ? -1 : 1))
  const figuresOf = (group: string, countedIn: string, { billed, ...sum }: Sum): ReportRow => ({
    ...named(group),
    countedIn: countedIn as Unit,
    ...sum,
    ...(billed !== undefined && { billed }),
  })
  return {
    rows: inOrder(units).map(([key, sum]) => {
      const [day = '', group = '', countedIn = ''] = key.split(' ')
      return { day, ...figuresOf(group, countedIn, sum) }
    }),
    totals: inOrder(totals).map(([key, sum]) => {
      const [group = '', countedIn = ''] = key.split(' ')
      return figuresOf(group, countedIn, sum)
    }),
  }
}

/** One row for each unit of time and group: days are added up as they are read. */
async function readUsage(walk: Walk, period: Period, by: ReportGroup): Promise<Used[]> {
  const { hub, siteId } = walk
  const days = unitsOf(period)
  const all = new Map<string, Used>()
  const select = (part: Parameters<typeof selectEngineUsage>[3]) =>
    selectEngineUsage(hub.db.read, siteId, { ...period, ofJobs: by === 'job' }, part)
  for await (const rows of parts(walk, rowsPerPart, select, (row) => [
    row.day,
    row.provider_id,
    row.job_id,
    row.unit,
  ]))
    for (const row of rows) {
      const day = days[unitAt(period, Number(row.day))]
      if (day === undefined) continue
      const group = by === 'job' ? row.job_id : row.provider_id
      const key = `${day} ${group} ${row.unit}`
      const used = all.get(key) ?? { ...noSum(), day, group, countedIn: row.unit }
      all.set(key, used)
      plus(used, {
        estimated: Number(row.estimated),
        billed: row.billed === null ? undefined : Number(row.billed),
        savedCharacters: Number(row.saved),
        calls: Number(row.requests),
      })
    }
  return [...all.values()]
}

function add(sums: Map<string, Sum>, key: string, more: Sum): void {
  const sum = sums.get(key) ?? noSum()
  sums.set(key, sum)
  plus(sum, more)
}

function plus(sum: Sum, { estimated, billed, savedCharacters, calls }: Sum): void {
  sum.estimated += estimated
  sum.savedCharacters += savedCharacters
  sum.calls += calls
  if (billed !== undefined) sum.billed = (sum.billed ?? 0) + billed
}
