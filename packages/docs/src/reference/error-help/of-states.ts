/** Cause and remedy of errors about the state of the target or of the hub (409 and above). */
export const helpOfStates = {
  VERSION_CONFLICT: {
    cause: 'Two callers changed the same thing; the first change was saved.',
    remedy:
      'Compare your change with `current` in the error, then send it again with that version.',
  },
  COMMENT_ANSWERED: {
    cause: 'Somebody else answered the question first.',
    remedy: 'Read the answer; POST another comment if there is more to say.',
  },
  NOT_A_QUESTION: {
    cause: 'The comment is a note, which nobody answers.',
    remedy: 'POST another comment in its place.',
  },
  CONTENT_ERASED: {
    cause: 'The bytes or the key of the content are gone: erased, or lost and given up.',
    remedy: 'Create a job, and send the content again from your system.',
  },
  NO_SEGMENTS: {
    cause: 'The file is in a format that the hub does not read, or has no text.',
    remedy:
      'Download it with sourceFile, translate it in another tool, and upload it with translatedFile.',
  },
  SEGMENTS_OPEN: {
    cause: 'Every segment needs a confirmed translation.',
    remedy:
      'List them with GET …/segments?state=NEW and state=DRAFT, and PUT each with the state TRANSLATED.',
  },
  ALREADY_CLAIMED: {
    cause: 'Only one person can work on an asset task at a time.',
    remedy: 'Take another task, or let a provider-manager claim it for you with `personId`.',
  },
  NOT_IN_SHARE: {
    cause:
      'A provider-manager shared the text between people by positions. Each of them writes in their own share, through the segments.',
    remedy:
      'Write only segments of your share. Files, content and packages of a shared text are sent by a provider-manager or a program of the provider.',
  },
  UPSTREAM_LOOP: {
    cause: 'Providers of the type upstream send jobs in a circle, or through more hubs than five.',
    remedy:
      'Follow `hops` from hub to hub, and change the provider or the routing rule that leads back.',
  },
  INVALID_TRANSITION: {
    cause:
      'The status of the job or request does not allow this step, often because another call came first.',
    remedy: 'Read the status again; docs/states.md shows which steps it allows.',
  },
  JOB_ALREADY_SUBMITTED: {
    cause: 'Jobs and their content cannot change after submission.',
    remedy: 'Create another job for the change; cancelling is up to the provider.',
  },
  JOB_NOT_SUBMITTED: {
    cause:
      'The call needs a job that a provider is working on; this one is not submitted yet, or is finished.',
    remedy: 'Submit the job, or reopen it if it is completed.',
  },
  JOB_COMPLETED: {
    cause: 'The connector completed the job, so a provider can no longer work on it.',
    remedy: 'Ask the owner of the job to reopen it with PUT /jobs/{jobId}/intranslation.',
  },
  JOB_IN_PROGRESS: {
    cause: 'A job that a provider works on cannot be deleted.',
    remedy: 'Let the provider cancel it if it is no longer needed, then delete it.',
  },
  JOB_ARCHIVED: {
    cause:
      'The content of an archived job is not accessible; the hub archives jobs six months after their last change.',
    remedy: 'PUT /jobs/{jobId}/unarchive, then poll the job until archiveStatus is ACTIVE.',
  },
  ALREADY_SUPERSEDED: {
    cause: 'A newer source of this content was submitted before, by another job or another client.',
    remedy: 'Name the request in `by` in your `supersedes`: it has what is newest.',
  },
  JOB_EMPTY: {
    cause: 'The job was submitted before any request was added, or all were deleted.',
    remedy: 'Add content with POST /jobs/{jobId}/requests/add first.',
  },
  REQUEST_NOT_IN_REVIEW: {
    cause:
      'One of the requests is not waiting for review: not delivered yet, or already approved or rejected.',
    remedy: 'List the requests with statusCode=REVIEW_TRANSLATION and send only those.',
  },
  TRANSLATION_NOT_READY: {
    cause: 'The provider has not delivered yet, or the request was cancelled.',
    remedy: 'Wait for the status update REVIEW_TRANSLATION instead of polling the download.',
  },
  TRANSLATION_IS_FILE: {
    cause: 'The request was made from a file, and the call returns key-value content only.',
    remedy: 'Ask for the file, or let the SDK choose with `download` and `fields`.',
  },
  FILE_NOT_UPLOADED: {
    cause:
      'A transfer object was requested, but its bytes never arrived or the upload was interrupted.',
    remedy: 'Finish the upload to fmsPostMultipartUrl or fmsUploadUrl, then repeat the call.',
  },
  FILE_ALREADY_UPLOADED: {
    cause: 'The transfer object was already used; a file cannot be overwritten.',
    remedy: 'If the retry sent the same bytes, continue: the first upload succeeded.',
  },
  UPLOAD_OFFSET_CONFLICT: {
    cause: 'A chunk of a TUS upload arrived twice or out of order.',
    remedy: 'Get the offset with HEAD before you send the next chunk.',
  },
  PROVIDER_DISABLED: {
    cause: 'An admin has disabled the provider.',
    remedy: 'Ask the admin, or submit the job to another provider.',
  },
  PROVIDER_IN_USE: {
    cause:
      'A job, a routing rule, a client, a person, a listener or another provider refers to the provider.',
    remedy:
      'Remove what refers to it, or disable the provider with PATCH: it keeps its jobs and gets no new ones.',
  },
  LISTENER_EXISTS: {
    cause: 'A client can have one listener of each type.',
    remedy: 'Change the existing one with PATCH; several systems need one client each.',
  },
  MEMORY_UNIT_EXISTS: {
    cause: 'A memory has each source text only once per language pair.',
    remedy: 'PATCH the unit that the message names.',
  },
  QUOTA_EXCEEDED: {
    cause: 'The client or its site has reached a limit; `quota` names it with its usage.',
    remedy:
      'Free some of it, for example by acknowledging updates, or ask an admin to raise the quota of the client.',
  },
  TASK_RUNNING: {
    cause: 'The task was started before the retry came.',
    remedy: 'Read its state again in a moment; the run may succeed.',
  },
  LAST_ADMIN: {
    cause: 'Without this client nobody could administer the site any more.',
    remedy: 'Give another client the scope admin, then repeat the call.',
  },
  LAST_OPERATOR: {
    cause: 'Without this client nobody could operate the hub any more.',
    remedy:
      'Add another operator with `dragoman clients add --scope operator`, then repeat the call.',
  },
  CLIENT_EXISTS: {
    cause: 'Another client, perhaps of another site, has this id.',
    remedy: 'Choose an id that begins with the name of the site.',
  },
  PERSON_EXISTS: {
    cause: 'A person on your list has this address.',
    remedy: 'Find that person in the list and change their roles.',
  },
  OWN_ACCESS: {
    cause: 'You tried to disable yourself, remove yourself or remove your own admin role.',
    remedy: 'Make another person admin first and let them do it.',
  },
  LAST_WAY_IN: {
    cause: 'You removed the only passkey of an account without a password.',
    remedy: 'Add the new one before you remove the old one.',
  },
  SITE_REMOVED: {
    cause: 'An operator has removed the site, and its data is being deleted.',
    remedy: 'Use another site id; GET /sites lists it until its removal is done.',
  },
  FINDING_GONE: {
    cause: 'The problem was resolved before your call.',
    remedy: 'There is nothing to do; list the findings to see what is left.',
  },
  FINDING_WITHOUT_REMEDY: {
    cause: 'The finding needs a person; the hub cannot fix it automatically.',
    remedy: 'Follow the advice of the finding.',
  },
  IDEMPOTENCY_IN_PROGRESS: {
    cause: 'A retry overtook the first call with the same key.',
    remedy: 'Wait for Retry-After and send the same call again; it returns the first response.',
  },

  GONE: {
    cause: 'The call belongs to an earlier version of the API.',
    remedy: 'Use the successor that the message names.',
  },
  TUS_VERSION_UNSUPPORTED: {
    cause: 'The upload library uses another version of TUS, or the header is missing.',
    remedy: 'Send `Tus-Resumable: 1.0.0`.',
  },
  FILE_TOO_LARGE: {
    cause: 'The file is over 1 GiB, or over 200 MiB in a multipart upload.',
    remedy: 'Upload large files by TUS; split a file that is over 1 GiB.',
  },
  CONTENT_TOO_LARGE: {
    cause: 'The body, or one value in it, is larger than the call accepts.',
    remedy: 'Send fewer items per call, and long texts as files.',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    cause: 'The Content-Type is missing or wrong for this call, or the body is compressed.',
    remedy: 'Send `Content-Type: application/json` and the body uncompressed.',
  },
  RANGE_NOT_SATISFIABLE: {
    cause: 'A resumed download requested bytes after the end of the file.',
    remedy: 'The file is complete, or has changed: download it from the beginning.',
  },
  MISDIRECTED_REQUEST: {
    cause: 'The Host header has a name that the hub is not configured for.',
    remedy: 'An operator adds the name to DRAGOMAN_HOSTS or sets DRAGOMAN_PUBLIC_URL.',
  },
  DELIVERY_INVALID: {
    cause:
      'The translation cannot be read, or lacks keys, units, placeholders or tags of the source.',
    remedy: 'Compare the places that `details` names with the source file.',
  },
  CHECKS_FAILED: {
    cause:
      'A check that blocks deliveries found something: `checks` of the error names each segment.',
    remedy:
      'Fix the targets; if a finding is wrong, send it in `kept` with a reason, which the reviewer sees.',
  },
  PACKAGE_INVALID: {
    cause:
      'Something in the package cannot be delivered: `problems` names each file, and the segment where there is one.',
    remedy:
      'Correct the files named there and send the whole package again; `dryRun=true` only checks it.',
  },
  TERM_LIST_INVALID: {
    cause:
      'The file is not valid TBX or CSV, or one of its rows is not a term; the message names the line.',
    remedy: 'Correct that line and import the whole file again.',
  },
  IDEMPOTENCY_CONFLICT: {
    cause: 'One key was used for two different calls, often because it is a constant in the code.',
    remedy: 'Create a new key for each call, and reuse it only for retries of that call.',
  },
  UPLOAD_LOCKED: {
    cause: 'An earlier call of the same upload is still open, often after a broken connection.',
    remedy: 'Wait for Retry-After; the hub frees the upload when the old connection ends.',
  },
  RATE_LIMITED: {
    cause:
      'This address or client exceeded its limit of calls per second, or sent too many wrong secrets.',
    remedy: 'Wait for Retry-After, then slow down: reuse tokens, use listeners instead of polling.',
  },
  CHECKSUM_MISMATCH: {
    cause: 'The bytes changed on the way, or Upload-Checksum was computed over other bytes.',
    remedy: 'If it happens every time, check that the checksum covers only this chunk, in base64.',
  },
  INTERNAL: {
    cause: 'Something unexpected happened in the hub: a bug, or damaged data.',
    remedy:
      'The operator can find the call in the log by its traceId, and check the data with `dragoman check`.',
  },
  NOT_IMPLEMENTED: {
    cause: 'The call is part of the API, but this version does not have it.',
    remedy: 'Ask the operator to update the hub.',
  },
  FMS_UNAVAILABLE: {
    cause: 'The disk is full, or the object store does not respond.',
    remedy:
      'Repeat the call after Retry-After. Operators see the reason in the findings and in /readyz.',
  },
  SERVICE_UNAVAILABLE: {
    cause: 'The hub is starting, stopping or overloaded, or its database does not respond.',
    remedy: 'Repeat the same call after Retry-After, with the same Idempotency-Key.',
  },
} as const
