/** The table of formats in words: docs/formats.md. */
import { listFormats } from '@dragoman/contract'

export function formatsPage(): string {
  const rows = listFormats().map(
    ({ id, name, extensions, text, kept, maxBytes }) =>
      `| ${name} | \`${id}\` | ${extensions.map((one) => `\`.${one}\``).join(' ')} | ${text} | ${kept} | ${maxBytes / 1024 ** 2} MB |`,
  )
  const advice = listFormats().flatMap(({ advice }) =>
    advice === undefined ? [] : [`- ${advice}`],
  )
  return `${[
    '# File formats',
    '<!-- Generated from packages/contract by `npm run generate`; do not edit. -->',
    'The hub translates these files in place: everything outside the translated texts stays unchanged, byte for byte. `GET /v2/formats` and `dragoman formats` show the same table.',
    'The hub detects the format from the file extension, then the content type, then the first bytes; if several formats share an extension, the bytes decide. Without an extension and a type, they also tell JSON and plain text, and the file is downloaded under the type of its format. A request returns it as `format`. To override it, set `format` in `requests/add` or in `dragoman.yml`. A file of an unknown format gets a warning on its request, and an error if the hub itself has to translate it.',
    [
      '| Format | Name | Files | Translated | Kept | Maximum size |',
      '|---|---|---|---|---|---|',
      ...rows,
    ].join('\n'),
    '## Not translated',
    advice.join('\n'),
    '## Refused',
    'A file that is not of its format is never passed through: the request of such a source fails with a sentence, and such a delivery gets 422 DELIVERY_INVALID. Examples are a ZIP, a PDF or an image in place of a text, SRT without times, WebVTT without its first line, `\\u00` in properties, a string catalogue without `strings`, an Office file of another program or without its main part, and XLIFF 2 with targets in another language than the one asked for.',
    '## Placeholders',
    'Every format keeps the following unchanged: `%s %1$d %@ %lld %(name)s %<name>d %{name} %name% {0} {name} {{name}} $' +
      '{name} #{name} {% if %} $t(key) @:key %Y-%m-%d %n %u`, ICU messages (their branches are translated one by one), tags, entities, URLs. `:name` is a placeholder only in software formats, `%1` only in Qt.',
    '## Options',
    'Set `formatOptions` in `POST /v2/jobs` or `PATCH /v2/jobs/{jobId}` to define what to translate in the files of a job. All options are optional; an unknown name is refused. The same options give the same counts and the same hash of a quote. An empty list in `keys`, `columns` or `elements` means no restriction.',
    'Options for all jobs of a site: `PUT /v2/settings/formatoptions` (scope `settings`) with the same object. A job takes the options of its site when it is created and shows the result in `formatOptions`; its own options override them one by one (`json.keys`, `xml.its`). Changing the options of a site does not change existing jobs.',
    '```json\n{ "formatOptions": {\n  "json": { "keys": ["title", "body"] },\n  "yaml": { "skipKeys": ["slug"] },\n  "markdown": { "frontMatter": ["title", "summary"] },\n  "csv": { "columns": ["Text"], "delimiter": ";" },\n  "xml": { "skipElements": ["code"], "attributes": ["alt"], "its": "<its:rules …>" },\n  "xliff": { "targets": "replace" },\n  "languages": { "names": [{ "language": "es-ES", "name": "es" }] }\n} }\n```',
    '`languages.names` says how files name a language that has another code in the requests: the root key of a Rails locale, `Language:` of a PO, `@@locale` of an ARB, the key of a string catalogue, `language` of a Qt TS, `lang` of an HTML page. `dragoman push` sends it by the table `languages` of dragoman.yml. Plural rules follow the language of the request.',
    "ITS 2.0: `its:translate`, `its:withinText`, and the rules `translateRule` and `withinTextRule` of the file itself or of `xml.its`, with selectors such as `//para`, `/doc/head//title`, `//p[@class='x']` and, for attributes, `//img/@alt`; names are compared without their prefix. An unsupported selector is an error; it is never ignored. Attributes are translated only if `xml.attributes` or a rule names them.",
  ].join('\n\n')}\n`
}
