/**
 * What a push will do, from the project and the flags: everything is checked before the first call.
 */
import { createHash } from 'node:crypto'
import { basename } from 'node:path'
import {
  detectFormat,
  type FormatId,
  HubError,
  headBytes,
  type Segmentation,
  segmentations,
} from '@dragoman/contract/wire'
import { type LanguageTable, mapLanguage } from '@dragoman/sdk'
import { Refusal, type Screen, UsageError } from '../../command.ts'
import { count } from '../../table.ts'
import { type FoundFile, findFiles } from '../find-files.ts'
import { matchesGlob } from '../glob-match.ts'
import type { Joined } from '../hub-connection.ts'
import { isPulled } from '../output-pattern.ts'
import { outputsOf } from '../pull/pull-paths.ts'
import { sourceFor } from './push-source.ts'
import type { SentFiles } from './push-state.ts'

type PushFlags = {
  source?: string
  target?: string[]
  provider?: string
  label?: string[]
  name?: string
  po?: string
  due?: string
  segmentation?: string
  'allow-secrets'?: boolean
}

/** A file, and the languages it goes to. */
export type PlannedFile = FoundFile & {
  readonly targets: readonly string[]
  /** The requests with an older version of it, by the project's code of the language. */
  readonly supersedes?: Readonly<Record<string, string>>
}

export type PushPlan = {
  readonly jobName: string
  /** Whether the user chose the name. */
  readonly isNamed: boolean
  readonly source: string
  readonly targets: readonly string[]
  readonly provider?: string
  readonly labels: readonly string[]
  readonly poReference?: string
  readonly dueDate?: string
  readonly segmentation?: Segmentation
  /** Whether files with what looks like a secret go, too. */
  readonly allowsSecrets: boolean
  readonly files: readonly PlannedFile[]
  /** Files with nothing new for any language. */
  readonly unchanged: readonly string[]
  /** What its jobs carry as customData: the same in every clone of the project. */
  readonly project: string
  /** The hub and client it goes to. */
  readonly hub: string
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
  const named = flags.source ?? project.source
  const targets =
    flags.target?.flatMap((list) => list.split(/[\s,]+/)).filter((code) => code !== '') ??
    project.targets
  if (!named)
    throw new UsageError('Specify the source language: --source en-US, or source in dragoman.yml.')
  if (!targets?.length)
    throw new UsageError(
      'Specify the target languages: --target de-DE,fr-FR, or targets in dragoman.yml.',
    )
  const source = await sourceFor(joined, named, screen)
  for (const code of [source, ...targets]) mustBeLanguage(code, project.languages)
  const given = patterns.length > 0 ? patterns : (project.files ?? []).map((entry) => entry.source)
  if (given.length === 0)
    throw new UsageError(
      'Specify what to push: dragoman push "content/**/*.html", or files in dragoman.yml.',
    )
  const from = patterns.length > 0 ? screen.cwd : project.root
  const outputs = outputsOf(project).all
  const known = { source, targets, languages: project.languages ?? {} }
  const {
    files: found,
    left,
    configuration,
  } = await findFiles(project.root, {
    patterns: given,
    ignore: project.ignore ?? [],
    from,
    isPulled: (path) => outputs.some((output) => isPulled(output, known)(path)),
  })
  if (left > 0)
    screen.err(
      `Skipped ${count(left, 'file')} where pull writes translations (${outputs.join(', ')}).`,
    )
  if (configuration.length > 0)
    screen.err(`Skipped configuration: ${configuration.join(', ')}. Name a file to push it.`)
  const formatFor = (path: string) =>
    project.files?.find((entry) => entry.format && matchesGlob(entry.source, path))?.format ??
    project.format
  const files: PlannedFile[] = []
  for (const file of found)
    files.push({
      ...(await withFormat(file, formatFor(file.path))),
      targets: [...new Set(targets)],
    })
  const provider = flags.provider ?? project.provider
  const name = flags.name ?? project.name
  return finished(
    {
      ...(name !== undefined && { jobName: name }),
      source,
      labels: flags.label ?? project.labels ?? [],
      ...(provider !== undefined && { provider }),
      ...(flags.po !== undefined && { poReference: flags.po }),
      ...(flags.due !== undefined && { dueDate: flags.due }),
      ...(flags.segmentation !== undefined && { segmentation: segmentationOf(flags.segmentation) }),
      allowsSecrets: flags['allow-secrets'] ?? false,
      files,
      unchanged: [],
      project: `project ${project.name ?? basename(project.root)}`.slice(0, 200),
      hub: `${joined.url} ${joined.clientId}`,
    },
    name !== undefined,
  )
}

function segmentationOf(given: string): Segmentation {
  const found = segmentations.find((one) => one === given.toUpperCase())
  if (!found)
    throw new UsageError(`--segmentation must be sentences or paragraphs, not "${given}".`)
  return found
}

/** Only what was not sent yet: changed files, new files, and new languages of unchanged files. */
export function onlyChanged(
  plan: PushPlan,
  sent: SentFiles,
  language: (code: string) => string,
): PushPlan {
  const isNew = ({ path, sha256 }: PlannedFile) => {
    const languages = Object.hasOwn(sent, path) ? sent[path] : undefined
    return (code: string) => languages?.[language(code)]?.sha256 !== sha256
  }
  const files = plan.files.map((file) => ({ ...file, targets: file.targets.filter(isNew(file)) }))
  const unchanged = files.filter(({ targets }) => targets.length === 0).map(({ path }) => path)
  return finished(
    { ...plan, files: files.filter(({ targets }) => targets.length > 0), unchanged },
    plan.isNamed,
  )
}

type Unfinished = Omit<PushPlan, 'fingerprint' | 'targets' | 'jobName' | 'isNamed'> & {
  readonly jobName?: string
}

/**
 * Names the job after its files, unless the user named it; the fingerprint covers exactly what is
 * sent.
 */
function finished(given: Unfinished, isNamed: boolean): PushPlan {
  const { files } = given
  const jobName = isNamed
    ? given.jobName
    : files.length === 1
      ? files[0]?.path
      : `${files.length} files`
  const plan = {
    ...given,
    isNamed,
    jobName: jobName ?? '',
    targets: [...new Set(files.flatMap((one) => one.targets))],
  }
  const { unchanged: _, allowsSecrets: __, project: ___, ...facts } = plan
  const sent = files.map(({ path, sha256, targets, said }) => [path, sha256, targets, said])
  const text = JSON.stringify({ ...facts, fingerprint: undefined, files: sent })
  return { ...plan, fingerprint: createHash('sha256').update(text).digest('hex') }
}

/** A file that changes in the meantime is refused, as it is during the upload. */
const readHead = (read: FoundFile['source']['read'], size: number): Promise<Uint8Array> =>
  read(0, Math.min(size, headBytes)).catch((error: Error) => {
    throw new Refusal(error.message)
  })

/** By the same table as the hub: the name, the type, the first bytes. */
async function withFormat(file: FoundFile, said: FormatId | undefined): Promise<FoundFile> {
  const { name: fileName, contentType, size, read } = file.source
  const head = said ? '' : textOf(await readHead(read, size))
  const format = said ?? detectFormat({ fileName, contentType, head: () => head })
  return { ...file, ...(format && { format }), ...(said && { said }) }
}

/** UTF-16 begins with a BOM, or with a zero in every other byte. */
function textOf(bytes: Uint8Array): string {
  const [a, b] = bytes
  const charset =
    a === 0xff || (a && b === 0) ? 'utf-16le' : a === 0xfe || (a === 0 && b) ? 'utf-16be' : 'utf-8'
  return new TextDecoder(charset).decode(bytes)
}
