/**
 * `dragoman formats`: the files that the hub translates, from the table that hub and docs share;
 * needs no hub.
 */
import { listFormats } from '@dragoman/contract/wire'
import { type Command, readArgs } from './command.ts'
import { json, showTable } from './table.ts'

export const formats: Command = {
  says: 'list the file formats that are translated',
  help: `Usage: dragoman formats [--json]

Lists each format: the name that "format" in dragoman.yml and requests/add takes, its files, what is text in them and what
is kept. A hub of another version may know others: GET /v2/formats.

Exit code: 0 done, 2 not understood.`,
  run: async (args, screen) => {
    const { values } = readArgs({ args, options: { json: { type: 'boolean' } } })
    const rows = listFormats()
    if (values.json) screen.out(json(rows))
    else
      showTable(
        screen,
        rows,
        [
          { title: 'FORMAT', of: ({ id }) => id },
          { title: 'FILES', of: ({ extensions }) => extensions.map((one) => `.${one}`).join(' ') },
          { title: 'WHAT IS TEXT', of: ({ text }) => text },
          { title: 'WHAT STAYS', of: ({ kept }) => kept },
          { title: 'AT MOST', of: ({ maxBytes }) => `${maxBytes / 1024 ** 2} MB` },
        ],
        'There are no formats.',
      )
    return 0
  },
}
