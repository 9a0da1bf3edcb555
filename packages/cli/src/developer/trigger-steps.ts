/**
 * The steps of `dragoman trigger`: real calls of a connector and of a provider, each reported in
 * one line.
 */
import type { Connection } from '@dragoman/sdk'
import { sourceOf } from '@dragoman/sdk'
import { Refusal, type Screen } from '../command.ts'
import { waitFor } from '../waiting.ts'

export type World = {
  readonly screen: Screen
  readonly connector: Connection
  readonly provider: Connection
  readonly providerId: string
  readonly jobId: string
  readonly requestIds: readonly string[]
  readonly signal: AbortSignal
  readonly say: (line: string) => void
}
export type Step = (world: World) => Promise<void>

const languages = { source: 'en-us', targets: ['de-de', 'fr-fr'] } as const
const text = { title: 'Hello', body: 'Triggered by dragoman trigger.' }
const patienceMs = 30_000

/**
 * A draft with one text in two languages. `stuck` keeps it in SENDING, with a fault of the sandbox.
 */
export async function makeJob(
  { connector, say }: Pick<World, 'connector' | 'say'>,
  name: string,
  stuck: boolean,
): Promise<Pick<World, 'jobId' | 'requestIds'>> {
  const labels = stuck ? ['trigger', 'fault:stuck-sending'] : ['trigger']
  const { jobId } = await connector.createJob({ body: { jobName: `trigger ${name}`, labels } })
  const requests = await connector.add(jobId, [{ name: 'greeting', fields: text }], languages)
  const requestIds = requests.map(({ requestId }) => requestId)
  say(`created job ${jobId} with the requests ${requestIds.join(' and ')}`)
  return { jobId, requestIds }
}

const jobIs = async (
  { connector, jobId, screen, signal }: World,
  what: string,
  isSo: (job: JobFacts) => boolean,
) => {
  const found = await waitFor(
    screen,
    { what: `job ${jobId} to be ${what}`, forMs: patienceMs, everyMs: 100, signal },
    async () => {
      const job = await connector.findJob({ params: { jobId } })
      return isSo(job) ? job : undefined
    },
  )
  if (!found)
    throw new Refusal(
      `Job ${jobId} is not ${what} after 30 s; dragoman timeline ${jobId} shows why.`,
    )
}
type JobFacts = { statusCode: string; archiveStatus: string }

const submitOnly: Step = async ({ connector, jobId, providerId, say }) => {
  await connector.submitJob({ params: { jobId }, body: { providerId } })
  say(`submitted it to provider ${providerId}`)
}

const tasksOf = ({ providerId, jobId, requestIds }: World) => ({
  params: { providerId, jobId },
  ids: [...requestIds],
})

export const steps = {
  submitOnly,
  submit: async (world) => {
    await submitOnly(world)
    await jobIs(
      world,
      'SENT_TO_PROVIDER',
      ({ statusCode }) => !['CREATED', 'SENDING'].includes(statusCode),
    )
  },
  start: async (world) => {
    const { params, ids } = tasksOf(world)
    const body = { assetTaskIds: ids, assetTasksUpdate: { statusCode: 'IN_TRANSLATION' as const } }
    await world.provider.changeAssetTasks({ params, body })
    world.say('the provider started to translate')
  },
  deliver: async (world) => {
    const { params, ids } = tasksOf(world)
    for (const assetTaskId of ids)
      await world.provider.putTranslatedContent({
        params: { ...params, assetTaskId },
        body: {
          fields: Object.entries(text).map(([key, value]) => ({ key, value: `[${value}]` })),
        },
      })
    const body = {
      assetTaskIds: ids,
      assetTasksUpdate: { statusCode: 'TRANSLATION_SUBMITTED' as const },
    }
    await world.provider.changeAssetTasks({ params, body })
    world.say('the provider delivered the translations')
  },
  approve: async ({ connector, jobId, requestIds, say }) => {
    await connector.approve(jobId, requestIds)
    say('approved the translations')
  },
  reject: async ({ connector, jobId, requestIds, say }) => {
    await connector.rejectRequests({
      params: { jobId },
      body: { requestIds: [...requestIds], note: 'Triggered.' },
    })
    say('rejected the translations')
  },
  cancelRequest: async (world) => {
    const [first = ''] = world.requestIds
    const body = { assetTaskIds: [first], assetTasksUpdate: { statusCode: 'CANCELLED' as const } }
    await world.provider.changeAssetTasks({ params: tasksOf(world).params, body })
    world.say(`the provider cancelled request ${first}`)
  },
  cancelJob: async (world) => {
    const { params } = tasksOf(world)
    await world.provider.changeProviderJob({ params, body: { statusCode: 'CANCELLED' } })
    world.say('the provider cancelled the job')
  },
  failRequest: async (world) => {
    const [first = ''] = world.requestIds
    const { params } = tasksOf(world)
    const body = { hasError: true, errorMessage: 'Triggered by dragoman trigger.' }
    await world.provider.changeAssetTask({ params: { ...params, assetTaskId: first }, body })
    world.say(`the provider reported an error of request ${first}`)
  },
  failJob: async (world) => {
    const { params } = tasksOf(world)
    const body = { hasError: true, errorMessage: 'Triggered by dragoman trigger.' }
    await world.provider.changeProviderJob({ params, body })
    world.say('the provider reported an error of the job')
  },
  complete: async ({ connector, jobId, say }) => {
    await connector.completeJob({ params: { jobId } })
    say('completed the job')
  },
  archive: async (world) => {
    await world.connector.archiveJob({ params: { jobId: world.jobId } })
    world.say('archived the job')
    await jobIs(world, 'ARCHIVED', ({ archiveStatus }) => archiveStatus === 'ARCHIVED')
  },
  addSupportAsset: async ({ connector, jobId, say }) => {
    const { fmsFileId } = await connector.upload(jobId, sourceOf('style-guide.txt', 'Say you.'))
    const asset = await connector.createSupportAsset({ params: { jobId }, body: { fmsFileId } })
    say(`added support asset ${asset.supportassetId}`)
  },
  addTmUpdate: async ({ connector, jobId, say }) => {
    const { fmsFileId } = await connector.upload(jobId, sourceOf('memory.tmx', tmx))
    const codes = { sourceNativeLanguageCode: 'en-us', targetNativeLanguageCode: 'de-de' }
    const update = await connector.createTmUpdate({
      params: { jobId },
      body: { fmsFileId, ...codes },
    })
    say(`added TM update ${update.tmupdateId}`)
  },
  ask: async (world) => {
    const { commentId } = await world.provider.createTaskComment({
      params: tasksOf(world).params,
      body: { kind: 'QUESTION', to: 'CONNECTOR', text: 'Which tone should it have?' },
    })
    world.say(`the provider asked question ${commentId}`)
  },
  answer: async ({ connector, jobId, say }) => {
    const { comments } = await connector.listComments({ params: { jobId } })
    const { commentId = '' } = comments.find(({ state }) => state === 'OPEN') ?? {}
    await connector.answerComment({
      params: { jobId, commentId },
      body: { answer: { text: 'Friendly.' } },
    })
    say(`answered question ${commentId}`)
  },
} as const satisfies Readonly<Record<string, Step>>

const tmx = `<?xml version="1.0"?><tmx version="1.4"><header srclang="en-us" datatype="plaintext" segtype="sentence"
 creationtool="dragoman" creationtoolversion="1" o-tmf="none" adminlang="en"/><body><tu><tuv xml:lang="en-us"><seg>Hello</seg></tuv>
<tuv xml:lang="de-de"><seg>Hallo</seg></tuv></tu></body></tmx>`
