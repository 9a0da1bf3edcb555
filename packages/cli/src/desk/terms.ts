/**
 * `dragoman terms`: lists, adds and removes the terms of a site, and imports and exports them as
 * TBX or CSV.
 */
import { openAsBlob } from 'node:fs'
import { resolve } from 'node:path'
import { Readable } from 'node:stream'
import { blob } from 'node:stream/consumers'
import type { GivenTermEntry, Term, TermFormat, TermStatus } from '@dragoman/contract/wire'
import { type Command, readArgs, text, UsageError, verbsOnly } from '../command.ts'
import { hubHelp, hubOptions, withHub } from '../connector/hub-connection.ts'
import { readLimit } from '../connector/jobs.ts'
import { writeAll } from '../connector/write-all.ts'
import { json, showTable } from '../table.ts'

const termStatuses = ['PREFERRED', 'ALLOWED', 'FORBIDDEN'] as const satisfies readonly TermStatus[]
const termFormats = ['tbx', 'csv'] as const satisfies readonly TermFormat[]

const client = 'demo-settings'
const help = hubHelp.replace('demo-connector', client)
const helpWithoutJson = help.replace('  --json           print JSON\n', '')

const shownEntry = ({ language, text, status }: Term['entries'][number]): string =>
  `${language}: ${text}${status === 'PREFERRED' ? '' : ` (${status.toLowerCase()})`}`

const list: Command = {
  says: 'list the terms of the site',
  help: `Usage: dragoman terms list [OPTION]…

Lists the terms of the site with their entries, ordered by their first text.

  --language CODE  only terms with an entry in this language, such as de or de-AT
  --text TEXT      only terms with a text that contains this
  --limit N        list at most N (default: 50)
${help}`,
  run: async (args, screen) => {
    const { values } = readArgs({
      args,
      options: { ...hubOptions, language: text, text, limit: text },
    })
    const limit = readLimit(values.limit)
    const query = {
      ...(values.language !== undefined && { language: values.language }),
      ...(values.text !== undefined && { text: values.text }),
    }
    return withHub(values, screen, client, async (hub) => {
      const found: Term[] = []
      for await (const term of hub.each('listTerms', { query })) {
        if (found.length >= limit) break
        found.push(term)
      }
      if (values.json) screen.out(json(found))
      else
        showTable(
          screen,
          found,
          [
            { title: 'TERM', of: ({ termId }) => termId },
            { title: 'ENTRIES', of: ({ entries }) => entries.map(shownEntry).join(', ') },
            { title: 'DEFINITION', of: ({ definition }) => definition },
          ],
          'There are no such terms.',
        )
      return 0
    })
  },
}

const add: Command = {
  says: 'add a term',
  help: `Usage: dragoman terms add LANGUAGE=TEXT… [OPTION]…

Adds a term with its texts in one or more languages, for example:

  dragoman terms add en=invoice de=Rechnung de=Konto:FORBIDDEN

A text ends with its status if it is not PREFERRED: ${termStatuses.map((status) => `:${status}`).join(', ')}.

  --definition TEXT  what the term means
${help}`,
  run: async (args, screen) => {
    const { values, positionals } = readArgs({
      args,
      allowPositionals: true,
      options: { ...hubOptions, definition: text },
    })
    if (positionals.length === 0)
      throw new UsageError('Specify at least one text, such as en=invoice.')
    const { definition } = values
    const body = {
      entries: positionals.map(entryIn),
      ...(definition !== undefined && { definition }),
    }
    return withHub(values, screen, client, async (hub) => {
      const made = await hub.createTerm({ body })
      screen.out(
        values.json
          ? json(made)
          : `The term ${made.termId} was added: ${made.entries.map(shownEntry).join(', ')}.`,
      )
      return 0
    })
  },
}

function entryIn(given: string): GivenTermEntry {
  const [, language, named] = /^([A-Za-z][\w-]*)=(.+)$/s.exec(given) ?? []
  if (language === undefined || named === undefined)
    throw new UsageError(`"${given}" is not a language and a text, such as de=Rechnung.`)
  const status = termStatuses.find((one) => named.endsWith(`:${one}`))
  return {
    language,
    ...(status ? { text: named.slice(0, -status.length - 1), status } : { text: named }),
  }
}

const remove: Command = {
  says: 'remove a term',
  help: `Usage: dragoman terms remove TERM [OPTION]…

Removes a term. dragoman terms list shows their ids.

${help}`,
  run: async (args, screen) => {
    const { values, positionals } = readArgs({ args, allowPositionals: true, options: hubOptions })
    const [termId, ...more] = positionals
    if (!termId || more.length > 0) throw new UsageError('Specify one term, by its id.')
    return withHub(values, screen, client, async (hub) => {
      const params = { termId }
      const { version } = await hub.findTerm({ params })
      const gone = await hub.deleteTerm({ params, query: { version } })
      screen.out(
        values.json
          ? json(gone)
          : `The term ${termId} was removed: ${gone.entries.map(shownEntry).join(', ')}.`,
      )
      return 0
    })
  },
}

function formatOf(given: string | undefined, file: string | undefined): TermFormat {
  const name = given ?? (file === undefined ? undefined : /\.(\w+)$/.exec(file)?.[1]?.toLowerCase())
  const format = termFormats.find(
    (one) => one === (name === 'tsv' || name === 'txt' ? 'csv' : name === 'xml' ? 'tbx' : name),
  )
  if (!format) throw new UsageError('--format must be tbx or csv.')
  return format
}

const importVerb: Command = {
  says: 'import a list of terms',
  help: `Usage: dragoman terms import FILE [OPTION]…

Imports the terms in FILE (- reads standard input), all of them or none. Existing terms are changed, others are added;
none is removed. A CSV file has a header: a column for each language, or language and text, or term and translation.
See docs/terms.md.

  --format FORMAT  tbx or csv; default: by the file name
  --source CODE    the language of the column term
  --target CODE    the language of the column translation
${help}`,
  values: { '--format': termFormats },
  run: async (args, screen) => {
    const options = { ...hubOptions, format: text, source: text, target: text }
    const { values, positionals } = readArgs({ args, allowPositionals: true, options })
    const [file, ...more] = positionals
    if (!file || more.length > 0) throw new UsageError('terms import needs one FILE.')
    const query = {
      format: formatOf(values.format, file),
      ...(values.source !== undefined && { sourceNativeLanguageCode: values.source }),
      ...(values.target !== undefined && { targetNativeLanguageCode: values.target }),
    }
    const body = file === '-' ? await blob(process.stdin) : await blobOf(resolve(screen.cwd, file))
    return withHub(values, screen, client, async (hub) => {
      const done = await hub.importTerms({ query, body })
      const { added, changed, unchanged } = done
      screen.out(
        values.json ? json(done) : `${added} added, ${changed} changed, ${unchanged} unchanged.`,
      )
      return 0
    })
  },
}

async function blobOf(path: string): Promise<Blob> {
  try {
    return await openAsBlob(path)
  } catch {
    throw new UsageError(`${path} cannot be read.`)
  }
}

const exportVerb: Command = {
  says: 'write all terms to a file',
  help: `Usage: dragoman terms export [FILE] [OPTION]…

Writes all terms of the site to FILE, which must not exist, or to standard output. You can import the result again.

  --format FORMAT  tbx or csv; default: by the file name, else csv
  --tbx VERSION    the version of TBX: 3 (default) or 2
${helpWithoutJson}`,
  values: { '--format': termFormats, '--tbx': ['2', '3'] },
  noJson: 'it writes a file in its own format',
  run: async (args, screen) => {
    const { json: _, ...plain } = hubOptions
    const { values, positionals } = readArgs({
      args,
      allowPositionals: true,
      options: { ...plain, format: text, tbx: text },
    })
    const [file, ...more] = positionals
    if (more.length > 0) throw new UsageError('terms export needs at most one FILE.')
    const format = formatOf(values.format, file === undefined || file === '-' ? 'terms.csv' : file)
    const version = (['2', '3'] as const).find((one) => one === values.tbx)
    if (values.tbx !== undefined && !version) throw new UsageError('--tbx must be 2 or 3.')
    return withHub(values, screen, client, async (hub) => {
      const answer = await hub.exportTerms({ query: { format, ...(version && { version }) } })
      if (file === undefined || file === '-')
        screen.out((await answer.text()).replace(/\r?\n$/, ''))
      else if (answer.body)
        await writeAll(screen, file, Readable.fromWeb(answer.body as never)).catch(
          (error: unknown) => {
            const isThere = error instanceof Error && 'code' in error && error.code === 'EEXIST'
            throw isThere ? new UsageError(`${file} exists already; name another FILE.`) : error
          },
        )
      return 0
    })
  },
}

const verbs: Readonly<Record<string, Command>> = {
  list,
  add,
  remove,
  import: importVerb,
  export: exportVerb,
}

export const terms = verbsOnly(
  'terms',
  'list, add, remove, import and export the terms of a site',
  verbs,
)
