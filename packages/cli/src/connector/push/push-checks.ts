/**
 * What is checked before anything is sent: the limits of a job, formats that the hub cannot read,
 * the provider.
 */
import {
  type FormatRow,
  formatRows,
  HubError,
  limits,
  type Provider,
  quotas,
} from '@dragoman/contract/wire'
import type { Connection } from '@dragoman/sdk'
import { Refusal, type Screen, UsageError } from '../../command.ts'
import { findSecret } from '../../files/secrets.ts'
import { count } from '../../table.ts'
import type { PlannedFile, PushPlan } from './push-plan.ts'

export const requestsOf = (files: readonly PlannedFile[]): number =>
  files.reduce((sum, { targets }) => sum + targets.length, 0)

/** A job has limits; exceeding them is reported before anything is sent. */
export function mustFit({ files, targets }: PushPlan): void {
  const requests = requestsOf(files)
  const large = files.find(({ source }) => source.size > limits.fileBytes)
  if (large)
    throw new UsageError(
      `${large.path} has ${large.source.size} bytes; the maximum is ${limits.fileBytes}.`,
    )
  if (files.length > quotas.MaxFilesPerJob)
    throw new UsageError(
      `${files.length} files are too many for one job; the maximum is ${quotas.MaxFilesPerJob}. Push fewer at a time.`,
    )
  if (requests > quotas.MaxReqsPerJob)
    throw new UsageError(
      `${files.length} files in ${targets.length} languages are ${requests} requests; the maximum per job is ${quotas.MaxReqsPerJob}. Push fewer at a time.`,
    )
}

/** The most of a file that is read for secrets; no hand-written file of texts is larger. */
const mostRead = 8 * 1024 * 1024

/** A secret must not leave the machine: an engine would get it, and the memory keep it. */
export async function mustHoldNoSecrets({ files, allowsSecrets }: PushPlan): Promise<void> {
  if (allowsSecrets) return
  for (const { path, source, format } of files) {
    const isWhole = source.size <= mostRead
    const bytes = await source.read(0, Math.min(source.size, mostRead))
    const found = await findSecret(path, bytes, isWhole ? format : undefined)
    if (found)
      throw new Refusal(
        `${path} holds ${found.what} (${found.where}), so nothing was sent. Take it out, or list the file under ignore in dragoman.yml; if it is a text for readers, push with --allow-secrets.`,
      )
  }
}

/**
 * Only a warning, without its own exit code: a person, or a provider's own program, may translate
 * any file.
 */
export function warnOfFormats({ files }: PushPlan, screen: Screen): void {
  for (const { path, format } of files) {
    const row: FormatRow | undefined = format && formatRows[format]
    if (row?.advice) screen.err(`Warning: ${path}: ${row.advice}`)
  }
  const unknown = files.filter(({ format }) => format === undefined)
  if (unknown.length === 0) return
  const names = unknown.slice(0, maxNamed).map(({ path }) => path)
  if (unknown.length > maxNamed) names.push(`and ${unknown.length - maxNamed} more`)
  screen.err(
    `Warning: the hub cannot translate the format of ${count(unknown.length, 'file')}: ${names.join(', ')}.`,
  )
  screen.err(
    'Pseudo and machine translation will report an error for them; other providers may accept them.',
  )
}

/** Number of names in one warning. */
const maxNamed = 10

/** The provider of the plan, or the only one. */
export const providerFor = (hub: Connection, { provider }: PushPlan): Promise<Provider> =>
  provider === undefined ? mustBeOne(hub) : mustTake(hub, provider)

/**
 * Refuses a pair that the engine lacks before there is a draft. Only where not even another variant
 * of both languages is there: which variants are one to the engine, the hub knows.
 */
export function mustTranslate(
  { name, capabilities: { supportedLanguages } }: Provider,
  { source, targets }: PushPlan,
  language: (code: string) => string,
): void {
  if (!supportedLanguages?.length) return
  const base = (code: string) => language(code).split('-', 1)[0]?.toLowerCase()
  const isAmong = (codes: readonly string[], code: string) =>
    codes.some((one) => one.split('-', 1)[0]?.toLowerCase() === base(code))
  const lacking = targets.filter(
    (target) =>
      !supportedLanguages.some(
        ({ sources, targets: known }) => isAmong(sources, source) && isAmong(known, target),
      ),
  )
  if (lacking.length > 0)
    throw new Refusal(
      `The engine of ${name} does not translate ${source} to ${lacking.join(', ')}, so nothing was sent. Choose another provider, or leave those languages out with --target.`,
    )
}

/** Reports a missing or disabled provider before anything is sent. */
async function mustTake(hub: Connection, nameOrId: string): Promise<Provider> {
  const provider = await hub.findProviderNamed(nameOrId)
  if (provider.status === 'DISABLED')
    throw new HubError('PROVIDER_DISABLED', { providerId: provider.name })
  return provider
}

/** Without a name, there must be one enabled provider, and it is chosen. */
async function mustBeOne(hub: Connection): Promise<Provider> {
  const enabled: Provider[] = []
  for await (const provider of hub.each('listProviders'))
    if (provider.status === 'ENABLED') enabled.push(provider)
  const [only] = enabled
  if (only && enabled.length === 1) return only
  const names = enabled.map(({ name }) => name).join(', ') || 'none is enabled'
  throw new Refusal(
    `Specify the provider: --provider NAME, or provider in dragoman.yml. This site has: ${names}.`,
  )
}
