/** `dragoman reports NAME`: words, money and speed of a site over a period. */
import {
  groupsOfReport,
  type Report,
  type ReportName,
  type ReportRow,
  reportFigures,
  reportGroups,
  reportNames,
  reportUnits,
} from '@dragoman/contract/wire'
import { type Command, readArgs, text, UsageError } from '../command.ts'
import { type Column, count, json, showTable } from '../table.ts'
import { reach, reachHelp, reachOptions } from './reach.ts'

const says: Readonly<Record<ReportName, string>> = {
  throughput: 'requests submitted, delivered and approved, and how many wait',
  'time-in-state':
    'how long requests stay at the provider, in translation and in review, in milliseconds',
  words: 'words by band, and what matches saved',
  money: 'quotes of submitted jobs by provider or analysis code, compared with the previous period',
  'on-time': 'requests delivered by their due date',
  rejects: 'requests rejected, compared with the words delivered',
  effort:
    'what people changed in machine drafts, by engine and language pair; times in milliseconds',
  latency: 'how long deliveries take by listener, or calls by route, in milliseconds',
  engines:
    'what translation engines cost, by provider or job: estimated, billed, saved by the memory',
}

export const reports: Command = {
  says: 'show words, cost and speed of a site',
  help: `Usage: dragoman reports NAME [OPTION]…

${reportNames.map((name) => `  ${name.padEnd(15)}  ${says[name]}`).join('\n')}

Days and weeks are UTC; weeks start on Monday. The last line of a table, without a day or a name, is the total. An operator
must name the site. docs/operating.md explains the figures.

  --from DAY       the first day (default: twelve weeks before)
  --to DAY         the last day (default: today)
  --unit UNIT      day, week or month
  --by GROUP       ${reportGroups.filter((group) => !group.startsWith('code')).join(', ')}, or code1 to code10 for an analysis code
  --site NAME      the site
  --csv            print CSV; cells that a spreadsheet would take for a formula get a leading '
${reachHelp}`,
  values: { '': reportNames, '--unit': reportUnits, '--by': reportGroups },
  run: async (args, screen) => {
    const csv = { type: 'boolean' } as const
    const options = { ...reachOptions, csv, from: text, to: text, unit: text, by: text, site: text }
    const { values, positionals } = readArgs({ args, allowPositionals: true, options })
    const [name, ...more] = positionals
    if (more.length > 0) throw new UsageError(`"${more[0]}" is not understood here.`)
    if (!isReport(name)) throw new UsageError(`Specify a report: ${reportNames.join(', ')}.`)
    const { from, to, unit, by, site } = values
    if (by !== undefined && !(groupsOfReport[name] as readonly string[]).includes(by))
      throw new UsageError(
        groupsOfReport[name].length === 0
          ? `The report ${name} has no --by.`
          : `--by of ${name} must be ${groupsOfReport[name].join(', ')}.`,
      )
    const query = Object.fromEntries(
      Object.entries({ from, to, unit, by, siteId: site }).filter(
        ([, value]) => value !== undefined,
      ),
    )
    return reach(values, screen, async (hub) => {
      const report = await hub.call('findReport', { params: { report: name }, query })
      if (values.json) screen.out(json(report))
      else if (values.csv) for (const line of csvOf(report)) screen.out(line)
      else {
        screen.out(`${name} from ${report.from} to ${report.to} (UTC)`)
        showTable(
          screen,
          [...report.rows, ...report.totals],
          columnsOf(report),
          'There is nothing in this period.',
        )
        for (const note of notesOf(report)) screen.out(note)
      }
      return 0
    })
  },
}

const isReport = (name: string | undefined): name is ReportName =>
  (reportNames as readonly unknown[]).includes(name)

function columnsOf({ report, rows, totals }: Report): Column<ReportRow>[] {
  const all = [...rows, ...totals]
  const names: (keyof ReportRow)[] = ['day', 'groupName', ...reportFigures[report]]
  return names
    .filter((name) => all.some((row) => row[name] !== undefined))
    .map((name) => ({ title: titleOf(name), of: (row) => row[name] }))
}

/** savedByMemory: SAVED BY MEMORY. */
const titleOf = (name: string): string =>
  (name === 'groupName' ? 'group' : name).replace(/[A-Z]/g, (letter) => ` ${letter}`).toUpperCase()

function notesOf({ jobsWithoutQuote = 0, incompleteQuotes = 0 }: Report): string[] {
  return [
    ...(jobsWithoutQuote > 0
      ? [`${count(jobsWithoutQuote, 'job')} without a quote: not in these figures.`]
      : []),
    ...(incompleteQuotes > 0
      ? [`${count(incompleteQuotes, 'quote')} with requests that have no price.`]
      : []),
  ]
}

/** The rows without totals, which a spreadsheet would add up again. */
function csvOf({ report, rows }: Report): string[] {
  const names: (keyof ReportRow)[] = ['day', 'group', 'groupName', ...reportFigures[report]]
  const used = names.filter((name) => rows.some((row) => row[name] !== undefined))
  return [used.join(','), ...rows.map((row) => used.map((name) => cell(row[name])).join(','))]
}

/** A text that begins like a formula gets a leading apostrophe; numbers are unchanged. */
function cell(value: string | number | undefined): string {
  const text = String(value ?? '')
  const isNumber = /^-?\d+(\.\d+)?$/.test(text)
  const safe = !isNumber && '=+-@\t\r'.includes(text[0] ?? ' ') ? `'${text}` : text
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
