/**
 * How to call each endpoint so that it gets as far as looking up its ids, and in which order to
 * create everything.
 */
import { type EndpointName, endpoints } from '@dragoman/contract'
import { pack } from '../formats/pack.ts'
import { priceList } from '../price-list.ts'

export type Ids = Readonly<Record<string, string>>
export type Body = Record<string, unknown>

const fields = [{ key: 'a', value: 'b' }]
const pair = { sourceNativeLanguageCode: 'en-us', targetNativeLanguageCode: 'de-de' }
const translated = { target: ['x'], state: 'TRANSLATED', version: 0 }
const question = { kind: 'QUESTION', text: 'What is it?' }
/** One request; `content` is its content. */
export const request = (content: object) => ({
  requestName: 'r',
  sourceNativeId: 's',
  sourceNativeLanguageCode: 'en-us',
  targetNativeLanguageCodes: ['de-de'],
  ...content,
})

/** What a call needs besides its ids to get as far as looking them up. */
export const bodies: Partial<Record<EndpointName, (ids: Ids) => unknown>> = {
  // A fault in the body must not reveal that the client exists.
  changeClient: () => ({ allowFrom: ['nowhere'] }),
  createClient: (ids) => ({ clientId: `client-${ids.jobId}`, scopes: ['content'] }),
  createPerson: (ids) => ({
    name: 'x',
    email: `${ids.jobId}@example.org`,
    sites: [{ roles: ['viewer'] }],
  }),
  changePerson: () => ({ name: 'y' }),
  createProvider: () => ({ name: 'x', typeId: 'manual' }),
  changeProvider: () => ({ name: 'x' }),
  createJob: (ids) => ({ jobName: 'x', providerId: ids.providerId }),
  changeJob: () => ({ jobName: 'x' }),
  replaceJob: () => ({ jobName: 'x' }),
  addRequests: (ids) => request({ fmsFileId: ids.fmsFileId }),
  addFileRequests: (ids) => request({ fmsFileId: ids.fmsFileId }),
  changeRequests: (ids) => ({ requestIds: [ids.requestId], requestsUpdate: { requestName: 'x' } }),
  updateFileContent: (ids) => ({ requestIds: [ids.requestId], fmsFileId: ids.fmsFileId }),
  changeRequest: () => ({ requestName: 'x' }),
  createSourceContent: () => ({ fields }),
  replaceSourceContent: () => ({ fields }),
  invokeProvider: (ids) => ({ jobId: ids.sentJobId }),
  approveRequests: (ids) => ({ requestIds: [ids.requestId] }),
  rejectRequests: (ids) => ({ requestIds: [ids.requestId] }),
  changeAssetTasks: (ids) => ({
    assetTaskIds: [ids.assetTaskId],
    assetTasksUpdate: { statusCode: 'IN_TRANSLATION' },
  }),
  putTranslatedContent: () => ({ fields }),
  changeSegments: (ids) => ({ segments: [{ segmentId: ids.segmentId, ...translated }] }),
  changeSegment: () => translated,
  claimAssetTask: (ids) => ({ personId: ids.translatorId }),
  handOverTasks: (ids) => ({ personId: ids.translatorId, assetTaskIds: [ids.assetTaskId] }),
  shareAssetTask: (ids) => ({ shares: [{ personId: ids.translatorId, from: 1, to: 1 }] }),
  fillSegments: () => ({ from: ['MEMORY'] }),
  reviewSegment: () => ({ verdict: 'OK' }),
  correctSegment: () => ({ target: ['x'], version: 0 }),
  planJob: () => ({ description: 'x' }),
  cancelJob: () => ({ note: 'x' }),
  copyJob: () => ({ jobName: 'a copy' }),
  createComment: (ids) => ({ ...question, to: 'CONNECTOR', requestId: ids.requestId }),
  answerComment: () => ({ answer: { text: 'x' } }),
  createTaskComment: (ids) => ({ ...question, to: 'TEAM', requestId: ids.assetTaskId }),
  answerTaskComment: () => ({ answer: { text: 'x' } }),
  createListener: (ids) => ({ type: 'JOB_STATUS_UPDATED', uri: ids.uri, jobId: ids.jobId }),
  createProviderListener: (ids) => ({ jobUri: ids.uri, providerId: ids.providerId }),
  replaySiteDeliveries: (ids) => ({ filter: { listenerId: ids.listenerId }, mode: 'all' }),
  retryTasks: () => ({}),
  createAnalysisCode: (ids) => ({ ...(ids.id && { id: ids.id }), code: 'C-1', level: 1 }),
  changeAnalysisCode: () => ({ label: 'x' }),
  changeAnalysisLevel: () => ({ label: 'x' }),
  createPriceList: () => priceList,
  createTerm: () => ({ entries: [{ language: 'en', text: 'ours' }] }),
  importTerms: () => 'en\nours\n',
  deliverPackage: () =>
    pack([{ name: 'de-de/r.xml', content: '<content><field key="a">b</field></content>' }]),
  changeTerm: () => ({ version: 1, definition: 'x' }),
  replaceCheckSettings: () => ({ numbers: 'OFF' }),
  replaceRouting: (ids) => ({ version: 0, rules: [{ name: 'All', providerId: ids.providerId }] }),
  tryRouting: (ids) => ({ jobId: ids.jobId }),
  findKnownContent: () => ({
    items: [{ sourceNativeId: 'a', sha256: '0'.repeat(64) }],
    targetNativeLanguageCodes: ['de-de'],
  }),
  checkTranslation: () => ({
    sourceNativeLanguageCode: 'en-us',
    targetNativeLanguageCode: 'de-de',
    source: ['Save'],
    target: ['Speichern'],
  }),
  changeSiteSettings: () => ({ timeZone: 'Asia/Tokyo' }),
  replaceFormatOptions: () => ({ json: { keys: ['title'] } }),
  createSupportAsset: (ids) => ({ fmsFileId: ids.fmsFileId }),
  findMatches: () => ({ ...pair, text: 'a' }),
  lookUpTerms: () => ({ ...pair, text: 'a' }),
  createMemoryUnit: () => ({ ...pair, source: 'a', target: 'b' }),
  changeMemoryUnit: () => ({ version: 1, target: 'c' }),
  createMemoryImport: (ids) => ({ fmsFileId: ids.fmsFileId }),
  createTmUpdate: (ids) => ({
    fmsFileId: ids.fmsFileId,
    sourceNativeLanguageCode: 'en-us',
    targetNativeLanguageCode: 'de-de',
  }),
}
export const queries: Partial<Record<EndpointName, Record<string, string>>> = {
  createSourceFile: { fileName: 'a.txt' },
  importTerms: { format: 'csv' },
  exportTerms: { format: 'csv' },
  exportProviderTerms: { format: 'csv' },
  deleteTerm: { version: '1' },
}
export const keyOf = (name: EndpointName): string => `the-key-of-${name}`

const ofReview: readonly EndpointName[] = ['correctSegment', 'deliverCorrections']

/** The path of an endpoint. The provider side has the submitted job, and its own listeners. */
export function pathOf(name: EndpointName, ids: Ids): string {
  const path = endpoints[name].call.split(' ')[1] ?? ''
  const own = {
    ...ids,
    ...(path.startsWith('/providers/{providerId}/jobs') && { jobId: ids.sentJobId ?? '' }),
    // Their request is in review.
    ...(ofReview.includes(name) && {
      jobId: ids.sentJobId ?? '',
      requestId: ids.assetTaskId ?? '',
    }),
    ...(path.startsWith('/listeners') && { listenerId: ids.providerListenerId ?? '' }),
  }
  return `/v2${path.replace(/\{(\w+)\}/g, (_, param: string) => (own as Ids)[param] ?? 'missing')}`
}

/** One POST after another, and the ids in each response that later ones use. */
export const making: readonly [EndpointName, (answer: Body) => Record<string, unknown>][] = [
  ['createProvider', ({ id }) => ({ providerId: id })],
  ['testProvider', () => ({})],
  ['createJob', ({ jobId }) => ({ jobId })],
  ['createSourceFile', ({ fmsFileId }) => ({ fmsFileId, fileId: fmsFileId })],
  ['createSourceContent', ({ sourcecontentId }) => ({ sourcecontentId })],
  ['addRequests', ({ requests }) => ({ requestId: (requests as Body[])[0]?.requestId })],
  ['addFileRequests', () => ({})],
  ['createComment', ({ commentId }) => ({ commentId })],
  ['copyJob', () => ({})],
  [
    'createSupportAsset',
    ({ supportassetId }) => ({ supportassetId, supportAssetId: supportassetId }),
  ],
  ['createTmUpdate', ({ tmupdateId }) => ({ tmupdateId })],
  ['createListener', ({ listenerId }) => ({ listenerId })],
  ['testListener', ({ deliveryId }) => ({ deliveryId })],
  ['replayDeliveries', () => ({})],
  ['createProviderListener', ({ listenerId }) => ({ providerListenerId: listenerId })],
  ['testProviderListener', () => ({})],
  ['replayProviderDeliveries', () => ({})],
  ['replaySiteDeliveries', () => ({})],
  ['retryTask', () => ({})],
  ['retryTasks', () => ({})],
  ['createAnalysisCode', ({ id }) => ({ id })],
  ['createTerm', ({ termId }) => ({ termId })],
  ['importTerms', () => ({})],
  ['createMemoryUnit', ({ unitId }) => ({ unitId })],
  ['createMemoryImport', ({ importId }) => ({ importId })],
  ['checkTranslation', () => ({})],
  ['findMatches', () => ({})],
  ['lookUpTerms', () => ({})],
  ['tryRouting', () => ({})],
  ['findKnownContent', () => ({})],
  ['createPriceList', ({ priceListId }) => ({ priceListId })],
  ['createClient', ({ clientId }) => ({ clientId })],
  ['rotateClientSecret', () => ({})],
  ['createPerson', ({ personId }) => ({ personId })],
  ['linkPerson', () => ({})],
  ['createTranslatedFile', () => ({})],
  ['createTaskComment', () => ({})],
  ['claimAssetTask', () => ({})],
  ['handOverTasks', () => ({})],
  ['shareAssetTask', () => ({})],
  ['fillSegments', () => ({})],
  ['releaseAssetTask', () => ({})],
  ['deliverSegments', () => ({})],
  ['deliverPackage', () => ({})],
  ['deliverCorrections', () => ({})],
  ['invokeProvider', () => ({})],
  ['remedyFinding', () => ({})],
]
