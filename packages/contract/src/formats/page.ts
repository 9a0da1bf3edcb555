/** The table of formats in words: docs/formats.md, and the rows of `GET /v2/formats` and `dragoman formats`. */
import type { Format } from '../schemas/format.ts'
import type { FormatRow } from './row.ts'
import { formatIds, formatRows } from './table.ts'

export const listFormats = (): Format[] =>
  formatIds
    .map((id): Format => {
      const { name, extensions, mediaTypes, text, kept, megabytes, advice }: FormatRow = formatRows[id]
      return {
        id,
        name,
        extensions: [...extensions],
        mediaTypes: [...mediaTypes],
        translated: advice === undefined,
        text,
        kept,
        maxBytes: megabytes * 1024 ** 2,
        ...(advice !== undefined && { advice }),
      }
    })
    .sort((one, other) => one.name.localeCompare(other.name, 'en'))

export function formatsPage(): string {
  const rows = listFormats().map(
    ({ id, name, extensions, text, kept, maxBytes }) =>
      `| ${name} | \`${id}\` | ${extensions.map((one) => `\`.${one}\``).join(' ')} | ${text} | ${kept} | ${maxBytes / 1024 ** 2} MB |`,
  )
  const advice = listFormats().flatMap(({ advice }) => (advice === undefined ? [] : [`- ${advice}`]))
  return `${[
    '# File formats',
    '<!-- Generated from packages/contract by `npm run generate`; do not edit. -->',
    'The hub translates these files in place: everything outside the translated texts comes back byte for byte, and a file in which nothing changed is the same file. `GET /v2/formats` and `dragoman formats` show the same table.',
    'A format is told by the extension of the file, then by its content type, then by its first bytes; where several formats share an extension, the bytes decide. A request shows the answer as `format`. Whoever knows better says so: `format` in `requests/add`, or in `dragoman.yml`. A file that no format fits has a warning on its request, and an error once it is to be translated by the hub itself.',
    ['| Format | Name | Files | What is text | What stays | At most |', '|---|---|---|---|---|---|', ...rows].join(
      '\n',
    ),
    '## Not translated',
    advice.join('\n'),
    '## Placeholders',
    'In every format the same things are kept whole: `%s %1$d %@ %lld %(name)s %<name>d %{name} {0} {name} {{name}} $' +
      '{name} #{name} {% if %} $t(key) @:key %Y-%m-%d`, messages of ICU (their branches are translated one by one), tags, entities, addresses. `:name` is a placeholder in formats of software alone, `%1` and `%n` in Qt.',
    '## Options',
    'A job may say what counts as text in its files, in `formatOptions` of `POST /v2/jobs` and `PATCH /v2/jobs/{jobId}`. All of it may be left out; an unknown name is refused. The same options give the same counts and the same hash of a quote.',
    '```json\n{ "formatOptions": {\n  "json": { "keys": ["title", "body"] },\n  "yaml": { "skipKeys": ["slug"] },\n  "markdown": { "frontMatter": ["title", "summary"] },\n  "csv": { "columns": ["Text"], "delimiter": ";" },\n  "xml": { "skipElements": ["code"], "its": "<its:rules …>" },\n  "xliff": { "targets": "replace" }\n} }\n```',
    "ITS 2.0: `its:translate`, `its:withinText`, and the rules `translateRule` and `withinTextRule` of the file itself or of `xml.its`, with selectors such as `//para`, `/doc/head//title` and `//p[@class='x']`; names are compared without their prefix. A selector that cannot be followed is an error, never ignored.",
  ].join('\n\n')}\n`
}
