/** `dragoman prices`: imports and exports price lists, CSV or JSON. Works beside a running hub. */
import { readFile, writeFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { HubError, type PriceList } from '@dragoman/contract/wire'
import { type Command, readArgs, type Screen, text, UsageError, verbsOnly } from './command.ts'
import { readSheet, type Sheet, sayRefusals, writeSheet } from './price-sheet.ts'

const theHub =
  'Works on the hub set in the environment (DRAGOMAN_DATA or DRAGOMAN_DATABASE_URL), also while it runs.'
const formats = ['csv', 'json'] as const
type Format = (typeof formats)[number]

const importVerb: Command = {
  says: 'save a file as the next price list version of a site',
  help: `Usage: dragoman prices import --site NAME FILE [--format csv|json] [--json]

Saves the price list in FILE (- reads standard input) as the next version for the site. If any cell is invalid, nothing is
saved, and every invalid cell is reported by row and column. The header is row 1.

  --site NAME      the site
  --format FORMAT  csv or json; default: by the file name
  --json           print the saved list as JSON

A CSV file has a row List, a row for each band and a row for each line. Use dragoman prices export to get a template.
A JSON file has the fields of POST /v2/settings/pricelists. See docs/settings.md.

${theHub}`,
  run: async (args, screen) => {
    const options = {
      site: { type: 'string' },
      format: { type: 'string' },
      json: { type: 'boolean' },
    } as const
    const { values, positionals } = readArgs({ args, allowPositionals: true, options })
    const [file] = positionals
    if (values.site === undefined || file === undefined || positionals.length > 1)
      throw new UsageError('prices import needs --site and one FILE.')
    const format = formatOf(values.format, file)
    const sheet = readPrices(format, await readText(file))
    if (sheet.refused.length > 0) return refuse(screen, file, sheet.refused)
    const { importPriceList, withHub } = await import('@dragoman/server/commands')
    const { site } = values
    try {
      const saved = await withHub(screen.env, (hub) => importPriceList(hub, site, sheet.list))
      if (values.json) screen.out(JSON.stringify(saved, null, 2))
      else
        screen.out(
          `${saved.name} is version ${saved.version} of site ${site}, from ${saved.validFrom} on (${saved.priceListId}).`,
        )
      return 0
    } catch (error) {
      if (!(error instanceof HubError) || !error.details) throw error
      return refuse(screen, file, sayRefusals(error.details, sheet.placeOf))
    }
  },
}

const exportVerb: Command = {
  says: 'write the price list of a site to a file',
  help: `Usage: dragoman prices export --site NAME [--id ID | --at DAY] [--format csv|json | --json] [FILE]

Writes the current price list to FILE, or to standard output. You can import the result again.

  --site NAME      the site
  --id ID          export this list instead of the current one
  --at DAY         export the list that is valid on this day, such as 2026-11-14
  --format FORMAT  csv or json; default: by the file name, else csv
  --json           the same as --format json

${theHub}`,
  run: async (args, screen) => {
    const options = {
      site: text,
      id: text,
      at: text,
      format: text,
      json: { type: 'boolean' },
    } as const
    const { values, positionals } = readArgs({ args, allowPositionals: true, options })
    const { site, id, at } = values
    const [file] = positionals
    if (site === undefined || positionals.length > 1)
      throw new UsageError('prices export needs --site, and at most one FILE.')
    if (id !== undefined && at !== undefined)
      throw new UsageError('Use either --id or --at, not both.')
    const format = formatOf(values.json ? 'json' : values.format, file ?? 'prices.csv')
    const { exportPriceList, withHub } = await import('@dragoman/server/commands')
    const which = { ...(id === undefined ? {} : { id }), ...(at === undefined ? {} : { at }) }
    const written = writePrices(
      format,
      await withHub(screen.env, (hub) => exportPriceList(hub, site, which)),
    )
    if (file === undefined || file === '-') screen.out(written.replace(/\r?\n$/, ''))
    else await writeFile(file, written)
    return 0
  },
}

const verbs: Readonly<Record<string, Command>> = { import: importVerb, export: exportVerb }

export const prices = verbsOnly('prices', 'import and export price lists', verbs, `${theHub}\n`)

function formatOf(given: string | undefined, file: string): Format {
  const name = given ?? /\.(\w+)$/.exec(file)?.[1]?.toLowerCase()
  const format = formats.find((one) => one === name)
  if (!format) throw new UsageError('--format must be csv or json.')
  return format
}

async function readText(file: string): Promise<string> {
  const bytes = await (file === '-' ? buffer(process.stdin) : readFile(file))
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new UsageError(`${file} is not UTF-8; save it as CSV UTF-8.`)
  }
}

function readPrices(format: Format, text: string): Sheet {
  if (format === 'csv') return readSheet(text)
  try {
    return { list: JSON.parse(text), refused: [], placeOf: (path) => path || 'the list' }
  } catch (error) {
    return {
      list: undefined,
      refused: [`It is not JSON: ${(error as Error).message}.`],
      placeOf: (path) => path,
    }
  }
}

const writePrices = (format: Format, list: PriceList): string =>
  format === 'csv' ? writeSheet(list) : `${JSON.stringify(list, null, 2)}\n`

function refuse(screen: Screen, file: string, sentences: readonly string[]): number {
  for (const sentence of sentences) screen.err(`${file}: ${sentence}`)
  screen.err(
    `Nothing was saved: ${sentences.length} ${sentences.length === 1 ? 'error' : 'errors'}.`,
  )
  return 1
}
