/**
 * One sample call for each row of the endpoint table, and for the calls outside it: the token, its
 * revocation, a resumable upload. Bodies and responses follow from the schemas; what differs from
 * call to call is in the tables below.
 */
import {
  type Endpoint,
  type EndpointName,
  endpoints,
  methodOf,
  pathOf,
  RevocationForm,
  statusOf,
  Token,
  TokenForm,
} from '@dragoman/contract'
import { sampleIds as ids } from './ids.ts'
import { sampleOf } from './sample-of.ts'
import { sampleValues } from './values.ts'

/** Calls that are not in the table. */
export const otherCalls = ['createToken', 'revokeToken', 'uploadByTus'] as const
export type SampleName = EndpointName | (typeof otherCalls)[number]

export type SampleCall = {
  readonly name: SampleName
  readonly method: string
  /** Below the URL of the hub, with sample ids: `/v2/jobs/k7Qm2xT9bW`. */
  readonly path: string
  /** The ids of the path. */
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string | readonly string[]>>
  /** Authorization is not among them: the code adds it. */
  readonly headers: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly status: number
  readonly answer?: unknown
  /** The form of the body; JSON by default. */
  readonly send?: 'form' | 'tus'
  /** The response is a file, or redirects to one. */
  readonly downloads?: string
  readonly gives?: true
  /** The name of a file that is the body. */
  readonly sends?: string
  /** The bytes of a file are sent to the fmsPostMultipartUrl of the response. */
  readonly uploads?: string
}

type Fields = Readonly<Record<string, unknown>>

const queries: Partial<Record<EndpointName, SampleCall['query']>> = {
  listJobs: { filter: "statusCode eq 'CREATED' and labels eq 'web'", orderBy: 'dueDate' },
  listArchivedJobs: { pageSize: '10' },
  listRequests: { statusCode: ['REVIEW_TRANSLATION'] },
  createSourceFile: { fileName: 'page.html' },
  listStatusUpdates: { since: '0' },
  listDeliveries: { state: ['PARKED'] },
  listSiteDeliveries: { state: ['PARKED'] },
  listAnalysisCodes: { includeHidden: 'true' },
  findCurrentPriceList: { at: '2026-03-02' },
  listCalls: { statusClass: 'failed' },
  listTimeline: { only: 'changes' },
  listAudit: { thing: 'client' },
  findReport: { from: '2026-03-01', to: '2026-03-31', by: 'provider' },
  listTasks: { state: 'parked' },
  listFindings: { severity: 'error' },
  listTerms: { language: 'de', text: 'invoice' },
  importTerms: { format: 'csv' },
  exportTerms: { format: 'tbx' },
  fillSegments: { dryRun: 'true' },
  listProviderWork: { state: ['RUNNING'], language: 'de-DE' },
  downloadTranslations: { approved: 'true' },
  downloadPackage: { format: 'xliff12', target: 'de-DE' },
  deliverPackage: { dryRun: 'true' },
  exportProviderTerms: { format: 'csv' },
  deleteTerm: { version: '1' },
  listMemoryUnits: { text: 'basket', in: 'source' },
  deleteMemoryUnit: { version: '1' },
  exportMemory: { sourceNativeLanguageCode: 'en-US', targetNativeLanguageCode: 'de-DE' },
  createMemoryImport: { sourceNativeLanguageCode: 'en-US', targetNativeLanguageCode: 'de-DE' },
}

const { requestName, sourceNativeId, sourceNativeLanguageCode, targetNativeLanguageCodes } =
  sampleValues
const languages = { sourceNativeLanguageCode, targetNativeLanguageCodes }
const fileRequest = { requestName, sourceNativeId, ...languages, fmsFileId: ids.fmsFileId }
const ofRequests = { requestIds: [ids.requestId] }
const bodies: Partial<Record<EndpointName, unknown>> = {
  addFileRequests: fileRequest,
  changeRequests: { ...ofRequests, requestsUpdate: { requestName: 'Home page' } },
  invokeProvider: { jobId: ids.jobId },
  changeAssetTask: { statusCode: 'TRANSLATION_SUBMITTED' },
  changeAssetTasks: {
    assetTaskIds: [ids.requestId],
    assetTasksUpdate: { statusCode: 'IN_TRANSLATION' },
  },
  putTranslatedContent: { fields: [{ key: 'title', value: 'Willkommen' }] },
  changeListener: { statusCodes: ['CANCELLED'] },
  changeProviderListener: { jobStatusCodes: ['SENDING_READY_FOR_RETRIEVE', 'CANCELLED'] },
  deliverSegments: {
    kept: [{ segmentId: ids.segmentId, check: 'tags.missing', reason: 'The name is next to it' }],
  },
  claimAssetTask: { personId: ids.personId },
  deliverCorrections: {
    kept: [{ segmentId: ids.segmentId, check: 'tags.missing', reason: 'The name is next to it' }],
  },
  copyJob: { jobName: 'Spring catalogue, French', targetNativeLanguageCodes: ['fr-FR'] },
  handOverTasks: { personId: ids.personId, assetTaskIds: [ids.requestId] },
  shareAssetTask: { shares: [{ personId: ids.personId, from: 1, to: 1 }] },
  fillSegments: { from: ['MEMORY', 'REPEATS'], minimum: 95, confirm: true },
  rotateKeys: { revoke: false },
  replaceRouting: {
    version: 0,
    rules: [
      {
        name: 'Contracts',
        when: { labels: 'legal', target: ['de', 'fr'] },
        providerId: ids.providerId,
      },
    ],
  },
  tryRouting: { jobId: ids.jobId },
  replaceCheckSettings: { numbers: 'BLOCKING', same: 'OFF' },
  createAnalysisCode: { level: 1, code: 'CC-100', label: 'Marketing' },
}

/** A job that has not been submitted has none of these. */
const created = {
  statusCode: 'CREATED',
  submitterId: undefined,
  submittedDate: undefined,
  providerId: undefined,
  providerReference: undefined,
  globalTrackingId: undefined,
  estimatedArchivalDate: undefined,
}
/** A new job also has only what it was created with. */
const brandNew = {
  ...created,
  modifiedDate: sampleValues.createdDate,
  activityDate: sampleValues.createdDate,
  description: undefined,
  poReference: undefined,
  connectorName: undefined,
  connectorVersion: undefined,
  serviceType: undefined,
  shouldQuote: undefined,
}
const createdRequest = { statusCode: 'CREATED', providerReference: undefined }

/**
 * Fields that differ from the sample of the schema; `undefined` leaves one out. For a collection,
 * they apply to each item.
 */
const answers: Partial<Record<EndpointName, Fields>> = {
  createJob: brandNew,
  listJobs: created,
  createPerson: { signsInBy: [], lastSignInDate: undefined },
  changePerson: { sites: [{ siteId: 'acme', roles: ['manager', 'reviewer'] }] },
  changeJob: { ...created, poReference: 'PO-1234' },
  replaceJob: created,
  submitJob: { statusCode: 'SENDING' },
  findJob: { statusCode: 'IN_TRANSLATION' },
  completeJob: { statusCode: 'COMPLETED' },
  planJob: { statusCode: 'IN_TRANSLATION' },
  cancelJob: { statusCode: 'CANCELLED' },
  copyJob: { ...created, jobName: 'Spring catalogue, French' },
  createComment: { state: 'OPEN', answer: undefined },
  createTaskComment: { state: 'OPEN', answer: undefined },
  deliverCorrections: { statusCode: 'REVIEW_TRANSLATION' },
  reopenJob: { statusCode: 'IN_TRANSLATION' },
  deleteJob: created,
  archiveJob: { statusCode: 'COMPLETED', archived: true, archiveStatus: 'ARCHIVING' },
  listArchivedJobs: { statusCode: 'COMPLETED', archived: true, archiveStatus: 'ARCHIVED' },
  unarchiveJob: { statusCode: 'COMPLETED', archived: false, archiveStatus: 'UNARCHIVING' },
  listRequests: { statusCode: 'REVIEW_TRANSLATION' },
  addRequests: {
    ...createdRequest,
    fileId: undefined,
    fileName: undefined,
    fileType: undefined,
    format: undefined,
    sourcecontentId: ids.sourcecontentId,
  },
  addFileRequests: createdRequest,
  changeRequests: createdRequest,
  changeRequest: createdRequest,
  updateFileContent: createdRequest,
  deleteRequest: createdRequest,
  approveRequests: { statusCode: 'TRANSLATION_APPROVED' },
  rejectRequests: { statusCode: 'TRANSLATION_REJECTED', rejectNote: sampleValues.rejectNote },
  findRequest: { statusCode: 'REVIEW_TRANSLATION' },
  createListener: { secret: sampleValues.secret },
  createProviderListener: { secret: sampleValues.secret },
  changeListener: { statusCodes: ['CANCELLED'] },
  changeProviderJob: { statusCode: 'IN_TRANSLATION' },
  changeAssetTasks: { statusCode: 'IN_TRANSLATION' },
  changeAssetTask: { statusCode: 'TRANSLATION_SUBMITTED', translatedFileId: ids.translatedFileId },
  putTranslatedContent: { statusCode: 'IN_TRANSLATION', fileId: undefined },
  listDeliveries: { state: 'PARKED' },
  listSiteDeliveries: { state: 'PARKED', nextAttemptTime: undefined },
  listTasks: { state: 'parked', tries: 12 },
  deleteAnalysisCode: { deleted: true },
  testProvider: { works: true },
}

/** The name of the file that a call downloads. */
const downloads: Partial<Record<EndpointName, string>> = {
  retrieveFile: 'page.de-DE.html',
  exportTerms: 'terms.tbx',
  exportMemory: 'memory.tmx',
  exportProviderTerms: 'terms.csv',
  downloadPackage: 'package.zip',
  downloadTranslations: 'translations.zip',
}
/** The file that is the body of a call, and its media type. */
const sentFiles: Partial<Record<EndpointName, { name: string; type: string }>> = {
  importTerms: { name: 'terms.csv', type: 'text/csv' },
  deliverPackage: { name: 'translated.zip', type: 'application/zip' },
}
const uploads: Partial<Record<EndpointName, string>> = {
  createSourceFile: 'page.html',
  createTranslatedFile: 'page.de-DE.html',
}

export function sampleCall(name: SampleName): SampleCall {
  if (name === 'createToken' || name === 'revokeToken' || name === 'uploadByTus')
    return others[name]()
  const endpoint: Endpoint = endpoints[name]
  const params = paramsOf(endpoint)
  const path = pathOf(endpoint).replace(/\{(\w+)\}/g, (_, id: string) =>
    encodeURIComponent(params[id] ?? ''),
  )
  const body = endpoint.body && (bodies[name] ?? sampleOf(endpoint.body, { as: 'body' }))
  const upload = uploads[name]
  const file = sentFiles[name]
  return {
    name,
    method: methodOf(endpoint),
    path: `/v2${path}`,
    params,
    query: queries[name] ?? {},
    headers: headersOf(body, file?.type),
    ...(body !== undefined && { body }),
    ...(file && { sends: file.name }),
    status: statusOf(endpoint),
    ...(endpoint.redirects || endpoint.gives
      ? { downloads: downloads[name] ?? 'page.html' }
      : { answer: answerOf(name, endpoint) }),
    ...(endpoint.gives && { gives: true }),
    ...(upload !== undefined && { uploads: upload }),
  }
}

function headersOf(body: unknown, fileType: string | undefined): Record<string, string> {
  const type = body === undefined ? fileType : 'application/json'
  return type === undefined ? {} : { 'Content-Type': type }
}

function paramsOf(endpoint: Endpoint): Record<string, string> {
  const { properties = {} } = (endpoint.params ?? {}) as { properties?: Record<string, object> }
  return Object.fromEntries(
    Object.entries(properties).map(([field, schema]) => [
      field,
      String(sampleOf(schema, { field, of: 'path' })),
    ]),
  )
}

function answerOf(name: EndpointName, { answers: schema, collection }: Endpoint): unknown {
  const sample = sampleOf(schema) as Fields
  const special = answers[name]
  const item = special
    ? Object.fromEntries(Object.entries({ ...sample, ...special }).filter(isThere))
    : sample
  return collection ? { pagination: {}, [collection]: [item] } : item
}

const isThere = ([, value]: [string, unknown]): boolean => value !== undefined

const credentials = { client_id: 'acme-cms', client_secret: String(sampleValues.clientSecret) }
const form = { 'Content-Type': 'application/x-www-form-urlencoded' }
const others: Record<(typeof otherCalls)[number], () => SampleCall> = {
  createToken: () => ({
    name: 'createToken',
    method: 'POST',
    path: '/connect/token',
    params: {},
    query: {},
    headers: form,
    body: { ...(sampleOf(TokenForm, { as: 'body' }) as object), ...credentials },
    send: 'form',
    status: 200,
    answer: sampleOf(Token),
  }),
  revokeToken: () => ({
    name: 'revokeToken',
    method: 'POST',
    path: '/connect/revocation',
    params: {},
    query: {},
    headers: form,
    body: {
      ...(sampleOf(RevocationForm, { as: 'body' }) as object),
      token: sampleValues.access_token,
      ...credentials,
    },
    send: 'form',
    status: 200,
    answer: {},
  }),
  uploadByTus: () => ({
    name: 'uploadByTus',
    method: 'POST',
    path: `/fms/tus/${ids.fmsFileId}`,
    params: { fmsFileId: ids.fmsFileId },
    query: {},
    headers: { 'Tus-Resumable': '1.0.0', sastoken: String(sampleValues.fmsSASToken) },
    send: 'tus',
    uploads: 'page.html',
    status: 201,
  }),
}
