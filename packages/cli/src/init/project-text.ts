/** Writes a dragoman.yml for people: short, with a comment where a reader would ask. */

export type NewProject = {
  readonly hub?: string
  readonly source: string
  readonly targets: readonly string[]
  readonly languages: Readonly<Record<string, string>>
  readonly provider?: string
  readonly files: readonly { readonly source: string; readonly output: string }[]
}

export function projectText({
  hub,
  source,
  targets,
  languages,
  provider,
  files,
}: NewProject): string {
  const table = Object.entries(languages)
  return [
    '# What dragoman push sends, and where dragoman pull writes. All keys: docs/command-line.md.',
    ...(hub === undefined ? [] : [`hub: ${scalar(hub)}`]),
    `source: ${scalar(source)}`,
    `targets: [${targets.map(scalar).join(', ')}]`,
    ...(table.length === 0
      ? []
      : [
          '# Your codes on the left, those of the hub on the right.',
          'languages:',
          ...table.map(([name, code]) => `  ${scalar(name)}: ${scalar(code)}`),
        ]),
    provider === undefined
      ? '# provider: Acme Translations   # needed if the site has more than one: dragoman providers'
      : `provider: ${scalar(provider)}`,
    'files:',
    ...files.flatMap((entry) => [
      `  - source: ${scalar(entry.source)}`,
      `    output: ${scalar(entry.output)}`,
    ]),
    "# ignore: ['**/drafts/**']",
    '',
  ].join('\n')
}

/** Unquoted if YAML reads it as text, otherwise in double quotes. */
function scalar(text: string): string {
  const isPlain = /^[A-Za-z_./][\w./*{},<>+ -]*$|^https?:\/\/[\w.:/-]+$/.test(text)
  const isOther = /^(?:true|false|null|yes|no|on|off|y|n|~)$/i.test(text) || text.endsWith(' ')
  return isPlain && !isOther ? text : JSON.stringify(text)
}
