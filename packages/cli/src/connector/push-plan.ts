/** What a push will do, from the project and the flags: everything is checked before the first call. */
import { createHash } from 'node:crypto'
import { detectFormat, type FormatId, HubError, headBytes } from '@dragoman/contract/wire'
import { type LanguageTable, mapLanguage } from '@dragoman/sdk'
import { Refusal, type Screen, UsageError } from '../command.ts'
import { count } from '../table.ts'
import { type FoundFile, findFiles } from './find-files.ts'
import type { Joined } from './hub-connection.ts'
import { isPulled, usualPattern } from './pull-paths.ts'

export type PushFlags = {
  source?: string
  target?: string[]
  provider?: string
  label?: string[]
  name?: string
  po?: string
  due?: string
}

export type PushPlan = {
  readonly jobName: string
  readonly source: string
  readonly targets: readonly string[]
  readonly provider?: string
  readonly labels: readonly string[]
  readonly poReference?: string
  readonly dueDate?: string
  readonly files: readonly FoundFile[]
  /** Said to the hub; without it the hub finds the format of each file. */
  readonly format?: FormatId
  /** The same for the same push: hub, client, content and everything sent with it. */
  readonly fingerprint: string
}

function mustBeLanguage(code: string, table?: LanguageTable): void {
  try {
    mapLanguage(code, table)
  } catch (error) {
    if (!(error instanceof HubError)) throw error
    throw new Refusal(`${error.message} For a project, set \`languages\` in dragoman.yml.`)
  }
}

export async function planPush(
  joined: Joined,
  flags: PushFlags,
  patterns: string[],
  screen: Screen,
): Promise<PushPlan> {
  const { project } = joined
  const source = flags.source ?? project.source
  const targets = flags.target?.flatMap((list) => list.split(/[\s,]+/)).filter((code) => code !== '') ?? project.targets
  if (!source) throw new UsageError('Specify the source language: --source en-US, or source in dragoman.yml.')
  if (!targets?.length)
    throw new UsageError('Specify the target languages: --target de-DE,fr-FR, or targets in dragoman.yml.')
  for (const code of [source, ...targets]) mustBeLanguage(code, project.languages)
  const given = patterns.length > 0 ? patterns : (project.files ?? [])
  if (given.length === 0)
    throw new UsageError('Specify what to push: dragoman push "content/**/*.html", or files in dragoman.yml.')
  const from = patterns.length > 0 ? screen.cwd : project.root
  const output = project.output ?? usualPattern
  const { files: found, left } = await findFiles(project.root, {
    patterns: given,
    ignore: project.ignore ?? [],
    from,
    isPulled: isPulled(output, joined.hub.language(source)),
  })
  if (left > 0) screen.err(`Skipped ${count(left, 'file')} where pull writes translations (${output}).`)
  const files: FoundFile[] = []
  for (const file of found) files.push(await withFormat(file, project.format))
  const provider = flags.provider ?? project.provider
  const plan = {
    jobName: flags.name ?? project.name ?? `${files.length === 1 ? files[0]?.path : `${files.length} files`}`,
    source,
    targets: [...new Set(targets)],
    labels: flags.label ?? project.labels ?? [],
    ...(provider !== undefined && { provider }),
    ...(project.format !== undefined && { format: project.format }),
    ...(flags.po !== undefined && { poReference: flags.po }),
    ...(flags.due !== undefined && { dueDate: flags.due }),
  }
  const facts = {
    ...plan,
    url: joined.url,
    clientId: joined.clientId,
    files: files.map(({ path, sha256 }) => [path, sha256]),
  }
  return { ...plan, files, fingerprint: createHash('sha256').update(JSON.stringify(facts)).digest('hex') }
}

/** By the same table as the hub: the name, the type, the first bytes. */
/** A file that changes meanwhile is refused, as it is during the upload. */
const readHead = (read: FoundFile['source']['read'], size: number): Promise<Uint8Array> =>
  read(0, Math.min(size, headBytes)).catch((error: Error) => {
    throw new Refusal(error.message)
  })

async function withFormat(file: FoundFile, said: FormatId | undefined): Promise<FoundFile> {
  const { name: fileName, contentType, size, read } = file.source
  const head = said ? '' : textOf(await readHead(read, size))
  const format = said ?? detectFormat({ fileName, contentType, head: () => head })
  return format ? { ...file, format } : file
}

/** UTF-16 begins with a BOM, or with a zero in every other byte. */
function textOf(bytes: Uint8Array): string {
  const [a, b] = bytes
  const charset = a === 0xff || (a && b === 0) ? 'utf-16le' : a === 0xfe || (a === 0 && b) ? 'utf-16be' : 'utf-8'
  return new TextDecoder(charset).decode(bytes)
}
