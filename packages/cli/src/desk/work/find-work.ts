/** The hub, the flags and the asset tasks of the verbs of `dragoman work`. */
import { access } from 'node:fs/promises'
import { resolve } from 'node:path'
import { HubError } from '@dragoman/contract/wire'
import { connectProvider, type ProviderConnection, type Work } from '@dragoman/sdk'
import { Refusal, type Screen, text, UsageError } from '../../command.ts'
import {
  type HubFlags,
  hubHelp,
  hubOptions,
  joinAs,
  withVersions,
} from '../../connector/hub-connection.ts'

const usual = 'demo-provider'
export const options = { ...hubOptions, provider: text } as const
export const help = `  --provider NAME  the provider, by name or id (default: all that the client works for)
${hubHelp.replace('demo-connector', usual)}`

export type Flags = HubFlags & { provider?: string }
type WorkWanted = {
  readonly jobId: string
  readonly taskIds?: readonly string[]
  readonly all?: boolean
}

export async function withHub<T>(
  flags: Flags,
  screen: Screen,
  work: (hub: ProviderConnection) => Promise<T>,
): Promise<T> {
  const joined = await joinAs(connectProvider, flags, screen, usual)
  return withVersions(joined, () => work(joined.hub))
}

/** The named tasks of a job, or all that are open. */
export async function tasksOf(
  hub: ProviderConnection,
  { provider }: Flags,
  { jobId, taskIds = [], all }: WorkWanted,
): Promise<Work[]> {
  const found: Work[] = []
  const isAll = all || taskIds.length > 0
  for await (const one of hub.work({
    jobId,
    ...(provider !== undefined && { provider }),
    ...(isAll && { all: true }),
  }))
    if (taskIds.length === 0 || taskIds.includes(one.assetTaskId)) found.push(one)
  const missing = taskIds.find((id) => !found.some(({ assetTaskId }) => assetTaskId === id))
  if (missing !== undefined) throw new HubError('REQUEST_NOT_FOUND', { requestId: missing })
  return found
}

export function jobIn([jobId, ...rest]: readonly string[]): { jobId: string; rest: string[] } {
  if (!jobId) throw new UsageError('Specify a JOB, by its id; dragoman work list shows them.')
  return { jobId, rest }
}

export async function mustExist(screen: Screen, file: string): Promise<string> {
  const path = resolve(screen.cwd, file)
  await access(path).catch((error: Error) => {
    throw new Refusal(`${file} cannot be read: ${error.message}`)
  })
  return path
}
