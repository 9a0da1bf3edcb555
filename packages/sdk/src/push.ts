/**
 * A whole job in one call: creates, fills and submits it. With a key it may be called again after
 * any failure.
 */
import { HubError, type Job, type NewJob, type Provider } from '@dragoman/contract/wire'
import type { Calls, Each } from './client.ts'
import type { Add, AddOptions, Item } from './content.ts'

export type Push = Omit<AddOptions, 'onProgress'> &
  Omit<NewJob, 'sourceNativeLanguageCode' | 'targetNativeLanguageCodes' | 'providerId'> & {
    readonly items: readonly Item[]
    /** Id or name; optional if the site has exactly one. */
    readonly provider?: string
    readonly onProgress?: AddOptions['onProgress']
  }

export type PushJob = (push: Push) => Promise<Job>

export function openPush(calls: Calls, each: Each, add: Add): PushJob {
  return async (push) => {
    const {
      items,
      provider,
      source,
      targets,
      signal,
      key,
      onProgress,
      parallel,
      chunkBytes,
      ...fields
    } = push
    const options = { ...(signal && { signal }), ...(key !== undefined && { key }) }
    const providerId = provider === undefined ? undefined : (await findProvider(each, provider)).id
    const body = {
      ...fields,
      sourceNativeLanguageCode: source,
      targetNativeLanguageCodes: [...targets],
    }
    const { jobId } = await calls.createJob({ body }, options)
    await add(jobId, items, {
      source,
      targets,
      ...options,
      ...(onProgress && { onProgress }),
      ...(parallel !== undefined && { parallel }),
      ...(chunkBytes !== undefined && { chunkBytes }),
    })
    const submission = {
      params: { jobId },
      ...(providerId !== undefined && { body: { providerId } }),
    }
    return calls.submitJob(submission, signal && { signal })
  }
}

/** Looks for the id first, then for the name, ignoring case. */
export async function findProvider(each: Each, wanted: string): Promise<Provider> {
  const all: Provider[] = []
  for await (const provider of each('listProviders')) all.push(provider)
  const same = (name: string) => name.toLowerCase() === wanted.toLowerCase()
  const found = all.find(({ id }) => id === wanted) ?? all.find(({ name }) => same(name))
  if (found) return found
  throw new HubError('PROVIDER_NOT_FOUND', {
    providerId: `${wanted} (there are ${all.map((p) => p.name).join(', ')})`,
  })
}
