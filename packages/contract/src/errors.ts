/**
 * Every error of the hub: its code, its HTTP status and its sentence. REST, SOAP, the SDK and
 * docs/errors.md read this table. The throwing code must fill every `{blank}` of a sentence; the
 * compiler checks it. Contract, sections 3 (Errors) and 11 (Codes).
 */
export const errors = {
  // 400: the call itself is wrong
  INVALID_REQUEST: { status: 400, says: 'The request body is not valid: {because}' },
  INVALID_PARAMETER: { status: 400, says: 'A parameter is not valid: {because}' },
  INVALID_LANGUAGE: {
    status: 400,
    says: 'The language is not accepted: {because}',
  },
  INVALID_FILTER: {
    status: 400,
    says: 'The filter is not valid: {because} at position {position}.',
  },
  INVALID_CURSOR: {
    status: 400,
    says: 'The cursor is not valid: {because} Send the cursor of the last response unchanged, or omit it to start from the beginning.',
  },
  METADATA_INVALID: {
    status: 400,
    says: 'The extendedMetadata does not match the schema of the provider: {because}',
  },
  LANGUAGES_UNSUPPORTED: {
    status: 400,
    says: 'The engine of provider {providerId} does not translate {source} to {target}; it translates {known}. Choose another provider, or remove those requests.',
  },
  PROVIDER_REQUIRED: {
    status: 400,
    says: 'providerId is required: job {jobId} has none, and {because}.',
  },
  ANALYSIS_CODE_INVALID: { status: 400, says: 'An analysis code is not valid: {because}' },
  PRICE_LIST_INVALID: { status: 400, says: 'The price list is not valid: {because}' },
  LISTENER_URI_FORBIDDEN: {
    status: 400,
    says: 'The hub must not call {uri}: {because} Use a publicly reachable http or https URL.',
  },

  PASSWORD_WEAK: { status: 400, says: 'The password is not accepted: {because}' },
  PASSKEY_REFUSED: { status: 400, says: 'The passkey is not accepted: {because}' },

  // 401, 403: who is calling
  UNAUTHORIZED: { status: 401, says: 'The call needs a valid access token: {because}' },
  SIGN_IN_NEEDED: { status: 401, says: 'Sign in first: {because}' },
  SIGN_IN_REFUSED: { status: 401, says: 'The sign-in was refused: {because}' },
  SECOND_STEP_NEEDED: {
    status: 401,
    says: 'The password is right, but this account needs a second step: a passkey or a recovery code.',
  },
  FORBIDDEN: { status: 403, says: 'The caller may not do this: {because}' },
  CONFIRM_NEEDED: {
    status: 403,
    says: 'Confirm that it is you with your password or passkey, then repeat the call. A confirmation lasts {minutes} minutes.',
  },
  INSECURE_SIGN_IN: {
    status: 403,
    says: 'Sign-in is refused on this connection: it is plain http, so others on the network could read your password and take over the session. Serve HTTPS (DRAGOMAN_TLS_CERT and DRAGOMAN_TLS_KEY), or put a proxy with HTTPS in front of the hub and name it in DRAGOMAN_TRUST_PROXY. DRAGOMAN_PLAIN_HTTP_SIGN_IN=on allows it anyway.',
  },
  PERSON_SHARED: {
    status: 403,
    says: 'Person {personId} also has roles outside this site, so only an operator may do this. You can change the roles in your own site.',
  },

  // 404, 405: the target does not exist (or belongs to another site, with the same answer)
  NOT_FOUND: { status: 404, says: 'There is no {what} here.' },
  JOB_NOT_FOUND: { status: 404, says: 'There is no job {jobId} on this site.' },
  REQUEST_NOT_FOUND: { status: 404, says: 'There is no request {requestId} in this job.' },
  COMMENT_NOT_FOUND: { status: 404, says: 'There is no comment {commentId} in this job.' },
  SEGMENT_NOT_FOUND: { status: 404, says: 'There is no segment {segmentId} in this content.' },
  PROVIDER_NOT_FOUND: { status: 404, says: 'There is no provider {providerId} on this site.' },
  PROVIDER_TYPE_NOT_FOUND: { status: 404, says: 'This hub has no provider type {typeId}.' },
  FILE_NOT_FOUND: { status: 404, says: 'There is no file {fmsFileId} in this job.' },
  SOURCE_CONTENT_NOT_FOUND: {
    status: 404,
    says: 'There is no source content {sourcecontentId} in this job.',
  },
  SUPPORT_ASSET_NOT_FOUND: {
    status: 404,
    says: 'There is no support asset {supportassetId} in this job.',
  },
  TM_UPDATE_NOT_FOUND: { status: 404, says: 'There is no TM update {tmupdateId} in this job.' },
  STATUS_UPDATE_NOT_FOUND: {
    status: 404,
    says: 'There is no status update {updateId} for this client.',
  },
  LISTENER_NOT_FOUND: { status: 404, says: 'There is no listener {listenerId} for this client.' },
  DELIVERY_NOT_FOUND: { status: 404, says: 'There is no delivery {deliveryId} here.' },
  TASK_NOT_FOUND: {
    status: 404,
    says: 'There is no task {taskId}. A task that is done no longer exists.',
  },
  CLIENT_NOT_FOUND: { status: 404, says: 'There is no client {clientId} on this site.' },
  PERSON_NOT_FOUND: { status: 404, says: 'There is no person {personId} on this site.' },
  SESSION_NOT_FOUND: { status: 404, says: 'There is no open session {sessionId} here.' },
  PASSKEY_NOT_FOUND: { status: 404, says: 'You have no passkey {passkeyId}.' },
  LINK_NOT_FOUND: {
    status: 404,
    says: 'This link cannot be used: it was used before, has expired or was replaced. Ask an admin for a new one; on the machine of the hub, dragoman people link prints one.',
  },
  SITE_NOT_FOUND: { status: 404, says: 'There is no site {siteId}.' },
  FINDING_NOT_FOUND: {
    status: 404,
    says: 'There is no finding {findingId}; GET /findings lists the current ones.',
  },
  ANALYSIS_CODE_NOT_FOUND: { status: 404, says: 'There is no analysis code {id} on this site.' },
  TERM_NOT_FOUND: { status: 404, says: 'There is no term {termId} on this site.' },
  PRICE_LIST_NOT_FOUND: { status: 404, says: 'There is no price list {which} on this site.' },
  MEMORY_UNIT_NOT_FOUND: {
    status: 404,
    says: 'There is no unit {unitId} in the translation memory of this site.',
  },
  MEMORY_IMPORT_NOT_FOUND: { status: 404, says: 'There is no import {importId} on this site.' },
  CALL_NOT_FOUND: {
    status: 404,
    says: 'There is no call {traceId} in the call log, which goes back 7 days.',
  },
  METHOD_NOT_ALLOWED: {
    status: 405,
    says: '{method} is not allowed on {path}; allowed: {allowed}.',
  },

  // 409: the target is in the wrong state
  VERSION_CONFLICT: {
    status: 409,
    says: 'Somebody else changed it: you sent version {sent}, but its version is now {version}. Merge your change into `current`, and send it with that version.',
  },
  NO_SEGMENTS: {
    status: 409,
    says: 'Asset task {assetTaskId} has no segments: {because} Download the source and deliver a file.',
  },
  COMMENT_ANSWERED: {
    status: 409,
    says: 'Question {commentId} is answered already. Write another comment if there is more to say.',
  },
  NOT_A_QUESTION: {
    status: 409,
    says: 'Comment {commentId} is a note: only a question has an answer. Write another comment.',
  },
  CONTENT_ERASED: {
    status: 409,
    says: 'The source content of request {requestId} was erased, so that it cannot be copied. Send it again in a new job.',
  },
  SEGMENTS_OPEN: {
    status: 409,
    says: 'Segments that are not TRANSLATED yet: {open}. Finish them, then deliver.',
  },
  ALREADY_CLAIMED: {
    status: 409,
    says: 'Asset task {assetTaskId} is claimed by {by}. Ask them to release it, or ask a provider-manager to reassign it.',
  },
  NOT_IN_SHARE: {
    status: 409,
    says: 'Asset task {assetTaskId} is shared between people: {because} Ask a provider-manager to change the shares.',
  },
  INVALID_TRANSITION: {
    status: 409,
    says: '{thing} {id} is {status}; {move} is allowed only from {from}.',
  },
  JOB_ALREADY_SUBMITTED: {
    status: 409,
    says: 'Job {jobId} has been submitted (it is {status}) and cannot be changed.',
  },
  JOB_NOT_SUBMITTED: {
    status: 409,
    says: 'Job {jobId} is {status}, so it is not with a provider.',
  },
  JOB_COMPLETED: {
    status: 409,
    says: 'Job {jobId} is completed and accepts no more translations; its owner can reopen it.',
  },
  JOB_IN_PROGRESS: {
    status: 409,
    says: 'Job {jobId} is in progress ({status}); complete it first, or wait until it is completed or cancelled.',
  },
  JOB_ARCHIVED: {
    status: 409,
    says: 'Job {jobId} is archived ({archiveStatus}); unarchive it and wait until it is ACTIVE.',
  },
  ALREADY_SUPERSEDED: {
    status: 409,
    says: 'Request {requestId} is already superseded by request {by}; supersede that one instead.',
  },
  JOB_EMPTY: {
    status: 409,
    says: 'Job {jobId} has no requests; add at least one before you submit it.',
  },
  REQUEST_NOT_IN_REVIEW: {
    status: 409,
    says: 'Request {requestId} is {status}, not REVIEW_TRANSLATION; nothing was changed.',
  },
  TRANSLATION_NOT_READY: {
    status: 409,
    says: 'Request {requestId} has no translation: {because}',
  },
  TRANSLATION_IS_FILE: {
    status: 409,
    says: 'Request {requestId} is a file; download its translation with GET /jobs/{jobId}/requests/{requestId}/retrievefile.',
  },
  FILE_NOT_UPLOADED: {
    status: 409,
    says: 'File {fmsFileId} is not fully uploaded; upload its bytes first.',
  },
  FILE_ALREADY_UPLOADED: {
    status: 409,
    says: 'File {fmsFileId} is already uploaded; request a new transfer object to upload another.',
  },
  UPLOAD_OFFSET_CONFLICT: {
    status: 409,
    says: 'The upload is at byte {offset}, not at {given}; continue from there.',
  },
  PROVIDER_DISABLED: {
    status: 409,
    says: 'Provider {providerId} is disabled; enable it or choose another.',
  },
  PROVIDER_IN_USE: {
    status: 409,
    says: 'Provider {providerId} cannot be removed: {because}. Disable it, so that it gets no new jobs.',
  },
  LISTENER_EXISTS: {
    status: 409,
    says: 'This client already has a listener of type {type} ({listenerId}); change or delete that one.',
  },
  MEMORY_UNIT_EXISTS: {
    status: 409,
    says: 'The translation memory already has this source, in unit {unitId}; change that one.',
  },
  QUOTA_EXCEEDED: { status: 409, says: '{quota} is {limit}; with this call it would be {count}.' },
  TASK_RUNNING: {
    status: 409,
    says: '{which} cannot be retried while it runs; wait until the run ends.',
  },
  LAST_ADMIN: {
    status: 409,
    says: 'Client {clientId} is the last enabled admin of its site; add another admin first.',
  },
  LAST_OPERATOR: {
    status: 409,
    says: 'Client {clientId} is the last enabled operator of this hub; add another operator first.',
  },
  CLIENT_EXISTS: {
    status: 409,
    says: 'The client id "{clientId}" is already in use; ids are unique across all sites.',
  },
  PERSON_EXISTS: {
    status: 409,
    says: 'Another person already has the address {email}; look for it in the list of people.',
  },
  OWN_ACCESS: {
    status: 409,
    says: 'You cannot {what}: you would lock yourself out. Another admin or an operator can.',
  },
  LAST_WAY_IN: {
    status: 409,
    says: 'This is your only way to sign in; set a password or add another passkey first.',
  },
  UPSTREAM_LOOP: {
    status: 409,
    says: 'The job cannot be sent on: {because} Correct the provider of the type upstream that sent it.',
  },
  SITE_REMOVED: {
    status: 409,
    says: 'Site {siteId} is being removed; choose another name, or wait until it is gone.',
  },
  FINDING_GONE: {
    status: 409,
    says: 'Finding {findingId} no longer applies; nothing was done.',
  },
  FINDING_WITHOUT_REMEDY: {
    status: 409,
    says: 'The hub offers no remedy for {findingId}; nothing was done. {advice}',
  },
  IDEMPOTENCY_IN_PROGRESS: {
    status: 409,
    says: 'A call with this Idempotency-Key is still running; retry in a moment.',
    retry: true,
  },

  // all others
  GONE: { status: 410, says: '{call} was removed; use {successor}.' },
  TUS_VERSION_UNSUPPORTED: {
    status: 412,
    says: 'Tus-Resumable is {given}; this hub supports version {spoken}.',
  },
  FILE_TOO_LARGE: {
    status: 413,
    says: 'The file is larger than {limit} bytes, the maximum for {way}.',
  },
  CONTENT_TOO_LARGE: { status: 413, says: '{what} is larger than {limit} bytes.' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, says: 'Content-Type is {given}; send {wanted}.' },
  RANGE_NOT_SATISFIABLE: {
    status: 416,
    says: 'The file has {size} bytes; none of the requested ranges is within it.',
  },
  MISDIRECTED_REQUEST: {
    status: 421,
    says: 'This hub does not accept calls to the host name "{host}": {because}',
  },
  DELIVERY_INVALID: {
    status: 422,
    says: 'The translation of asset task {assetTaskId} was refused: {because} Send a corrected one, or send "force": true to deliver it anyway.',
  },
  CHECKS_FAILED: {
    status: 422,
    says: 'The delivery has {count} findings of blocking checks; fix them, or keep each with a reason.',
  },
  PACKAGE_INVALID: {
    status: 422,
    says: 'The package was refused, and nothing was delivered. The first of {count} problems: {first}',
  },
  TERM_LIST_INVALID: {
    status: 422,
    says: 'The list was refused, and nothing was imported: {because}',
  },
  IDEMPOTENCY_CONFLICT: {
    status: 422,
    says: 'This Idempotency-Key was used for a different body within the last {hours} hours; use a new key.',
  },
  UPLOAD_LOCKED: {
    status: 423,
    says: 'Another call is writing this upload; get its offset with HEAD and continue from there.',
    retry: true,
  },
  RATE_LIMITED: {
    status: 429,
    says: 'Too many calls: {because} Retry in {seconds} s.',
    retry: true,
  },
  CHECKSUM_MISMATCH: {
    status: 460,
    says: 'The {algorithm} of the bytes does not match Upload-Checksum; none of them were stored. Send them again.',
    retry: true,
  },
  INTERNAL: { status: 500, says: 'Internal error. Give this traceId to your operator.' },
  NOT_IMPLEMENTED: { status: 501, says: '{call} is not available in this version of the hub.' },
  FMS_UNAVAILABLE: {
    status: 503,
    says: 'Files cannot be stored or read right now: {because}',
    retry: true,
  },
  SERVICE_UNAVAILABLE: {
    status: 503,
    says: 'The hub cannot respond right now: {because}',
    retry: true,
  },
} as const satisfies Record<string, { status: number; says: string; retry?: true }>

export type ErrorCode = keyof typeof errors
export const errorCodes = Object.keys(errors) as ErrorCode[]

/** The names of the blanks of a sentence. */
export type Blanks<T extends string> = T extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Blanks<Rest>
  : never
export type Facts<C extends ErrorCode> = Record<Blanks<(typeof errors)[C]['says']>, string | number>
export type Detail = { path: string; message: string }
export type Quota = { name: string; limit: number; used: number }
/** Members that the error object of some codes has besides (contract, section 13). */
export type Also = {
  current?: object
  open?: number
  by?: object | string
  checks?: object[]
  problems?: object[]
}
export type More = {
  details?: Detail[]
  quota?: Quota
  retryAfter?: number
  also?: Also
  cause?: unknown
  heard?: Heard
}
/** The response of a hub, if the error came over the wire: its own sentence and status. */
type Heard = { message: string; status: number; traceId?: string | undefined }

/** What the domain throws on purpose; any other error is a bug. `retryAfter` is in seconds. */
export class HubError<C extends ErrorCode = ErrorCode> extends Error {
  override readonly name = 'HubError'
  readonly code: C
  readonly status: number
  readonly details: Detail[] | undefined
  /** Only for QUOTA_EXCEEDED. */
  readonly quota: Quota | undefined
  readonly retryAfter: number | undefined
  readonly also: Also | undefined
  /** Identifies the call in the hub's log; only set in a client. */
  readonly traceId: string | undefined

  /**
   * Compared by name, because the bundle of the server has its own copy of this class, and a
   * program may load both.
   */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof Error && value.name === 'HubError'
  }

  constructor(code: C, facts: Facts<C>, more: More = {}) {
    const { cause, heard } = more
    super(
      heard?.message ?? fill(errors[code].says, facts),
      cause === undefined ? undefined : { cause },
    )
    this.code = code
    this.status = heard?.status ?? errors[code].status
    this.details = more.details
    this.quota = more.quota
    this.retryAfter = more.retryAfter
    this.also = more.also
    this.traceId = heard?.traceId
  }
}

/**
 * Recreates the error that a hub sent to its client. A newer hub may have codes that this table
 * lacks.
 */
export function heardError(
  code: string,
  message: string,
  { status, traceId, ...more }: HeardMore,
): HubError {
  return new HubError(code as ErrorCode, {} as Facts<ErrorCode>, {
    ...more,
    heard: { message, status, traceId },
  })
}
type HeardMore = Omit<More, 'heard'> & { status: number; traceId?: string | undefined }

/** Values quoted in a sentence are cut to this length. */
const longestFact = 1_000

/** Fills the blanks of a sentence. */
export function fill(says: string, facts: Record<string, string | number>): string {
  return says.replace(/\{(\w+)\}/g, (_, name: string) => {
    const fact = String(facts[name] ?? '').toWellFormed()
    return fact.length > longestFact ? `${fact.slice(0, longestFact)}…`.toWellFormed() : fact
  })
}

/** Whether a caller may repeat the same call unchanged after a pause. */
export function isRetryable(code: ErrorCode): boolean {
  return 'retry' in errors[code]
}
