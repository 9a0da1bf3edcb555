/** Fields of jobs, requests, files, support assets, TM updates, status updates and listeners. */
export const jobFields = {
  jobId: 'The job, by the id that its creation returned.',
  jobName: 'The name that people read in lists and that the provider sees.',
  'Job.description': 'Free text about the job, in full; a provider sees its beginning.',
  description: 'What the file or job is about, for the people who translate.',
  statusCode: 'Where the job is in its life cycle.',
  hasError:
    'True after an error, until the next transition succeeds. An error does not change the status.',
  latestErrorMessage: 'What went wrong last. Absent while `hasError` is false.',
  creatorId: 'The client that created it.',
  submitterId: 'The client that submitted the job. Absent until then.',
  siteId: 'The site that it belongs to. Clients of other sites do not see it.',
  providerId: 'The provider that translates.',
  'NewJob.providerId':
    'The provider to submit the job to. You can also name it when you submit; a site with one enabled provider needs neither.',
  'JobChange.providerId': 'The provider to submit the job to.',
  'Submission.providerId':
    "The provider that gets the job. Defaults to the job's own, then to the only enabled provider of the site.",
  'Job.providerId':
    'The provider that the job was or will be sent to. Absent if none has been named yet.',
  'StatusUpdate.providerId': 'The provider that the job is with.',
  'downloadTranslations.language': 'Only translations into this language.',
  providerReference:
    "The provider's own number for it, such as an order number. Absent until the provider sets one.",
  poReference: 'Your purchase order number, which the provider sees.',
  dueDate:
    'When you need the translations. A date alone, such as 2031-05-06, means the end of that day in the time zone of the site. For people and reports; the hub cancels nothing when it passes.',
  createdDate: 'When it was created.',
  modifiedDate: 'When it last changed.',
  submittedDate: 'When the job was submitted. Absent until then.',
  activityDate:
    'When the job or one of its requests last changed. The hub archives a job six months later.',
  estimatedArchivalDate: 'When the hub will archive the job, unless the job changes before then.',
  archived:
    'True from ARCHIVING to ARCHIVED; requests and files are not accessible during that time.',
  archiveStatus: 'Where the job is between the active jobs and the archive.',
  customData: 'Any text. Stored and returned unchanged; providers see it.',
  shouldQuote: 'Whether the provider should quote before it translates. Passed on to the provider.',
  connectorName:
    'The name of the connector, in the form `<guid> <name> <version>`. Production connectors must send it.',
  connectorVersion: 'The version of the connector, such as 1.2.0.',
  serviceType: 'The service that you order, as price lists name it; `Translation` if absent.',
  extendedMetadata:
    "Further data as JSON, checked against the provider's extendedMetadataSchema when the job is submitted.",
  formatOptions:
    'What counts as text in the files of this job. Overrides the options of the site one by one.',
  chainId:
    'The chain that the job was submitted to, once its drafts are with people; from then on, `providerId` is the provider that these people work for.',
  hops: 'The hubs that the job has passed through, in order. Only a hub that forwards a job sets it.',
  upstream: 'The job at the service that a provider of the type `upstream` sent it on to.',
  routedBy: 'The routing rule that chose the provider, if a rule did.',
  segmentation:
    'Whether running text (HTML, Markdown, plain text, Word) is split into sentences or paragraphs, for the desk, word counts, quotes and the memory. PARAGRAPHS if absent.',
  labels: 'Labels to find jobs by: `filter=labels eq ...`.',
  sourceNativeLanguageCode: 'The language of the source content.',
  targetNativeLanguageCode: 'The language of the translation.',
  targetNativeLanguageCodes: 'The languages to translate into.',
  'NewRequest.targetNativeLanguageCodes':
    'The languages to translate into. Each becomes a separate request.',
  analysisCodes:
    'Cost centres and similar codes, at most one per level. They choose price lines and group reports.',
  aggregateRequests:
    'How many requests the job has in each status. Only with `aggregateRequests=true`.',
  globalTrackingId:
    "Follows the job through the provider's own systems. Set when the job is submitted.",
  'AggregateRequests.total': 'All requests of the job.',
  withErrors: 'Requests whose `hasError` is true.',
  byStatusCode: 'The number of requests in each status; a status without any is left out.',
  'JobAnalysisCode.level': 'The level of the code, from 1.',
  'JobAnalysisCode.code': 'A visible code of that level, as GET /settings/analysiscodes lists it.',

  requestId: 'The request, by the id that adding it returned.',
  cause: 'Why it was cancelled. Absent unless a newer source took its place.',
  'KnownContent.statusCode': 'Where the request is in its life cycle.',
  'KnownQuestion.items': 'The contents, each by its id and the hash of its source.',
  'KnownContents.known': 'What the hub has, for each id and language.',
  'KnownContents.latest': 'What a new source of an id can supersede.',
  requestIds: 'The requests that it is about.',
  'Approval.requestIds': 'The requests to approve; each must be in REVIEW_TRANSLATION.',
  'Rejection.requestIds': 'The requests to reject; each must be in REVIEW_TRANSLATION.',
  'SameChange.requestIds': 'The requests to change.',
  'FileContentUpdate.requestIds': 'The requests whose file is replaced.',
  requestsUpdate: 'The fields to set in every one of these requests.',
  'NewRequestList.requests': 'The requests to add. All are added, or none.',
  requestName: 'The name that people read, such as a page title.',
  'Request.statusCode': 'Where the request is in its life cycle.',
  sourceNativeId:
    'The id of the content in your system. Use it to find your way back from a translation.',
  sourceNativeIds:
    'The content items that the asset is for, by their ids in your system. Absent: the whole job.',
  targetNativeId: 'The id that the translation will have in your system. Absent if you sent none.',
  targetNativeIds:
    'The ids of the translations in your system, in the order of targetNativeLanguageCodes.',
  wordCount: 'The number of words by your own count. The hub stores it; quotes use their own.',
  fmsFileId: 'An uploaded file of this job, by the id of its transfer object.',
  'FMSTransferObject.fmsFileId': 'The id of the file. Requests and support assets refer to it.',
  'NewRequest.fmsFileId':
    'The uploaded file to translate. Instead of `sourcecontentId` and `fields`.',
  'RequestChange.fmsFileId': 'Another file of this job to translate instead.',
  'NamedChange.fmsFileId': 'Another file of this job to translate instead.',
  fileId: 'The source file. Absent for key-value content.',
  'AssetTask.fileId':
    'The source file. Absent for key-value content, which sourceFile returns as a file too.',
  'SupportAsset.fileId': 'The uploaded file.',
  'AddedSupportAsset.fileId': 'The uploaded file.',
  'TmUpdate.fileId': 'The uploaded file.',
  sourcecontentId: 'Key-value content of this job, by the id that its creation returned.',
  fields:
    'Texts to translate, each with a key of your own, which is returned with its translation.',
  'Field.key': 'Names the text. Unique within one request; never translated.',
  'Field.value': 'The text itself.',
  fileName: 'The name of the file, with its extension.',
  filename: 'The name of the file, with its extension.',
  fileType: 'The extension of the file, without the dot.',
  filetype: 'The extension of the file, without the dot.',
  format: 'How to read the file. Only needed if its name and bytes would mislead the hub.',
  'Rejection.note': 'Why the translation is rejected. The provider reads it.',
  rejectNote: 'Why the translation was rejected. Absent unless it was.',
  lastTry: 'Why there is no translation yet. Absent unless the last attempt failed.',
  'LastTry.time': 'When the attempt failed.',
  'LastTry.message': 'Why the attempt failed.',
  'LastTry.nextTime': 'When the hub tries again.',
  targetContent: 'The translated texts under the keys of the source.',
  'NewSourceContent.fields': 'The texts, with a key each.',
  'SourceContent.fields': 'The texts, with a key each.',

  supportassetId: 'The support asset, by the id that its creation returned.',
  supportAssetId: 'The support asset, by its id in the list of the job.',
  tmupdateId: 'The TM update, by the id that its creation returned.',
  'NewSupportAsset.fmsFileId': 'The uploaded file, such as a style guide or a picture of the page.',
  'NewTmUpdate.fmsFileId': 'The uploaded file. A TMX file also goes into the memory of the site.',
  units: 'What the import did. Absent until a TMX file is imported.',
  'TmUnits.read': 'Units in the file.',
  'TmUnits.added': 'Units that are new in the memory.',
  'TmUnits.changed': 'Units that replaced another translation of the same source text.',

  updateId: 'The status update, by its id in the list.',
  'StatusUpdate.sequence':
    'Counts the updates of one client from 1, without a gap. Pass the last one as `since`.',
  'StatusUpdate.statusCode': 'The status that the requests reached.',
  updateTime: 'When the status changed.',
  'StatusUpdate.hasError': 'True if the update reports an error.',
  'StatusUpdate.errorMessage': 'The error. Absent if there is none.',

  listenerId: 'The listener, by the id that its registration returned.',
  uri: 'The URL that the hub calls. Loopback and private addresses are refused outside the sandbox.',
  'Listener.uri': 'The URL that the hub calls.',
  'Listener.type':
    'What the listener is notified about: jobs or requests. A client has one listener of each type.',
  'NewListener.type':
    'What the listener is notified about: jobs or requests. A client has one listener of each type.',
  'ListenerChange.type':
    'What the listener is notified about: jobs or requests. A client has one listener of each type.',
  statusCodes: 'The statuses that cause a delivery. An empty list means all of the type.',
  acknowledgeStatusUpdate:
    'Whether the updates that the listener gets count as acknowledged as soon as they happen, before delivery. Only for a REQUEST_STATUS_UPDATED listener; default true.',
  authType: 'Whether deliveries are signed; SIGNATURE by default.',
  secret:
    'The secret that deliveries are signed with. The hub generates one if you send none; for 24 hours after a change, it signs with both.',
  onSupportAssetCreate: 'Whether a new support asset causes a delivery too; default false.',
  onTmUpdateCreate: 'Whether a new TM update causes a delivery too; default false.',
  onComment:
    'Whether questions and their answers cause a delivery too (COMMENT_CREATED, COMMENT_ANSWERED); default false.',
  'NewListener.jobId': 'Limits the listener to this job.',
  'ListenerChange.jobId': 'Limits the listener to this job.',
  'Listener.jobId':
    'The only job that the listener is notified about. Absent: all jobs of the client.',
  'NewListener.disabled': 'True to register it switched off.',
  'ListenerChange.disabled':
    'True to stop deliveries; false to start again, which also sends what is waiting.',
  'Listener.disabled': 'True while the hub sends it nothing.',
  disabledReason:
    'Why the hub switched the listener off. Absent if it is on, or if you switched it off.',

  deliveryId: 'The delivery, by its id in the list. It is also the `webhook-id` of every attempt.',
  deliveryIds: 'The deliveries to send again.',
  eventType: 'What the delivery reports.',
  'Delivery.jobId': 'The job that it is about. Absent for a sample.',
  'Delivery.sequence': 'The sequence of the status update behind it. Absent if there is none.',
  sequence: 'The sequence of the status update behind it. Absent if there is none.',
  'Delivery.state':
    'PENDING until a 2xx response, then DELIVERED; PARKED once the hub stops retrying.',
  'SiteDelivery.state':
    'PENDING until a 2xx response, then DELIVERED; PARKED once the hub stops retrying.',
  'SentDelivery.state':
    'PENDING until a 2xx response, then DELIVERED; PARKED once the hub stops retrying.',
  createdTime: 'When it was created.',
  nextAttemptTime: 'When the hub tries next. Absent if it does not.',
  attempts: 'Every attempt, oldest first.',
  attemptTime: 'When the hub called the URL.',
  durationMs: 'How long it took, in milliseconds.',
  responseCode: 'The HTTP status of the response. Absent if there was none.',
  error: 'Why there was no usable response. Absent if there was one.',
  since: 'The earliest creation time, included.',
  until: 'The latest creation time, included.',
  replayed: 'How many deliveries are sent again.',
} as const satisfies Readonly<Record<string, string>>
