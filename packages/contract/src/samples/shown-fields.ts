/** Which optional fields a sample shows: a body few of them, an answer all but those that would contradict the others. */

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
}

/** An answer has only these optional fields; one without a row here has all. */
export const answerFields: Readonly<Record<string, readonly string[]>> = {
  FormatOptions: ['json'],
  Listener: ['acknowledgeStatusUpdate'],
  ProviderListener: ['providerId', 'jobUri'],
  LoggedCall: ['ids', 'jobId', 'siteId', 'clientId'],
  TimelineEntry: ['requestIds', 'move', 'from', 'to'],
  ReportRow: ['group', 'groupName', 'currency', 'jobs', 'amount', 'cancelledAmount'],
  ProviderTest: ['text', 'sourceNativeLanguageCode', 'targetNativeLanguageCode', 'translation'],
  SiteReplayed: ['replayed'],
  Attempt: ['responseCode'],
  SentAttempt: ['responseCode', 'headers', 'answer'],
  StatusUpdate: ['providerId'],
  TmUpdate: ['importStatus', 'units'],
  Finding: ['siteId', 'remedy'],
  Format: [],
  Quote: [],
  QuoteLine: ['format'],
  Site: [],
  Task: ['lastError', 'jobId', 'siteId'],
}

/** An answer lacks these, beside the row above. */
export const leftOut: Readonly<Record<string, readonly string[]>> = {
  Job: ['latestErrorMessage', 'customData', 'formatOptions', 'extendedMetadata', 'analysisCodes', 'aggregateRequests'],
  Request: [
    ...['latestErrorMessage', 'rejectNote', 'warnings', 'forced', 'lastTry', 'sourcecontentId', 'extendedMetadata'],
    'targetNativeId',
  ],
  ProviderJob: ['latestErrorMessage', 'customData', 'extendedMetadata', 'analysisCodes'],
  AssetTask: ['latestErrorMessage', 'rejectNote', 'warnings', 'forced', 'lastTry', 'translatedFileId'],
  TranslationContent: ['targetNativeId'],
  AuditEntry: ['personId'],
}
