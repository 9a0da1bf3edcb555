/** One round: send, wait, download, approve. It uses the four modules beside it. */
import { setTimeout as delay } from 'node:timers/promises'
import { type Connection, HubError } from '@dragoman/sdk'
import { languages, readContent } from './read-content.js'
import { receiveDeliveries } from './receive-deliveries.js'
import { openHub, type Settings } from './remember-sent.js'
import { isSound, writeTranslation } from './write-translations.js'

/** How often to look without a delivery; a delivery ends the pause. In production, minutes. */
const pollMs = 500

export async function round(settings: Settings): Promise<string> {
  const { hub, flush } = openHub(settings)
  const bell = openBell()
  const stop = await receiveDeliveries(hub, bell.ring)
  try {
    const jobId = await send(hub, settings)
    while (!(await fetchReady(hub, jobId, settings))) await bell.wait(pollMs)
    const { statusCode } = await hub.findJob({ params: { jobId } })
    if (statusCode !== 'CANCELLED') await hub.completeJob({ params: { jobId } })
    return jobId
  } finally {
    await stop()
    await flush()
  }
}

async function send(hub: Connection, settings: Settings): Promise<string> {
  const items = await readContent()
  const provider = await hub.findProviderNamed('Pseudo')
  const { jobId } = await hub.createJob({
    body: { jobName: `${items.length} texts`, providerId: provider.id },
  })
  await hub.add(jobId, items, languages)
  for (;;)
    try {
      await hub.submitJob({ params: { jobId } })
      return jobId
    } catch (error) {
      if (!(error instanceof HubError) || error.code !== 'QUOTA_EXCEEDED') throw error
      // Unacknowledged updates count against this quota: handle them, then try again.
      await pollUpdates(hub, settings)
      await delay(pollMs)
    }
}

/**
 * Whether every translation has been written: updates first, then the job itself, because an update
 * may never have arrived.
 */
async function fetchReady(hub: Connection, jobId: string, settings: Settings): Promise<boolean> {
  await pollUpdates(hub, settings)
  let open = 0
  for await (const { requestId, statusCode } of hub.each('listRequests', { params: { jobId } })) {
    if (['TRANSLATION_APPROVED', 'CANCELLED'].includes(statusCode)) continue
    open += 1
    if (statusCode === 'REVIEW_TRANSLATION')
      await inActiveJob(hub, jobId, () => take(hub, jobId, requestId, settings))
  }
  return open === 0
}

/** The SDK acknowledges an update when this returns; if it throws, the update comes again. */
async function pollUpdates(hub: Connection, settings: Settings): Promise<void> {
  const onError = (error: unknown) => console.error(String(error))
  await hub.pollOnce(
    async ({ jobId, statusCode, requestIds, hasError, errorMessage }) => {
      if (hasError) console.error(`${jobId}: ${errorMessage}`)
      else if (statusCode === 'REVIEW_TRANSLATION')
        for (const requestId of requestIds ?? [])
          await inActiveJob(hub, jobId, () => take(hub, jobId, requestId, settings))
    },
    { ledger: true, onError },
  )
}

async function take(
  hub: Connection,
  jobId: string,
  requestId: string,
  { home }: Settings,
): Promise<void> {
  const request = await hub.findRequest({ params: { jobId, requestId } })
  // This connector sends texts only: a file was sent by another program that uses the same client.
  if (request.statusCode !== 'REVIEW_TRANSLATION' || request.fileName !== undefined) return
  const fields = await hub.fields(request)
  const translation = {
    id: request.sourceNativeId ?? requestId,
    language: request.targetNativeLanguageCode,
    fields,
  }
  if (!isSound(translation)) {
    await hub.rejectRequests({
      params: { jobId },
      body: { requestIds: [requestId], note: 'The translation is damaged.' },
    })
    return
  }
  await writeTranslation(home, translation)
  await hub.approve(jobId, [requestId])
}

/** Unarchives the job first if it was archived in the meantime. */
async function inActiveJob(
  hub: Connection,
  jobId: string,
  act: () => Promise<void>,
): Promise<void> {
  try {
    return await act()
  } catch (error) {
    if (!(error instanceof HubError) || error.code !== 'JOB_ARCHIVED') throw error
  }
  for (;;) {
    const { archiveStatus } = await hub.findJob({ params: { jobId } })
    if (archiveStatus === 'ACTIVE') return act()
    if (archiveStatus === 'ARCHIVED') await hub.unarchiveJob({ params: { jobId } })
    await delay(pollMs)
  }
}

/** A pause that a delivery ends early. */
function openBell(): { ring: () => void; wait: (ms: number) => Promise<void> } {
  let ring = () => {}
  return {
    ring: () => ring(),
    wait: async (ms) => {
      const rung = new Promise<void>((wake) => {
        ring = wake
      })
      await Promise.race([rung, delay(ms)])
    },
  }
}
