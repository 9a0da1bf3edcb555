/**
 * A call for each PATCH, PUT and DELETE of the interface, by the endpoint table, and for each
 * operation of the SOAP service that writes: what it changes, and what its repetition may answer if
 * the first call took effect.
 */
import { type EndpointName, endpointNames, endpoints } from '@dragoman/contract'
import { openSession } from '../../packages/server/src/domain/people/sessions.ts'
import { enrolClient } from '../../packages/server/src/domain/sites/enrol-client.ts'
import { operations } from '../../packages/server/src/doors/soap/operations.ts'
import type { TestHub } from '../hub.ts'
import { until } from '../hub-place.ts'
import { soapCall } from '../soap/soap-call.ts'
import type { openSamples } from './post-samples.ts'

export type Write = {
  /** Relative to /v2. */
  readonly path: string
  readonly body?: unknown
  readonly as?: string
  /** A status that a repetition may have besides 200. */
  readonly again?: number
  /**
   * Each call makes a status update, the same one again as well (contract, section 5: fail and
   * deliver).
   */
  readonly tellsEachTime?: true
  /** Whether it has taken effect. */
  holds(): Promise<boolean>
}
export type SoapWrite = { readonly inside: string; holds(): Promise<boolean> }

export const writers = endpointNames.filter((name) =>
  /^(?:PATCH|PUT|DELETE) /.test(endpoints[name].call),
)
export const soapWriters = Object.keys(operations).filter((name) => !name.startsWith('Get'))

type Stage = ReturnType<typeof openSamples>
type Got = Record<string, unknown>
const admin = 'demo-admin'
const translator = 'demo-provider'

export function openWrites(hub: TestHub, stage: Stage, uri: string) {
  const { call, newJob, newFile, request, provider, unique } = stage
  const read = async (path: string, who?: string): Promise<Got> =>
    (await call<Got>('GET', path, undefined, who)).body
  const isGone = async (path: string, who?: string) =>
    (await call('GET', path, undefined, who)).status === 404
  const field = async (path: string, name: string, who?: string) => (await read(path, who))[name]
  const ask = async (method: string, path: string, body?: unknown, who?: string): Promise<Got> => {
    const answer = await call<Got>(method, path, body, who)
    if (answer.status >= 300)
      throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer.body
  }

  /** A job with two requests that was not sent. */
  const filled = async () => {
    const jobId = await newJob()
    const { requests } = await ask('POST', `/jobs/${jobId}/requests/add`, request())
    const ids = (requests as { requestId: string }[]).map(({ requestId }) => requestId)
    return { job: `/jobs/${jobId}`, jobId, ids, one: `/jobs/${jobId}/requests/${ids[0]}` }
  }
  /** A job at the provider that is worked by hand. */
  const sent = async () => {
    const made = await filled()
    const providerId = await provider('Manual')
    await ask('PUT', `${made.job}/submit`, { providerId })
    await until(
      'the provider has the job',
      async () => (await field(made.job, 'statusCode')) === 'SENT_TO_PROVIDER',
    )
    const theirs = `/providers/${providerId}/jobs/${made.jobId}`
    return { ...made, providerId, theirs, task: `${theirs}/assetTasks/${made.ids[0]}` }
  }
  const fields = [{ key: 'a', value: 'Text' }]
  const translated = async () => {
    const made = await sent()
    for (const id of made.ids)
      await ask('PUT', `${made.theirs}/assetTasks/${id}/translatedContent`, { fields }, translator)
    return made
  }
  const inReview = async () => {
    const made = await translated()
    const body = {
      assetTaskIds: made.ids,
      assetTasksUpdate: { statusCode: 'TRANSLATION_SUBMITTED' },
    }
    await ask('PATCH', `${made.theirs}/assetTasks`, body, translator)
    return made
  }
  const draft = { target: ['Text'], state: 'DRAFT', version: 0 }
  /** A job at the provider, and the segments of its first task. */
  const atDesk = async () => {
    const made = await sent()
    const { segments } = await read(`${made.task}/segments`, translator)
    return { ...made, segments: segments as { segmentId: string; version: number }[] }
  }
  const isWritten = async (task: string): Promise<boolean> => {
    const { segments } = await read(`${task}/segments`, translator)
    return (segments as { version: number }[])[0]?.version === 1
  }
  const unitsWith = async (text: string) =>
    ((await read(`/settings/memory/units?text=${text}`, admin)) as { units: { target: string }[] })
      .units
  const newUnit = async () => {
    const text = `unit${unique()}`
    const languages = { sourceNativeLanguageCode: 'en-us', targetNativeLanguageCode: 'de-de' }
    const { unitId } = await ask(
      'POST',
      '/settings/memory/units',
      { ...languages, source: text, target: 'x' },
      admin,
    )
    return { text, path: `/settings/memory/units/${unitId}` }
  }
  const completed = async () => {
    const made = await inReview()
    await ask('PUT', `${made.job}/requests/approve`, { requestIds: made.ids })
    await ask('PUT', `${made.job}/complete`)
    return made
  }
  const archiveStatus = (job: string, is: string) => async () =>
    (await field(job, 'archiveStatus')) === is
  const newCode = async () =>
    String(
      (await ask('POST', '/settings/analysiscodes', { code: `W-${unique()}`, level: 1 }, admin)).id,
    )
  const newTerm = async () => {
    const entries = [{ language: 'en', text: 'written' }]
    return `/settings/terms/${(await ask('POST', '/settings/terms', { entries }, admin)).termId}`
  }
  const newClient = async () => {
    const clientId = `write-${unique()}`
    await ask('POST', '/clients', { clientId, scopes: ['content'] }, admin)
    return `/clients/${clientId}`
  }
  const newPerson = async () => {
    const body = {
      name: 'Write',
      email: `write-${unique()}@example.org`,
      sites: [{ roles: ['viewer'] }],
    }
    return String((await ask('POST', '/people', body, admin)).personId)
  }
  const levelLabel = async (level: number): Promise<unknown> => {
    const { levels } = await read('/settings/analysiscodes', admin)
    return (levels as { level: number; label?: string }[]).find((one) => one.level === level)?.label
  }
  /**
   * Cancelling, failing and starting a job of the provider all go the same way; a failure is the
   * one that is told each time.
   */
  const failure = () => `The engine failed ${unique()}`

  const rest: Partial<Record<EndpointName, () => Promise<Write>>> = {
    changeJob: async () => {
      const { job } = await filled()
      return {
        path: job,
        body: { jobName: 'Changed' },
        holds: async () => (await field(job, 'jobName')) === 'Changed',
      }
    },
    replaceJob: async () => {
      const { job } = await filled()
      return {
        path: job,
        body: { jobName: 'Changed' },
        holds: async () => (await field(job, 'jobName')) === 'Changed',
      }
    },
    deleteJob: async () => {
      const { job } = await filled()
      return { path: job, again: 404, holds: () => isGone(job) }
    },
    submitJob: async () => {
      const { job } = await filled()
      const body = { providerId: await provider('Manual') }
      const holds = async () => (await field(job, 'statusCode')) === 'SENT_TO_PROVIDER'
      return { path: `${job}/submit`, body, again: 409, holds }
    },
    completeJob: async () => {
      const { job, ids } = await inReview()
      await ask('PUT', `${job}/requests/approve`, { requestIds: ids })
      return {
        path: `${job}/complete`,
        holds: async () => (await field(job, 'statusCode')) === 'COMPLETED',
      }
    },
    reopenJob: async () => {
      const { job } = await completed()
      return {
        path: `${job}/intranslation`,
        holds: async () => (await field(job, 'statusCode')) !== 'COMPLETED',
      }
    },
    archiveJob: async () => {
      const { job } = await completed()
      return { path: `${job}/archive`, holds: archiveStatus(job, 'ARCHIVED') }
    },
    unarchiveJob: async () => {
      const { job } = await completed()
      await ask('PUT', `${job}/archive`)
      await until('it is archived', archiveStatus(job, 'ARCHIVED'))
      return {
        path: `${job}/unarchive`,
        holds: async () => (await field(job, 'archived')) === false,
      }
    },
    changeRequests: async () => {
      const { job, ids, one } = await filled()
      const body = { requestIds: ids, requestsUpdate: { requestName: 'changed' } }
      return {
        path: `${job}/requests`,
        body,
        holds: async () => (await field(one, 'requestName')) === 'changed',
      }
    },
    changeRequest: async () => {
      const { one } = await filled()
      const holds = async () => (await field(one, 'requestName')) === 'changed'
      return { path: one, body: { requestName: 'changed' }, holds }
    },
    updateFileContent: async () => {
      const { job, jobId } = await filled()
      const { requests } = await ask(
        'POST',
        `${job}/requests/add`,
        request({ fmsFileId: await newFile(jobId) }),
      )
      const [{ requestId = '' } = {}] = requests as { requestId: string }[]
      const fmsFileId = await newFile(jobId)
      const holds = async () =>
        (await field(`${job}/requests/${requestId}`, 'fileId')) === fmsFileId
      return {
        path: `${job}/requests/updatefilecontent`,
        body: { requestIds: [requestId], fmsFileId },
        holds,
      }
    },
    deleteRequest: async () => {
      const { one } = await filled()
      return { path: one, again: 404, holds: () => isGone(one) }
    },
    approveRequests: async () => {
      const { job, ids, one } = await inReview()
      const holds = async () => (await field(one, 'statusCode')) === 'TRANSLATION_APPROVED'
      return { path: `${job}/requests/approve`, body: { requestIds: ids }, again: 409, holds }
    },
    rejectRequests: async () => {
      const { job, ids, one } = await inReview()
      const holds = async () => (await field(one, 'statusCode')) === 'TRANSLATION_REJECTED'
      return {
        path: `${job}/requests/reject`,
        body: { requestIds: ids, note: 'Short.' },
        again: 409,
        holds,
      }
    },
    replaceSourceContent: async () => {
      const jobId = await newJob()
      const { sourcecontentId } = await ask('POST', `/jobs/${jobId}/sourcecontent`, { fields })
      const path = `/jobs/${jobId}/sourcecontent/${sourcecontentId}`
      const holds = async () => JSON.stringify(await read(path)).includes('Other text')
      return { path, body: { fields: [{ key: 'a', value: 'Other text' }] }, holds }
    },
    deleteSupportAsset: async () => {
      const jobId = await newJob()
      const { supportassetId } = await ask('POST', `/jobs/${jobId}/supportassets`, {
        fmsFileId: await newFile(jobId),
      })
      const path = `/jobs/${jobId}/supportassets/${supportassetId}`
      return { path, again: 404, holds: () => isGone(path) }
    },
    acknowledgeStatusUpdate: async () => {
      await inReview()
      const { statusupdates } = await read('/statusupdates')
      const updateId = (statusupdates as { updateId: string }[])[0]?.updateId ?? ''
      const open = async () =>
        (await read('/statusupdates')).statusupdates as { updateId: string }[]
      const holds = async () => !(await open()).some((update) => update.updateId === updateId)
      return { path: `/statusupdates/${updateId}/acknowledge`, holds }
    },
    changeListener: async () => {
      const path = `/statusupdates/listeners/${await stage.newListener(uri)}`
      return {
        path,
        body: { disabled: true },
        holds: async () => (await field(path, 'disabled')) === true,
      }
    },
    deleteListener: async () => {
      const path = `/statusupdates/listeners/${await stage.newListener(uri)}`
      return { path, again: 404, holds: () => isGone(path) }
    },
    changeProvider: async () => {
      const { id } = await ask('POST', '/providers', { name: 'Changing', typeId: 'manual' }, admin)
      const path = `/providers/${id}`
      const name = `Changed ${unique()}`
      return {
        as: admin,
        path,
        body: { name },
        holds: async () => (await field(path, 'name', admin)) === name,
      }
    },
    deleteProvider: async () => {
      const { id } = await ask('POST', '/providers', { name: 'Leaving', typeId: 'manual' }, admin)
      const path = `/providers/${id}`
      return { as: admin, path, again: 404, holds: () => isGone(path, admin) }
    },
    changeProviderJob: async () => {
      const { theirs } = await sent()
      const errorMessage = failure()
      const holds = async () =>
        (await field(theirs, 'latestErrorMessage', translator)) === errorMessage
      return {
        as: translator,
        path: theirs,
        body: { hasError: true, errorMessage },
        tellsEachTime: true,
        holds,
      }
    },
    acknowledgeProviderJob: async () => {
      const { theirs } = await sent()
      const holds = async () => (await field(theirs, 'isAcknowledged', translator)) === true
      return { as: translator, path: `${theirs}/acknowledge`, holds }
    },
    changeAssetTasks: async () => {
      const { theirs, ids, one } = await translated()
      const body = { assetTaskIds: ids, assetTasksUpdate: { statusCode: 'TRANSLATION_SUBMITTED' } }
      const holds = async () => (await field(one, 'statusCode')) === 'REVIEW_TRANSLATION'
      return { as: translator, path: `${theirs}/assetTasks`, body, tellsEachTime: true, holds }
    },
    changeAssetTask: async () => {
      const { task } = await sent()
      const errorMessage = failure()
      const holds = async () =>
        (await field(task, 'latestErrorMessage', translator)) === errorMessage
      return {
        as: translator,
        path: task,
        body: { hasError: true, errorMessage },
        tellsEachTime: true,
        holds,
      }
    },
    changeSegments: async () => {
      const { task, segments } = await atDesk()
      const body = { segments: segments.map(({ segmentId }) => ({ segmentId, ...draft })) }
      return {
        as: translator,
        path: `${task}/segments`,
        body,
        again: 409,
        holds: () => isWritten(task),
      }
    },
    changeSegment: async () => {
      const { task, segments } = await atDesk()
      const path = `${task}/segments/${segments[0]?.segmentId}`
      return { as: translator, path, body: draft, again: 409, holds: () => isWritten(task) }
    },
    reviewSegment: async () => {
      const { one } = await inReview()
      const { segments } = (await read(`${one}/segments`)) as {
        segments: { segmentId: string; state: string }[]
      }
      const path = `${one}/segments/${segments[0]?.segmentId}/review`
      const state = async () =>
        ((await read(`${one}/segments`)) as { segments: { state: string }[] }).segments[0]?.state
      return { path, body: { verdict: 'WRONG' }, holds: async () => (await state()) === 'REJECTED' }
    },
    planJob: async () => {
      const { job } = await sent()
      const holds = async () => (await field(job, 'description')) === 'Planned'
      return { as: admin, path: `${job}/plan`, body: { description: 'Planned' }, holds }
    },
    cancelJob: async () => {
      const { job } = await sent()
      const holds = async () => (await field(job, 'statusCode')) === 'CANCELLED'
      return { as: admin, path: `${job}/cancel`, body: { note: 'It is over' }, holds }
    },
    correctSegment: async () => {
      const { one } = await inReview()
      const first = async () =>
        ((await read(`${one}/segments`)) as { segments: Got[] }).segments[0] ?? {}
      const { segmentId, version } = await first()
      const body = { target: ['Corrected'], version }
      const holds = async () => JSON.stringify((await first()).correction) === '["Corrected"]'
      return { path: `${one}/segments/${segmentId}`, body, holds }
    },
    answerComment: async () => {
      const { job, theirs } = await sent()
      const question = { kind: 'QUESTION', to: 'CONNECTOR', text: 'Which?' }
      const { commentId } = await ask('POST', `${theirs}/comments`, question, translator)
      const answered = async () =>
        ((await read(`${job}/comments`)) as { comments: Got[] }).comments[0]?.state === 'ANSWERED'
      const path = `${job}/comments/${commentId}`
      return { path, body: { answer: { text: 'This' } }, again: 409, holds: answered }
    },
    answerTaskComment: async () => {
      const { theirs } = await sent()
      const question = { kind: 'QUESTION', to: 'TEAM', text: 'Which?' }
      const { commentId } = await ask('POST', `${theirs}/comments`, question, translator)
      const list = async () =>
        ((await read(`${theirs}/comments`, translator)) as { comments: Got[] }).comments
      return {
        as: translator,
        path: `${theirs}/comments/${commentId}`,
        body: { answer: { text: 'This' } },
        again: 409,
        holds: async () => (await list())[0]?.state === 'ANSWERED',
      }
    },
    putTranslatedContent: async () => {
      const { task, ids } = await sent()
      const { read: rows } = hub.inner.db
      const holds = async () => {
        const row = rows
          .selectFrom('requests')
          .select('incoming_content_id')
          .where('request_id', '=', ids[0] ?? '')
        return (await row.executeTakeFirstOrThrow()).incoming_content_id !== null
      }
      return { as: translator, path: `${task}/translatedContent`, body: { fields }, holds }
    },
    changeProviderListener: async () => {
      const path = `/listeners/${await stage.newProviderListener(uri)}`
      const holds = async () => (await field(path, 'disabled', translator)) === true
      return { as: translator, path, body: { disabled: true }, holds }
    },
    deleteProviderListener: async () => {
      const path = `/listeners/${await stage.newProviderListener(uri)}`
      return { as: translator, path, again: 404, holds: () => isGone(path, translator) }
    },
    changeAnalysisCode: async () => {
      const path = `/settings/analysiscodes/${await newCode()}`
      const holds = async () => (await field(path, 'label', admin)) === 'Changed'
      return { as: admin, path, body: { label: 'Changed' }, holds }
    },
    deleteAnalysisCode: async () => {
      const path = `/settings/analysiscodes/${await newCode()}`
      return { as: admin, path, again: 404, holds: () => isGone(path, admin) }
    },
    changeTerm: async () => {
      const path = await newTerm()
      const holds = async () => (await field(path, 'definition', admin)) === 'Changed'
      return { as: admin, path, body: { version: 1, definition: 'Changed' }, again: 409, holds }
    },
    deleteTerm: async () => {
      const path = await newTerm()
      return { as: admin, path: `${path}?version=1`, again: 404, holds: () => isGone(path, admin) }
    },
    changeMemoryUnit: async () => {
      const { path, text } = await newUnit()
      const target = `Changed ${unique()}`
      const body = { version: 1, target }
      return {
        as: admin,
        path,
        body,
        again: 409,
        holds: async () => (await unitsWith(text))[0]?.target === target,
      }
    },
    deleteMemoryUnit: async () => {
      const { path, text } = await newUnit()
      return {
        as: admin,
        path,
        again: 404,
        holds: async () => (await unitsWith(text)).length === 0,
      }
    },
    changeAnalysisLevel: async () => {
      const label = `Level ${unique()}`
      const holds = async () => (await levelLabel(2)) === label
      return {
        as: admin,
        path: '/settings/analysislevels/2',
        body: { label, visible: true },
        holds,
      }
    },
    changeSiteSettings: async () => {
      const path = '/settings/site'
      const zones = ['Europe/Berlin', 'Asia/Tokyo']
      const now = (await read(path, admin)) as { timeZone: string }
      const timeZone = zones.find((zone) => zone !== now.timeZone) ?? 'UTC'
      const holds = async () => ((await read(path, admin)) as typeof now).timeZone === timeZone
      return { as: admin, path, body: { timeZone }, holds }
    },
    replaceFormatOptions: async () => {
      const key = `key${unique()}`
      const path = '/settings/formatoptions'
      const holds = async () => JSON.stringify(await read(path, admin)).includes(key)
      return { as: admin, path, body: { json: { keys: [key] } }, holds }
    },
    replaceRouting: async () => {
      const path = '/settings/routing'
      const { version } = (await read(path, admin)) as { version: number }
      await ask('PUT', path, { version, rules: [] }, admin)
      const rules = [{ name: 'Marked', providerId: await provider('Manual') }]
      const holds = async () => JSON.stringify(await read(path, admin)).includes('Marked')
      return { as: admin, path, body: { version: version + 1, rules }, holds, again: 409 }
    },
    replaceCheckSettings: async () => {
      const path = '/settings/checks'
      await ask('PUT', path, {}, admin)
      const holds = async () => JSON.stringify(await read(path, admin)).includes('numbers')
      return { as: admin, path, body: { numbers: 'BLOCKING' }, holds }
    },
    changeClient: async () => {
      const path = await newClient()
      const holds = async () =>
        JSON.stringify(await field(path, 'allowFrom', admin)) === '["192.0.2.0/24"]'
      return { as: admin, path, body: { allowFrom: ['192.0.2.0/24'] }, holds }
    },
    deleteClient: async () => {
      const path = await newClient()
      return { as: admin, path, again: 404, holds: () => isGone(path, admin) }
    },
    changePerson: async () => {
      const path = `/people/${await newPerson()}`
      const holds = async () => (await field(path, 'name', admin)) === 'Changed'
      return { as: admin, path, body: { name: 'Changed' }, holds }
    },
    deletePerson: async () => {
      const path = `/people/${await newPerson()}`
      return { as: admin, path, again: 404, holds: () => isGone(path, admin) }
    },
    endSession: async () => {
      const personId = await newPerson()
      const { session } = await hub.inner.db.transact(async (tx) => {
        const row = tx.selectFrom('people').selectAll().where('person_id', '=', personId)
        return openSession(hub.inner, tx, await row.executeTakeFirstOrThrow(), {
          address: '127.0.0.1',
        })
      })
      const holds = async () =>
        !JSON.stringify(await read('/sessions', admin)).includes(session.session_id)
      return { as: admin, path: `/sessions/${session.session_id}`, again: 404, holds }
    },
    deleteSite: async () => {
      const siteId = `gone-${unique()}`
      await enrolClient(hub.inner, { siteId, clientId: `${siteId}-admin`, scopes: ['admin'] })
      const site = hub.inner.db.read
        .selectFrom('sites')
        .select('removing_at')
        .where('site_id', '=', siteId)
      const holds = async () => (await site.executeTakeFirst())?.removing_at !== null
      return { as: 'demo-operator', path: `/sites/${siteId}`, again: 404, holds }
    },
  }

  const codeHas = (id: string, name: string, is: unknown) => async () =>
    (await field(`/settings/analysiscodes/${id}`, name, admin)) === is
  const soap: Readonly<Record<string, () => Promise<SoapWrite>>> = {
    SetOrganisationAnalysisCode: async () => {
      const id = await newCode()
      const { code } = await read(`/settings/analysiscodes/${id}`, admin)
      const inside = `<AnalysisCode><ID>${id}</ID><Code>${code}</Code><Label>Soap</Label><Level>1</Level></AnalysisCode>`
      return { inside, holds: codeHas(id, 'label', 'Soap') }
    },
    SetOrganisationAnalysisCodeLabel: async () => {
      const id = await newCode()
      const inside = `<AnalysisCodeID>${id}</AnalysisCodeID><Label>Soap</Label>`
      return { inside, holds: codeHas(id, 'label', 'Soap') }
    },
    SetOrganisationAnalysisCodesLevel: async () => {
      const id = await newCode()
      const inside = `<AnalysisCodeIDs><string>${id}</string></AnalysisCodeIDs><Level>3</Level>`
      return { inside, holds: codeHas(id, 'level', 3) }
    },
    SetOrganisationAnalysisCodeVisiblity: async () => {
      const id = await newCode()
      const inside = `<AnalysisCodeID>${id}</AnalysisCodeID><Visible>false</Visible>`
      return { inside, holds: codeHas(id, 'visible', false) }
    },
    SetOrganisationAnalysisCodeLevelVisibility: async () => {
      const label = `Soap ${unique()}`
      const inside = `<Level>3</Level><Visible>true</Visible><Label>${label}</Label>`
      return { inside, holds: async () => (await levelLabel(3)) === label }
    },
    DeleteOrganisationAnalysisCode: async () => {
      const id = await newCode()
      const holds = () => isGone(`/settings/analysiscodes/${id}`, admin)
      return { inside: `<AnalysisCodeID>${id}</AnalysisCodeID>`, holds }
    },
    SetOrganisationPriceList: async () => {
      const name = `Soap ${unique()}`
      const languages = '<SourceLanguage>*</SourceLanguage><TargetLanguage>*</TargetLanguage>'
      const line = `<PriceLine><Service>Translation</Service>${languages}<Unit>Word</Unit><UnitPrice>1</UnitPrice></PriceLine>`
      const band = '<Band><Name>New</Name><Kind>New</Kind><Factor>1</Factor></Band>'
      const dates = '<ValidFrom>2024-01-01</ValidFrom>'
      const inside = `<PriceList><Name>${name}</Name><Currency>EUR</Currency>${dates}<Bands>${band}</Bands><Lines>${line}</Lines></PriceList>`
      return {
        inside,
        holds: async () => JSON.stringify(await read('/settings/pricelists', admin)).includes(name),
      }
    },
  }

  return {
    rest,
    soap,
    send: (name: EndpointName, { path, body, as = 'demo-connector' }: Write) =>
      call(endpoints[name].call.split(' ')[0] ?? '', path, body, as),
    sendSoap: (name: string, { inside }: SoapWrite, headers: Record<string, string>) =>
      soapCall(hub, name, inside, { headers }),
  }
}
