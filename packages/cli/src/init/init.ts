/**
 * `dragoman init`: writes dragoman.yml for the project it finds, or copies a template. Asks on a
 * terminal, otherwise uses flags.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { writeWhole } from '@dragoman/sdk/node'
import { type Ask, canAsk, withAsk } from '../ask.ts'
import {
  type Command,
  exitCodes,
  flag,
  many,
  Refusal,
  readArgs,
  type Screen,
  text,
  UsageError,
} from '../command.ts'
import { usualUrl } from '../connector/hub-connection.ts'
import { unknownBlank, usualPattern } from '../connector/output-pattern.ts'
import { projectFiles } from '../connector/project.ts'
import { projectSchema } from '../connector/project-keys.ts'
import { count, json } from '../table.ts'
import type { DetectedFiles } from './content-rules.ts'
import { copyTemplate, templateNames } from './copy-template.ts'
import { type Content, detectContent, type LeftOut } from './detect-content.ts'
import { acceptedFor, languageTable } from './language-names.ts'
import { type NewProject, projectText } from './project-text.ts'

const options = {
  source: text,
  target: many,
  provider: text,
  hub: text,
  files: many,
  output: text,
  template: text,
  schema: flag,
  force: flag,
  yes: flag,
  json: flag,
} as const

export const init: Command = {
  says: 'write dragoman.yml for this project, or copy a template',
  help: `Usage: dragoman init [OPTION]…
       dragoman init --template NAME

Looks for content in the current folder (locales/en, *.lproj, res/values, *.pot, content/, docs/ and so on), proposes
languages and paths, and writes dragoman.yml. On a terminal it asks; elsewhere it uses the options and what it found.

  --source CODE      the language of the files
  --target LIST      the languages to translate to, separated by commas; repeatable
  --provider NAME    the provider
  --hub URL          the hub, if it is not the one of dragoman login or of this machine
  --files GLOB       what to translate, instead of what is found; repeatable
  --output PATTERN   where translations go, with --files (default ${usualPattern})
  --template NAME    copy a template here: ${templateNames.join(', ')}
  --schema           print the JSON schema of dragoman.yml, for editors
  --force            replace files that exist
  --yes              do not ask
  --json             print JSON

Exit code: 0 written, 1 refused (a file exists), 2 invalid arguments or nothing found, 130 interrupted.`,
  values: { '--template': templateNames },
  run: async (args, screen) => {
    const { values } = readArgs({ args, options })
    const { json: asJson = false, force = false } = values
    if (values.schema) {
      screen.out(json(projectSchema()))
      return exitCodes.done
    }
    if (values.template !== undefined) {
      const paths = await copyTemplate(values.template, screen.cwd, force)
      if (asJson) screen.out(json({ template: values.template, files: paths }))
      else for (const line of [...paths.map((path) => `wrote ${path}`), next]) screen.out(line)
      return exitCodes.done
    }
    const there = projectFiles.find((name) => existsSync(join(screen.cwd, name)))
    if (there !== undefined && !force) throw new Refusal(`${there} exists; --force replaces it.`)
    const content: Content = values.files
      ? { found: [], left: [] }
      : await detectContent(screen.cwd, values.source)
    const { found, left, configured } = content
    const isAsking = canAsk(screen) && !values.yes && !asJson
    if (!asJson) for (const one of found) screen.err(`Found ${sayFound(one)}`)
    if (!asJson && configured)
      screen.err(`Found the source language ${configured.language} in ${configured.file}`)
    if (!asJson) for (const one of left) screen.err(`Left out ${sayLeft(one)}`)
    const project = isAsking
      ? await withAsk((ask) => decide(values, content, screen, ask))
      : await decide(values, content, screen)
    const file = join(screen.cwd, there ?? projectFiles[0])
    await writeWhole(file, [Buffer.from(projectText(project))])
    if (asJson) screen.out(json({ file, ...project, leftOut: left }))
    else screen.out(`Wrote ${file}.\n${next}`)
    return exitCodes.done
  },
}

const next = 'Next: dragoman push --dry-run, dragoman push, dragoman pull --wait'

const sayFound = ({ what, files, output, count: many, targets }: DetectedFiles): string =>
  `${what}: ${files} (${count(many, 'file')}), translations in ${output}${targets.length > 0 ? `, so far ${targets.join(', ')}` : ''}`

/** Number of names in one line. */
const mostNamed = 8

function sayLeft({ why, paths }: LeftOut): string {
  const rest = paths.length - mostNamed
  const names = paths.slice(0, mostNamed).join(', ')
  return `${count(paths.length, 'file')}: ${names}${rest > 0 ? ` and ${rest} more` : ''}: ${why}.`
}

type Flags = {
  source?: string
  target?: string[]
  provider?: string
  hub?: string
  files?: string[]
  output?: string
}

/** Flags first, then answers, then what was detected. */
async function decide(
  flags: Flags,
  { found, configured }: Content,
  screen: Screen,
  ask?: Ask,
): Promise<NewProject> {
  const files = await chooseFiles(flags, found, ask)
  const proposed =
    found.find(({ source }) => source !== undefined)?.source ?? configured?.language ?? 'en'
  const source =
    flags.source ?? (ask ? await ask.text('Language of the files', proposed) : proposed)
  const known = distinct(found.flatMap(({ targets }) => targets)).filter(
    (code) => !isSame(code, source),
  )
  const given = flags.target ?? [
    ask ? await ask.text('Translate to', known.join(', ')) : known.join(','),
  ]
  const asNamed = (code: string) => known.find((one) => isSame(one, code)) ?? code
  const targets = distinct(
    given
      .flatMap((list) => list.split(/[\s,]+/))
      .filter((code) => code !== '')
      .map(asNamed),
  )
  if (targets.length === 0)
    throw new UsageError('Specify the languages to translate to: dragoman init --target de,fr.')
  for (const code of [source, ...targets])
    if (acceptedFor(code) === undefined)
      throw new UsageError(
        `"${code}" is not a language that the hub knows; write it like de, de-DE or pt-BR.`,
      )
  const hub = flags.hub ?? (ask ? await ask.text('Hub', screen.env.HUB_URL || usualUrl) : undefined)
  if (hub !== undefined && !URL.canParse(hub))
    throw new UsageError(`The hub is a URL such as https://hub.example.org, not "${hub}".`)
  const provider =
    flags.provider ?? (ask ? await ask.text('Provider (empty: the only one of the site)') : '')
  return {
    ...(hub !== undefined && hub !== usualUrl && hub !== screen.env.HUB_URL && { hub }),
    source,
    targets,
    languages: languageTable([source, ...targets]),
    ...(provider !== '' && { provider }),
    files,
  }
}

async function chooseFiles(
  { files, output = usualPattern }: Flags,
  found: readonly DetectedFiles[],
  ask?: Ask,
) {
  const unknown = unknownBlank(output)
  if (unknown !== undefined) throw new UsageError(unknown)
  if (files) return files.map((source) => ({ source, output }))
  if (found.length > 0) return found.map((one) => ({ source: one.files, output: one.output }))
  if (!ask)
    throw new UsageError(
      'No content was found here; name it: dragoman init --files "content/**/*.html" --target de,fr.',
    )
  const source = await ask.text('No content was found. Which files (a folder or a glob)', 'content')
  return [{ source, output: await ask.text('Where do translations go', output) }]
}

const isSame = (one: string, other: string): boolean => acceptedFor(one) === acceptedFor(other)

/** Each language once, in its first spelling. */
const distinct = (codes: readonly string[]): string[] =>
  codes.filter(
    (code, at) =>
      codes.findIndex(
        (other) => other === code || (acceptedFor(code) !== undefined && isSame(other, code)),
      ) === at,
  )
