/**
 * What the sample of each error says in the blanks of its sentence, where it does not depend on the
 * call.
 */
import { type Also, type ErrorCode, limits, type QuotaName } from '@dragoman/contract'
import { sampleIds } from './reference/index.ts'

export type Facts = Readonly<Record<string, string | number>>

/** Blanks that mean the same in every sentence. */
export const commonFacts: Facts = {
  ...sampleIds,
  assetTaskId: sampleIds.requestId,
  id: sampleIds.analysisCodeId,
  clientId: 'acme-cms',
  siteId: 'acme',
  typeId: 'babelfish',
  email: 'ada@example.org',
  hours: 24,
  minutes: 10,
  seconds: 1,
}

export const factsByCode: Readonly<Partial<Record<ErrorCode, Facts>>> = {
  INVALID_LANGUAGE: { because: '"de-D" is not an accepted language code; the nearest is "de-DE".' },
  INVALID_FILTER: {
    because: "a literal in single quotes is expected, such as 'text',",
    position: 15,
  },
  INVALID_CURSOR: { because: 'it is damaged, or does not belong to this list.' },
  METADATA_INVALID: { because: 'brand is missing.' },
  LANGUAGES_UNSUPPORTED: { source: 'en-US', target: 'is-IS', known: 'en-US to de-DE, fr-FR' },
  PROVIDER_REQUIRED: { because: 'the site has 2 enabled providers, not exactly one' },
  ANALYSIS_CODE_INVALID: { because: 'level 1 has no code "MKT".' },
  PRICE_LIST_INVALID: { because: 'lines[0].unitPrice: has more than 4 decimal places' },
  LISTENER_URI_FORBIDDEN: {
    uri: 'http://10.0.0.8/updates',
    because:
      '10.0.0.8 is in a private network; an operator can allow it with DRAGOMAN_LISTENER_ALLOW.',
  },
  PASSWORD_WEAK: { because: 'it has fewer than 12 characters.' },
  PASSKEY_REFUSED: { because: 'it belongs to another address.' },
  UNAUTHORIZED: { because: 'send the header Authorization: Bearer <token>.' },
  SIGN_IN_NEEDED: { because: 'the session has ended.' },
  SIGN_IN_REFUSED: { because: 'the address or the password is wrong.' },
  FORBIDDEN: { because: 'client acme-cms may not call from 203.0.113.9.' },
  NOT_FOUND: { what: 'page' },
  PASSKEY_NOT_FOUND: { passkeyId: 'pK7sN2wQ' },
  PRICE_LIST_NOT_FOUND: { which: 'in force on 2026-03-02' },
  METHOD_NOT_ALLOWED: { method: 'PATCH', path: '/v2/quota', allowed: 'GET' },
  VERSION_CONFLICT: { sent: 3, version: 4 },
  NO_SEGMENTS: { because: 'the hub does not read files of its format.' },
  SEGMENTS_OPEN: { open: 3 },
  ALREADY_CLAIMED: { by: 'Ada' },
  NOT_IN_SHARE: { because: 'segment 12 is not in your share.' },
  ALREADY_SUPERSEDED: { by: sampleIds.requestId },
  JOB_ALREADY_SUBMITTED: { status: 'SENT_TO_PROVIDER' },
  JOB_NOT_SUBMITTED: { status: 'CREATED' },
  JOB_IN_PROGRESS: { status: 'IN_TRANSLATION' },
  JOB_ARCHIVED: { archiveStatus: 'ARCHIVED' },
  REQUEST_NOT_IN_REVIEW: { status: 'IN_TRANSLATION' },
  TRANSLATION_NOT_READY: { because: 'it is IN_TRANSLATION.' },
  UPLOAD_OFFSET_CONFLICT: { offset: 1_048_576, given: 0 },
  PROVIDER_IN_USE: { because: '3 jobs have it' },
  LISTENER_EXISTS: { type: 'JOB_STATUS_UPDATED' },
  TASK_RUNNING: { which: `Task ${sampleIds.taskId}` },
  OWN_ACCESS: { what: 'remove yourself' },
  UPSTREAM_LOOP: { because: 'it has been at this hub before, so the hubs send it in a circle.' },
  FINDING_WITHOUT_REMEDY: { advice: 'Ask the owner of the listener to correct its address.' },
  GONE: { call: 'GET /v2/statuscallbacks', successor: 'GET /v2/listeners' },
  TUS_VERSION_UNSUPPORTED: { given: '0.2.2', spoken: '1.0.0' },
  FILE_TOO_LARGE: { limit: limits.fileBytes, way: 'one file' },
  RANGE_NOT_SATISFIABLE: { size: 2_048 },
  MISDIRECTED_REQUEST: { host: 'old.example.org', because: 'DRAGOMAN_HOSTS does not name it.' },
  DELIVERY_INVALID: { because: 'it is not well-formed XML.' },
  CHECKS_FAILED: { count: 1 },
  PACKAGE_INVALID: { count: 1, first: 'page.html: segment 4 lacks a tag of its source' },
  TERM_LIST_INVALID: { because: 'line 3: the language "de-D" is not accepted' },
  RATE_LIMITED: { because: 'at most 200 per second from one address.' },
  CHECKSUM_MISMATCH: { algorithm: 'sha1' },
  NOT_IMPLEMENTED: { call: 'This extension of TUS' },
  FMS_UNAVAILABLE: { because: 'the file storage does not respond.' },
  SERVICE_UNAVAILABLE: { because: 'the database does not respond.' },
}

/** Members that the object of some errors has besides. */
export const alsoByCode: Readonly<Partial<Record<ErrorCode, Also>>> = {
  VERSION_CONFLICT: { current: { version: 4 } },
  SEGMENTS_OPEN: { open: 3 },
  ALREADY_CLAIMED: { by: { personId: sampleIds.personId, name: 'Ada' } },
  ALREADY_SUPERSEDED: { by: sampleIds.requestId },
  CHECKS_FAILED: {
    checks: [
      {
        segmentId: sampleIds.segmentId,
        check: 'numbers',
        severity: 'error',
        message: '30 is missing.',
      },
    ],
  },
  PACKAGE_INVALID: {
    problems: [
      { file: 'page.html', segmentId: sampleIds.segmentId, problem: 'lacks a tag of its source' },
    ],
  },
}

/** The quota that a call exceeds first; the bytes of the site where it is not named. */
export const quotaOfCall: Readonly<Record<string, QuotaName>> = {
  createProvider: 'MaxProvidersPerSite',
  createSourceFile: 'MaxOpenTransfersPerJob',
  createSourceContent: 'MaxSourceContentsPerJob',
  submitJob: 'MaxStatusUpdatesPerSite',
  addRequests: 'MaxReqsPerJob',
  addFileRequests: 'MaxReqsPerJob',
  createSupportAsset: 'MaxSupportAssetsPerJob',
  createTmUpdate: 'MaxTmUpdatesPerJob',
  createComment: 'MaxCommentsPerJob',
  createTaskComment: 'MaxCommentsPerJob',
  cancelJob: 'MaxCommentsPerJob',
  copyJob: 'MaxBytesPerSite',
  correctSegment: 'MaxBytesPerSite',
  deliverCorrections: 'MaxBytesPerSite',
  createMemoryImport: 'MaxOpenImportsPerSite',
  createTerm: 'MaxTermsPerSite',
  importTerms: 'MaxTermsPerSite',
  changeTerm: 'MaxTermBytesPerSite',
  createAnalysisCode: 'MaxAnalysisCodesPerSite',
  createPriceList: 'MaxPriceListsPerSite',
  createProviderListener: 'MaxProviderListeners',
  changeProviderListener: 'MaxProviderListeners',
}

/** What the token endpoints say with each error of RFC 6749 and RFC 7009. */
export const tokenSays: Readonly<Record<string, string>> = {
  invalid_request: 'A parameter appears more than once.',
  invalid_client: 'The client id, the secret or the certificate of the connection is wrong.',
  invalid_scope: 'This client has only content.',
  unsupported_grant_type: 'The only supported grant_type is client_credentials.',
  unauthorized_client: 'The token was issued to another client; only that client revokes it.',
  unsupported_token_type: 'The token was signed by another issuer; revoke it there.',
}
