/** `dragoman split`: shows the texts of files as the hub finds them; needs no hub. */
import { type Command, exitCodes, flag, readArgs, text, UsageError } from '../command.ts'
import { json, strong } from '../table.ts'
import { formatGiven, namingFile, readGiven } from './read-file.ts'

export const split: Command = {
  says: 'show the texts of files; needs no hub',
  help: `Usage: dragoman split FILE… [--format NAME] [--target-language CODE] [--json]

Shows what the hub would translate in each file: the id of each text and the text, with its placeholders and tags as they
stand in the file. A translation that the file already has stands below its text. Needs no hub.

  --format NAME           the format of the files; default: by name and content (dragoman formats lists them)
  --target-language CODE  the language to read in a file that holds several
  --json                  print JSON, also with notes and limits of length

Exit code: 0 done, 1 a file is broken, 2 there is no such file, or its format is not known.`,
  run: async (args, screen) => {
    const options = { format: text, 'target-language': text, json: flag } as const
    const { values, positionals } = readArgs({ args, allowPositionals: true, options })
    if (positionals.length === 0) throw new UsageError('split needs at least one FILE.')
    const how = {
      format: formatGiven(values.format),
      targetLanguage: values['target-language'],
    }
    const { splitFile } = await import('@dragoman/text')
    const files: (ReturnType<typeof splitFile> & { readonly file: string })[] = []
    for (const file of positionals) {
      const bytes = await readGiven(screen, file)
      files.push({ file, ...namingFile(file, () => splitFile(file, bytes, how)) })
    }
    if (values.json) screen.out(json({ files }))
    else
      for (const { file, format, segments, remarks } of files) {
        screen.out(strong(screen, `${file} (${format})`))
        for (const { id, text, target } of segments) {
          screen.out(`${id}: ${indented(text)}`)
          if (target !== undefined) screen.out(`  = ${indented(target)}`)
        }
        for (const remark of remarks) screen.err(`${file}: ${remark}`)
      }
    return exitCodes.done
  },
}

/** A text of several lines stays apart from the next one. */
const indented = (text: string): string => text.replaceAll(/\r\n|\r|\n/g, '\n    ')
