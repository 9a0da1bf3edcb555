/** `dragoman words`: counts the words of files as quotes do; needs no hub. */
import { type Command, exitCodes, flag, readArgs, text, UsageError } from '../command.ts'
import { json, showTable } from '../table.ts'
import { formatGiven, namingFile, readGiven } from './read-file.ts'

export const words: Command = {
  says: 'count the words of files; needs no hub',
  help: `Usage: dragoman words FILE… [--format NAME] [--target-language CODE] [--json]

Counts the words of each file by the rule that the hub uses for quotes: placeholders, tags, keys and comments are no words;
a Chinese or Japanese character is one. It does not know a translation memory, so nothing is a match. Needs no hub.

  --format NAME           the format of the files; default: by name and content (dragoman formats lists them)
  --target-language CODE  count only what a file with several languages lacks in this one
  --json                  print JSON

Exit code: 0 done, 1 a file is broken, 2 there is no such file, or its format is not known.`,
  run: async (args, screen) => {
    const options = { format: text, 'target-language': text, json: flag } as const
    const { values, positionals } = readArgs({ args, allowPositionals: true, options })
    if (positionals.length === 0) throw new UsageError('words needs at least one FILE.')
    const how = {
      format: formatGiven(values.format),
      targetLanguage: values['target-language'],
    }
    const { countFileWords } = await import('@dragoman/text')
    const files: (ReturnType<typeof countFileWords> & { readonly file: string })[] = []
    for (const file of positionals) {
      const bytes = await readGiven(screen, file)
      files.push({ file, ...namingFile(file, () => countFileWords(file, bytes, how)) })
    }
    const sum = (of: 'segments' | 'words' | 'characters') =>
      files.reduce((all, one) => all + one[of], 0)
    const all = { segments: sum('segments'), words: sum('words'), characters: sum('characters') }
    if (values.json) screen.out(json({ files, ...all }))
    else
      showTable(
        screen,
        files.length > 1 ? [...files, { file: 'all', format: '', ...all }] : files,
        [
          { title: 'FILE', of: ({ file }) => file },
          { title: 'FORMAT', of: ({ format }) => format },
          { title: 'TEXTS', of: ({ segments }) => segments },
          { title: 'WORDS', of: ({ words }) => words },
          { title: 'CHARACTERS', of: ({ characters }) => characters },
        ],
        '',
      )
    return exitCodes.done
  },
}
