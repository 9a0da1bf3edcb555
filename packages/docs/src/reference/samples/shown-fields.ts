/**
 * Which optional fields a sample shows: a body has few of them, a response all but those that would
 * contradict the others.
 */

/** A body has its required fields and these. */
export const bodyFields: Readonly<Record<string, readonly string[]>> = {
  NewJob: ['sourceNativeLanguageCode', 'targetNativeLanguageCodes', 'dueDate', 'labels'],
  JobChange: ['poReference'],
  Submission: ['providerId'],
  NewRequest: ['fields'],
  RequestChange: ['requestName'],
  Rejection: ['note'],
  ProviderChange: ['status'],
  ProviderTrial: ['text', 'targetNativeLanguageCode'],
  ProviderJobChange: ['statusCode', 'providerReference'],
  AssetTaskChange: ['statusCode'],
  NewSupportAsset: ['description'],
  NewListener: ['statusCodes'],
  ListenerChange: ['statusCodes'],
  GivenProviderListener: ['jobUri', 'jobStatusCodes'],
  Replay: ['since'],
  SiteReplay: ['filter'],
  NewAnalysisCode: ['label'],
  AnalysisCodeChange: ['label'],
  LevelChange: ['label'],
  NewPriceList: ['minimumFee', 'managementFeePercent'],
  ClientChange: ['rateLimit'],
  Rotation: ['overlap'],
  PersonChange: ['sites'],
  FormatOptions: ['json'],
  TaskRetry: ['name'],
  MatchQuestion: ['before', 'after'],
  MemoryUnitChange: ['target'],
}

/** A response has only these optional fields; one without a row here has all of them. */
export const answerFields: Readonly<Record<string, readonly string[]>> = {
  FormatOptions: ['json'],
  Listener: ['acknowledgeStatusUpdate'],
  ProviderListener: ['providerId', 'jobUri'],
  LoggedCall: ['ids', 'jobId', 'siteId', 'clientId'],
  TimelineEntry: ['requestIds', 'move', 'from', 'to'],
  CassetteBody: ['json'],
  CassetteCall: ['response'],
  ReportRow: ['group', 'groupName', 'currency', 'jobs', 'amount', 'cancelledAmount'],
  ProviderTest: ['text', 'sourceNativeLanguageCode', 'targetNativeLanguageCode', 'translation'],
  SiteReplayed: ['replayed'],
  Attempt: ['responseCode'],
  SentAttempt: ['responseCode', 'headers', 'answer'],
  StatusUpdate: ['providerId'],
  TmUpdate: ['importStatus', 'units'],
  Finding: ['siteId', 'names', 'remedy'],
  Format: [],
  Quote: [],
  QuoteLine: ['format'],
  Site: [],
  Task: ['lastError', 'jobId', 'siteId'],
}

/** Fields that a response lacks, in addition to the rows above. */
export const leftOut: Readonly<Record<string, readonly string[]>> = {
  MemoryImport: ['error'],
  Job: [
    ...[
      'latestErrorMessage',
      'customData',
      'formatOptions',
      'extendedMetadata',
      'analysisCodes',
      'aggregateRequests',
    ],
    ...['hops', 'upstream'],
  ],
  Request: [
    ...[
      'latestErrorMessage',
      'rejectNote',
      'warnings',
      'forced',
      'lastTry',
      'sourcecontentId',
      'extendedMetadata',
    ],
    ...['supersedes', 'supersededBy', 'cause'],
    'targetNativeId',
  ],
  ProviderJob: ['latestErrorMessage', 'customData', 'extendedMetadata', 'analysisCodes'],
  AssetTask: [
    'latestErrorMessage',
    'rejectNote',
    'warnings',
    'forced',
    'lastTry',
    'translatedFileId',
  ],
  TranslationContent: ['targetNativeId'],
  AuditEntry: ['personId'],
  Segment: ['before'],
  ReviewedSegment: ['before'],
}
