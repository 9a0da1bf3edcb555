/**
 * What the sample calls need to succeed: for each call, the real ids that replace the sample ones.
 * Calls that move or remove a thing get their own.
 */
import { type EndpointName, endpoints } from '@dragoman/contract'
import { type SampleName, sampleCall, sampleIds } from '@dragoman/docs/reference'
import { openSession } from '../packages/server/src/domain/people/sessions.ts'
import type { CallOptions, TestHub } from './hub.ts'
import { until } from './hub-place.ts'
import { parkTask } from './parked-task.ts'
import { priceList } from './price-list.ts'

type Json = Record<string, unknown>
/** Sample texts and the real texts that replace them. */
export type Places = Readonly<Record<string, string>>
type Ids = Record<string, string>

export type SampleStage = {
  /** What replaces the sample texts in the code of this call. */
  placesOf(name: SampleName): Promise<Places>
}

const as = 'demo-admin'
const sampleToken = String((sampleCall('revokeToken').body as Json).token)
const sampleSas = String(sampleCall('uploadByTus').headers.sastoken)
const { client_secret: sampleSecret = '' } = sampleCall('createToken').body as Record<
  string,
  string
>

const moves: Partial<
  Record<SampleName, 'sent' | 'translated' | 'review' | 'completed' | 'archived'>
> = {
  invokeProvider: 'sent',
  completeJob: 'sent',
  approveRequests: 'review',
  rejectRequests: 'review',
  retrieveFile: 'review',
  retrieveContent: 'review',
  reopenJob: 'completed',
  archiveJob: 'completed',
  unarchiveJob: 'archived',
  changeAssetTask: 'translated',
  listRequestSegments: 'review',
  reviewSegment: 'review',
  correctSegment: 'review',
  deliverCorrections: 'review',
  planJob: 'sent',
  cancelJob: 'sent',
  answerComment: 'sent',
  findReviewPlan: 'review',
}

const isContent = (name: SampleName): boolean =>
  name === 'putTranslatedContent' || name === 'retrieveContent'
const stageOf = (name: SampleName) => {
  const isProviders =
    name in endpoints &&
    endpoints[name as EndpointName].call.includes('/providers/{providerId}/jobs')
  return moves[name] ?? (isProviders ? 'sent' : undefined)
}
/** These calls use up their job. */
const uses =
  /^(delete|submit|complete|reopen|archive|unarchive|approve|reject|changeAsset|changeProviderJob|put|changeSegment|deliver|claim|reviewSegment|plan|cancel|correct|answer)/

export async function openSampleStage(hub: TestHub): Promise<SampleStage> {
  const call = async <T = Json>(route: string, options: CallOptions = {}): Promise<T> => {
    const [method = '', path = ''] = route.split(' ')
    const { status, body } = await hub.call<T>(method, path, { as, ...options })
    if (status >= 300) throw new Error(`${route} answered ${status} ${JSON.stringify(body)}`)
    return body
  }
  const { providers } = await call<{ providers: { id: string; typeId: string }[] }>(
    'GET /v2/providers',
  )
  const pseudo = providers.find(({ typeId }) => typeId === 'pseudo')?.id ?? ''
  const newProvider = async (): Promise<string> =>
    String((await call('POST /v2/providers', { body: { name: 'People', typeId: 'manual' } })).id)
  const own = await newProvider()
  let count = 0

  /** Uploads a file; returns its id. */
  const upload = async (route: string, query?: { fileName: string }): Promise<string> => {
    const transfer = await call<Record<string, string>>(route, query && { query })
    const form = new FormData()
    // With a tag, as the samples of segments have one.
    form.set('file', new Blob(['<p>Hello {name}</p>']), 'page.html')
    const { status } = await fetch(transfer.fmsPostMultipartUrl ?? '', {
      method: 'POST',
      body: form,
    })
    if (status !== 201) throw new Error(`the upload answered ${status}`)
    return transfer.fmsFileId ?? ''
  }

  /** A job with one of everything; with `content`, its request has key-value content. */
  async function newJob(content: boolean): Promise<Ids> {
    const { jobId } = await call<Ids>('POST /v2/jobs', { body: { jobName: 'x' } })
    const job = `/v2/jobs/${jobId}`
    const fmsFileId = await upload(`POST ${job}/sourcefiles`, { fileName: 'page.html' })
    const fields = [{ key: 'title', value: 'Hello' }]
    const languages = { sourceNativeLanguageCode: 'en-US', targetNativeLanguageCodes: ['de-DE'] }
    const item = {
      requestName: 'x',
      sourceNativeId: 'x',
      ...languages,
      ...(content ? { fields } : { fmsFileId }),
    }
    const { requests } = await call<{ requests: Ids[] }>(`POST ${job}/requests/add`, { body: item })
    const { sourcecontentId } = await call<Ids>(`POST ${job}/sourcecontent`, { body: { fields } })
    const { supportassetId } = await call<Ids>(`POST ${job}/supportassets`, { body: { fmsFileId } })
    const pair = { sourceNativeLanguageCode: 'en-US', targetNativeLanguageCode: 'de-DE' }
    const { tmupdateId } = await call<Ids>(`POST ${job}/tmupdates`, {
      body: { ...pair, fmsFileId },
    })
    const requestId = requests[0]?.requestId
    return { jobId, fmsFileId, requestId, sourcecontentId, supportassetId, tmupdateId } as Ids
  }

  async function submitted(ids: Ids, providerId: string, status: string): Promise<Ids> {
    await call(`PUT /v2/jobs/${ids.jobId}/submit`, { body: { providerId } })
    await until(`the job is ${status}`, async () => {
      await hub.advance('10s')
      const { requests } = await call<{ requests: Ids[] }>(`GET /v2/jobs/${ids.jobId}/requests`)
      return requests[0]?.statusCode === status
    })
    return { ...ids, providerId }
  }

  /** Calls that only read, or that can be repeated, share a job. */
  const shared = new Map<string, Promise<Ids>>()
  const jobFor = (name: SampleName): Promise<Ids> => {
    const kind = `${stageOf(name)} ${isContent(name)}`
    const found = (uses.test(name) ? undefined : shared.get(kind)) ?? makeJob(name)
    if (!uses.test(name)) shared.set(kind, found)
    return found
  }

  async function makeJob(name: SampleName): Promise<Ids> {
    const move = stageOf(name)
    const ids = await newJob(isContent(name))
    if (move === undefined) return { ...ids, providerId: own }
    if (move === 'review') return submitted(ids, pseudo, 'REVIEW_TRANSLATION')
    const sent = await submitted(ids, own, 'SENT_TO_PROVIDER')
    const job = `/v2/jobs/${sent.jobId}`
    if (move === 'translated')
      await upload(
        `POST /v2/providers/${own}/jobs/${sent.jobId}/assetTasks/${sent.requestId}/translatedFile`,
      )
    if (move === 'completed' || move === 'archived') await call(`PUT ${job}/complete`)
    if (move === 'archived') {
      await call(`PUT ${job}/archive`)
      await hub.advance('10s')
    }
    return sent
  }

  /** One listener of each side, with a delivery. */
  const listenerFor = (name: SampleName): Promise<Ids> => {
    const path = name.includes('Provider') ? '/v2/listeners' : '/v2/statusupdates/listeners'
    const found = shared.get(path) ?? makeListener(path)
    shared.set(path, found)
    return found
  }

  async function makeListener(path: string): Promise<Ids> {
    const uri = 'http://127.0.0.1:9/'
    const body = path === '/v2/listeners' ? { jobUri: uri } : { type: 'JOB_STATUS_UPDATED', uri }
    const { listenerId = '' } = await call<Ids>(`POST ${path}`, { body })
    const { deliveryId = '' } = await call<Ids>(`POST ${path}/${listenerId}/test`)
    return { listenerId, deliveryId }
  }

  /** A status update that nobody has acknowledged. */
  async function updateFor(): Promise<Ids> {
    await jobFor('approveRequests')
    const { statusupdates } = await call<{ statusupdates: Ids[] }>('GET /v2/statusupdates')
    return { updateId: statusupdates[0]?.updateId ?? '' }
  }

  async function personFor(name: SampleName): Promise<Ids> {
    const gets = ['claimAssetTask', 'handOverTasks', 'shareAssetTask']
    const roles = [gets.includes(name) ? 'admin' : 'viewer']
    const body = { name: 'x', email: `p${count}@example.org`, sites: [{ roles }] }
    const { personId = '' } = await call<Ids>('POST /v2/people', { body })
    const { session } = await hub.inner.db.transact(async (tx) => {
      const person = await tx
        .selectFrom('people')
        .selectAll()
        .where('person_id', '=', personId)
        .executeTakeFirstOrThrow()
      return openSession(hub.inner, tx, person, { address: '127.0.0.1' })
    })
    return { personId, sessionId: session.session_id }
  }

  async function findingFor(): Promise<Ids> {
    const taskId = await parkTask(hub, { site_id: 'demo' })
    const { findings } = await call<{ findings: Ids[] }>('GET /v2/findings', {
      query: { rule: 'parked-task' },
    })
    return { findingId: findings.find(({ thingId }) => thingId === taskId)?.findingId ?? '' }
  }

  const unit = () => ({
    ...{ sourceNativeLanguageCode: 'en-US', targetNativeLanguageCode: 'de-DE' },
    ...{ source: `Text ${count}`, target: 'x' },
  })

  /** A segment of the request; before a delivery, one that is translated. */
  async function segmentFor(
    name: SampleName,
    { providerId, jobId, requestId }: Ids,
  ): Promise<string> {
    const request = `/v2/jobs/${jobId}/requests/${requestId}`
    const task = `/v2/providers/${providerId}/jobs/${jobId}/assetTasks/${requestId}`
    const path = moves[name] === 'review' || name === 'createComment' ? request : task
    const { segments } = await call<{ segments: Ids[] }>(`GET ${path}/segments`)
    const segmentId = segments[0]?.segmentId ?? ''
    const body = { target: ['Hallo'], state: 'TRANSLATED', version: 0 }
    if (name === 'deliverSegments') await call(`PUT ${task}/segments/${segmentId}`, { body })
    return segmentId
  }

  /** A question to the side that answers in the call. */
  async function commentFor(name: SampleName, { jobId }: Ids): Promise<string> {
    const to = name === 'answerTaskComment' ? 'TEAM' : 'CONNECTOR'
    const body = { kind: 'QUESTION', to, text: 'Which?' }
    const made = await call<Ids>(`POST /v2/jobs/${jobId}/comments`, { body })
    return made.commentId ?? ''
  }

  async function idsFor(name: SampleName): Promise<Ids> {
    const { path, body } = sampleCall(name)
    const text = `${path} ${JSON.stringify(body ?? '')}`
    const has = (id: keyof typeof sampleIds) => text.includes(sampleIds[id])
    const ids: Ids = { providerId: name === 'deleteProvider' ? await newProvider() : own }
    if (has('jobId') || has('requestId') || has('fmsFileId') || name === 'uploadByTus')
      Object.assign(ids, await jobFor(name))
    if (has('findingId')) Object.assign(ids, await findingFor())
    else if (has('listenerId') || has('deliveryId')) Object.assign(ids, await listenerFor(name))
    if (has('updateId')) Object.assign(ids, await updateFor())
    if (has('personId') || has('sessionId')) Object.assign(ids, await personFor(name))
    if (has('taskId')) ids.taskId = await parkTask(hub, { site_id: 'demo' })
    if (has('analysisCodeId'))
      ids.analysisCodeId = String(
        (await call('POST /v2/settings/analysiscodes', { body: { level: 2, code: `C${count}` } }))
          .id,
      )
    if (has('priceListId') || name === 'findCurrentPriceList' || name === 'quoteJob')
      ids.priceListId = String(
        (await call('POST /v2/settings/pricelists', { body: priceList })).priceListId,
      )
    if (has('termId')) {
      const entries = [{ language: 'en', text: `term ${count}` }]
      ids.termId = String((await call('POST /v2/settings/terms', { body: { entries } })).termId)
    }
    if (has('segmentId')) ids.segmentId = await segmentFor(name, ids)
    if (has('commentId')) ids.commentId = await commentFor(name, ids)
    if (has('unitId'))
      ids.unitId =
        (await call<Ids>('POST /v2/settings/memory/units', { body: unit() })).unitId ?? ''
    if (has('importId')) {
      const { fmsFileId } = await jobFor(name)
      ids.importId =
        (await call<Ids>('POST /v2/settings/memory/imports', { body: { fmsFileId } })).importId ??
        ''
    }
    if (has('traceId'))
      ids.traceId = await until('a call is in the log', async () => {
        const { calls } = await call<{ calls: Ids[] }>('GET /v2/calls')
        return calls[0]?.traceId
      })
    return ids
  }

  /** Clients, sites, secrets and other texts that are not ids. */
  async function textsFor(name: SampleName, ids: Ids): Promise<Places> {
    const clientId = `cms-${count}`
    if (name === 'createToken')
      return { 'acme-cms': 'demo-connector', [sampleSecret]: 'demo-connector-secret' }
    if (name === 'createPerson') return { 'ada@example.org': `a${count}@example.org` }
    if (name === 'createAnalysisCode') return { 'CC-100': `CC-${count}` }
    if (name === 'uploadByTus') {
      const transfer = await call<Ids>(`POST /v2/jobs/${ids.jobId}/sourcefiles`, {
        query: { fileName: 'page.html' },
      })
      return {
        [sampleIds.fmsFileId]: transfer.fmsFileId ?? '',
        [sampleSas]: transfer.fmsSASToken ?? '',
      }
    }
    if (name === 'createClient') return { 'acme-cms': clientId }
    if (name === 'deleteSite') {
      const body = { clientId, siteId: `site-${count}`, scopes: ['admin'] }
      await call('POST /v2/clients', { as: 'demo-operator', body })
      return { acme: `site-${count}` }
    }
    const { clientSecret = '' } = await call<Ids>('POST /v2/clients', {
      body: { clientId, scopes: ['content'] },
    })
    if (name === 'revokeToken') {
      const token = await hub.token(clientId, clientSecret)
      return { 'acme-cms': clientId, [sampleSecret]: clientSecret, [sampleToken]: token }
    }
    return { 'acme-cms': clientId }
  }

  return {
    placesOf: async (name) => {
      count += 1
      const ids = await idsFor(name)
      const known = Object.entries(sampleIds).flatMap(([id, sample]) =>
        ids[id] ? [[sample, ids[id]]] : [],
      )
      return { ...Object.fromEntries(known), ...(await textsFor(name, ids)) }
    },
  }
}

/** The code with the real texts; the longest are replaced first, as one may be part of another. */
export function placed(code: string, places: Places): string {
  const samples = Object.entries(places).sort(([one], [other]) => other.length - one.length)
  return samples.reduce(
    (text, [sample, real]) =>
      text.replaceAll(new RegExp(`${sample.replace(/[.-]/g, '\\$&')}(?![\\w-])`, 'g'), real),
    code,
  )
}
