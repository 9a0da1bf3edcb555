/** A command that lists things of the hub: which call, which filters, which columns. */
import type { ItemOf, PagedName } from '@dragoman/sdk'
import { type Command, readArgs, text, UsageError } from '../command.ts'
import { readLimit } from '../connector/jobs.ts'
import { type Column, json, showTable } from '../table.ts'
import { reach, reachHelp, reachOptions } from './reach.ts'

type Filter = {
  /** The query parameter, or the one for this value. */
  readonly query: string | ((given: string) => string)
  readonly shown: string
  readonly says: string
  /** All of its values, for completion. */
  readonly values?: readonly string[]
}

type ListRow<N extends PagedName> = {
  /** As typed: `tasks list`. */
  readonly name: string
  readonly says: string
  /** A few sentences for `--help`. */
  readonly about: string
  readonly call: N
  /** A path parameter, given after the name: `{ param: 'jobId', shown: 'JOB' }`. */
  readonly of?: { readonly param: string; readonly shown: string }
  /** Each option with its query parameter and its description. */
  readonly filters: Readonly<Record<string, Filter>>
  readonly columns: readonly Column<ItemOf<N>>[]
  /** What is printed if the list is empty. */
  readonly none: string
  /** Adds `--export`: all items, one JSON object per line. */
  readonly exports?: true
  /** The exit code for the items found; 0 by default. */
  readonly code?: (found: readonly ItemOf<N>[]) => number
}

export function listCommand<N extends PagedName>(row: ListRow<N>): Command {
  const filters = Object.entries(row.filters)
  return {
    says: row.says,
    help: helpOf(row),
    values: Object.fromEntries(
      filters.flatMap(([name, { values }]) => (values ? [[`--${name}`, values]] : [])),
    ),
    run: async (args, screen) => {
      const flags = row.exports ? { export: { type: 'boolean' } as const } : {}
      const options = {
        ...reachOptions,
        ...flags,
        limit: text,
        ...Object.fromEntries(filters.map(([name]) => [name, text])),
      }
      const { values, positionals } = readArgs({ args, allowPositionals: true, options })
      const given = values as Record<string, string | undefined>
      const limit = readLimit(given.limit)
      const query = Object.fromEntries(
        filters.flatMap(([name, { query }]) => {
          const value = given[name]
          return value === undefined
            ? []
            : [[typeof query === 'string' ? query : query(value), value]]
        }),
      )
      const params = paramsOf(row, positionals)
      const isExport = 'export' in values
      return reach(values, screen, async (hub) => {
        if (isExport) {
          for await (const item of hub.each(row.call, { query, params }))
            screen.out(JSON.stringify(item))
          return 0
        }
        const found: ItemOf<N>[] = []
        for await (const item of hub.each(row.call, { query, params })) {
          if (found.length >= limit) break
          found.push(item)
        }
        if (values.json) screen.out(json(found))
        else showTable(screen, found, row.columns, row.none)
        return row.code?.(found) ?? 0
      })
    },
  }
}

function paramsOf(
  row: Pick<ListRow<PagedName>, 'of'>,
  positionals: readonly string[],
): Record<string, string> {
  const [first, ...rest] = positionals
  if (rest.length > 0 || (first !== undefined && !row.of))
    throw new UsageError(`"${rest[0] ?? first}" is not understood here.`)
  if (!row.of) return {}
  if (!first) throw new UsageError(`Specify ${row.of.shown}.`)
  return { [row.of.param]: first }
}

function helpOf<N extends PagedName>({ name, about, filters, of, exports }: ListRow<N>): string {
  const lines = [
    ...Object.entries(filters).map(([option, { shown, says }]) => [`--${option} ${shown}`, says]),
    ['--limit N', 'list at most N (default: 50)'],
    ...(exports ? [['--export', 'print all of them, one JSON object a line']] : []),
  ]
  const width = Math.max(15, ...lines.map(([option = '']) => option.length))
  return `Usage: dragoman ${name}${of ? ` ${of.shown}` : ''} [OPTION]…

${about}

${lines.map(([option = '', says]) => `  ${option.padEnd(width)}  ${says}`).join('\n')}
${reachHelp}`
}
