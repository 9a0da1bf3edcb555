/**
 * `dragoman memory`: searches the translation memory of a site, and carries it in and out as TMX.
 */
import { openAsBlob } from 'node:fs'
import { access } from 'node:fs/promises'
import { resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { MemoryImport, MemoryUnit } from '@dragoman/contract/wire'
import {
  type Command,
  exitCodes,
  Refusal,
  readArgs,
  type Screen,
  text,
  UsageError,
  verbsOnly,
} from '../command.ts'
import { interruptible } from '../interrupt.ts'
import { openProgress } from '../progress.ts'
import { count, json, showTable, sizeText } from '../table.ts'
import { hubHelp, hubOptions, type Joined, joinHub, withVersions } from './hub-connection.ts'
import { readLimit } from './jobs.ts'
import { writeAll } from './write-all.ts'

const pairOptions = { ...hubOptions, source: text, target: text } as const
const usual = 'demo-settings'
const help = hubHelp.replace('demo-connector', usual)
const pairHelp = `  --source CODE    only texts in this language, such as en-US
  --target CODE    only translations into this language`
const about = 'The client needs the scope settings. See docs/memory.md.\n'
const pollMs = 500

const pairOf = ({ source, target }: { source?: string; target?: string }) => ({
  ...(source !== undefined && { sourceNativeLanguageCode: source }),
  ...(target !== undefined && { targetNativeLanguageCode: target }),
})

const search: Command = {
  says: 'find units by a text',
  help: `Usage: dragoman memory search TEXT [OPTION]…

Lists the units of the translation memory that have TEXT in the source or the translation, ignoring case. It reads the whole
memory, which takes a while if it is large.

${pairHelp}
  --in SIDE        search only the source or only the target
  --limit N        at most N units (default: 50)
${help}`,
  values: { '--in': ['source', 'target'] },
  run: async (args, screen) => {
    const options = { ...pairOptions, in: text, limit: text }
    const { values, positionals } = readArgs({ args, allowPositionals: true, options })
    const [sought, ...more] = positionals
    if (!sought || more.length > 0)
      throw new UsageError('Specify one text; quote it if it has spaces.')
    if (values.in !== undefined && values.in !== 'source' && values.in !== 'target')
      throw new UsageError('--in must be source or target.')
    const limit = readLimit(values.limit)
    const joined = await joinHub(values, screen, usual)
    return withVersions(joined, async () => {
      const query = {
        ...pairOf(values),
        text: sought,
        ...(values.in && { in: values.in as 'source' | 'target' }),
      }
      const found: MemoryUnit[] = []
      for await (const unit of joined.hub.each('listMemoryUnits', { query })) {
        found.push(unit)
        if (found.length === limit) break
      }
      if (values.json) screen.out(json(found))
      else
        showTable(
          screen,
          found,
          [
            { title: 'UNIT', of: (unit) => unit.unitId },
            {
              title: 'LANGUAGES',
              of: (unit) => `${unit.sourceNativeLanguageCode} ${unit.targetNativeLanguageCode}`,
            },
            { title: 'SOURCE', of: (unit) => unit.source },
            { title: 'TARGET', of: (unit) => unit.target },
          ],
          'No unit has this text.',
        )
      return exitCodes.done
    })
  },
}

const importFile: Command = {
  says: 'import a TMX file',
  help: `Usage: dragoman memory import FILE [--source CODE --target CODE] [OPTION]…

Sends a TMX file to the hub and waits until it is imported. Nothing is imported from a damaged file. Without languages, every
accepted language pair of each unit is imported.

  --source CODE    the language of the texts; needs --target
  --target CODE    the language of the translations; needs --source
${help}`,
  run: async (args, screen) => {
    const { values, positionals } = readArgs({ args, allowPositionals: true, options: pairOptions })
    const [file, ...more] = positionals
    if (!file || more.length > 0) throw new UsageError('Specify one FILE.')
    if ((values.source === undefined) !== (values.target === undefined))
      throw new UsageError('Give both --source and --target, or neither.')
    const path = resolve(screen.cwd, file)
    await access(path).catch((error: Error) => {
      throw new Refusal(`${file} cannot be read: ${error.message}`)
    })
    const body = await openAsBlob(path)
    const joined = await joinHub(values, screen, usual)
    const says =
      'Interrupted. An import that has begun goes on in the hub; a second run changes nothing that is there.'
    const done = await interruptible(says, (signal) =>
      withVersions(joined, async () => {
        const begun = await joined.hub.createMemoryImport(
          { query: pairOf(values), body },
          { signal },
        )
        return follow(joined, screen, begun, signal)
      }),
    )
    if (done.state === 'FAILED') throw new Refusal(`${file}: ${done.error ?? 'The import failed.'}`)
    const { read, added, changed, skipped } = done
    if (values.json) screen.out(json(done))
    else
      screen.out(
        `${file}: ${count(read, 'unit')}, ${added} added, ${changed} changed, ${skipped} skipped.`,
      )
    return exitCodes.done
  },
}

async function follow(
  { hub }: Joined,
  screen: Screen,
  begun: MemoryImport,
  signal: AbortSignal,
): Promise<MemoryImport> {
  const bar = openProgress(screen)
  const params = { importId: begun.importId }
  try {
    for (let now = begun; ; now = await hub.findMemoryImport({ params }, { signal })) {
      if (now.state === 'DONE' || now.state === 'FAILED') return now
      bar.show(
        now.read,
        now.total ?? 1,
        now.total === undefined ? 'reading the file' : `${now.read} of ${now.total}`,
      )
      await pause(pollMs, undefined, { signal })
    }
  } finally {
    bar.end()
  }
}

const exportFile: Command = {
  says: 'write the memory to a TMX file',
  help: `Usage: dragoman memory export [FILE] [OPTION]…

Writes the translation memory as TMX 1.4 to FILE, which must not exist yet, or to standard output. You can import the result
again.

${pairHelp}
${help}`,
  run: async (args, screen) => {
    const { values, positionals } = readArgs({ args, allowPositionals: true, options: pairOptions })
    const [file = '-', ...more] = positionals
    if (more.length > 0) throw new UsageError('Specify at most one FILE.')
    const joined = await joinHub(values, screen, usual)
    return withVersions(joined, async () => {
      const answer = await joined.hub.exportMemory({ query: pairOf(values) })
      const bytes = await writeAll(
        screen,
        file,
        answer.body as AsyncIterable<Uint8Array> & typeof answer.body,
      )
      if (values.json && file !== '-') screen.out(json({ file, bytes }))
      else if (file !== '-') screen.out(`The memory was written to ${file} (${sizeText(bytes)}).`)
      return exitCodes.done
    })
  },
}

const verbs: Readonly<Record<string, Command>> = { search, import: importFile, export: exportFile }

export const memory = verbsOnly(
  'memory',
  'search, import and export the translation memory',
  verbs,
  about,
)
