/**
 * Quotas and limits. `quotas` apply per client and may be raised; `limits` apply to all and are
 * used in the schemas; limits that an operator may change are in the server's configuration.
 * docs/limits.md is generated from these rows.
 */
export const quotaRows = {
  MaxStatusUpdatesPerSite: {
    value: 10_000,
    says: 'unacknowledged status updates; at this number, no job can be submitted',
  },
  MaxReqsPerJob: { value: 2_000, says: 'requests per job, one per target language' },
  MaxSupportAssetsPerJob: { value: 1_000, says: 'support assets per job' },
  MaxFilesPerJob: { value: 1_000, says: 'uploaded files per job, not counting translations' },
  MaxBytesPerSite: {
    value: 1024 ** 4,
    says: 'bytes of files, inline content, metadata and price lists per site; DRAGOMAN_SITE_BYTES sets another default',
  },
  MaxOpenTransfersPerJob: {
    value: 5_000,
    says: 'files per job that are not fully uploaded, not counting translations',
  },
  MaxSourceContentsPerJob: {
    value: 10_000,
    says: 'source contents per job, including those created by requests',
  },
  MaxCommentsPerJob: { value: 10_000, says: 'comments and questions per job' },
  MaxTmUpdatesPerJob: { value: 1_000, says: 'TM updates per job' },
  MaxProviderListeners: {
    value: 10,
    says: 'listeners of a provider client that receive updates of the same job: those for its provider and those for all',
  },
  MaxProvidersPerSite: { value: 1_000, says: 'providers per site' },
  MaxOpenImportsPerSite: {
    value: 10,
    says: 'imports into the translation memory that wait or run, per site',
  },
  MaxTermsPerSite: { value: 100_000, says: 'terms per site' },
  MaxTermBytesPerSite: { value: 32 * 1024 ** 2, says: 'bytes of all terms of a site, as JSON' },
  MaxAnalysisCodesPerSite: { value: 10_000, says: 'analysis codes per site' },
  MaxPriceListsPerSite: {
    value: 10_000,
    says: 'price lists per site, counting every version; versions are kept forever',
  },
} as const

export type QuotaName = keyof typeof quotaRows
export const quotaNames = Object.keys(quotaRows) as QuotaName[]

export type Unit = 'bytes' | 'characters' | 'items' | 'levels' | 'ms' | 'calls'
type LimitRow = { readonly value: number; readonly unit: Unit; readonly says: string }

const KiB = 1024
const MiB = 1024 ** 2
const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

export const limitRows = {
  // Specification, "Limits"
  jobNameBytes: { value: 250, unit: 'bytes', says: 'jobName, in UTF-8' },
  requestNameBytes: { value: 250, unit: 'bytes', says: 'requestName, in UTF-8' },
  fileNameCharacters: {
    value: 250,
    unit: 'characters',
    says: 'fileName of a source file, in code points',
  },
  fileBytes: { value: 1024 ** 3, unit: 'bytes', says: 'one file' },
  partialUploads: { value: 100, unit: 'items', says: 'TUS partial uploads of one file at a time' },
  multipartBytes: {
    value: 200 * MiB,
    unit: 'bytes',
    says: 'one file in a direct multipart upload',
  },
  inlineBytes: {
    value: MiB,
    unit: 'bytes',
    says: 'keys and values of one request or source content, in UTF-8',
  },
  pageItems: { value: 50, unit: 'items', says: 'items per page' },
  timelineItems: { value: 200, unit: 'items', says: 'items per page of a timeline' },
  timelineNames: { value: 6, unit: 'items', says: 'requests that an entry of a timeline names' },
  descriptionCharacters: {
    value: 500,
    unit: 'characters',
    says: 'description of a job, as sent to a provider',
  },
  productionCallsPerSecond: {
    value: 20,
    unit: 'calls',
    says: 'calls per second from one address, profile production',
  },
  stagingCallsPerSecond: {
    value: 10,
    unit: 'calls',
    says: 'calls per second from one address, profile staging',
  },

  // Contract, sections 3 and 11
  jsonBytes: { value: 2 * MiB, unit: 'bytes', says: 'a JSON body' },
  requestsJsonBytes: {
    value: 16 * MiB,
    unit: 'bytes',
    says: 'the JSON body of requests/add and of PATCH requests',
  },
  jsonValues: {
    value: 100_000,
    unit: 'items',
    says: 'values in a JSON body: objects, arrays, strings, numbers',
  },
  requestsJsonValues: {
    value: 250_000,
    unit: 'items',
    says: 'values in a JSON body of up to 16 MiB',
  },
  jsonItems: {
    value: 50_000,
    unit: 'items',
    says: 'items of one array or keys of one object in a JSON body',
  },
  jsonTextBytes: {
    value: 6 * MiB,
    unit: 'bytes',
    says: 'one string in a JSON body, as encoded there',
  },
  jsonDepth: { value: 64, unit: 'levels', says: 'nesting of a JSON body' },
  outsideAnswerBytes: {
    value: 16 * MiB,
    unit: 'bytes',
    says: 'an answer in JSON of an upstream',
  },
  outsidePages: {
    value: 100,
    unit: 'items',
    says: 'pages of a list of an upstream, or as many as its requests fill',
  },
  requestsPerCall: { value: 2_000, unit: 'items', says: 'requests in one call' },
  targetLanguages: {
    value: 100,
    unit: 'items',
    says: 'target languages of one request, job or support asset',
  },
  metadataBytes: { value: 64 * KiB, unit: 'bytes', says: 'extendedMetadata, as JSON in UTF-8' },
  callMetadataBytes: {
    value: 64 * MiB,
    unit: 'bytes',
    says: 'extendedMetadata that one call stores: once for each target language of an added request, once for each changed one',
  },
  metadataDepth: { value: 10, unit: 'levels', says: 'nesting of extendedMetadata' },
  metadataSchemaBytes: {
    value: 64 * KiB,
    unit: 'bytes',
    says: 'extendedMetadataSchema of a provider, as JSON',
  },
  metadataSchemaDepth: { value: 32, unit: 'levels', says: 'nesting of extendedMetadataSchema' },
  metadataSchemaObjects: {
    value: 500,
    unit: 'items',
    says: 'objects inside extendedMetadataSchema',
  },
  metadataSchemaList: {
    value: 1_000,
    unit: 'items',
    says: 'items of one array in extendedMetadataSchema, such as an enum',
  },
  metadataSchemaPatterns: { value: 100, unit: 'items', says: 'patterns in extendedMetadataSchema' },
  metadataSchemaPatternCharacters: {
    value: 500,
    unit: 'characters',
    says: 'one pattern in extendedMetadataSchema',
  },
  filterCharacters: { value: 2_000, unit: 'characters', says: 'a filter' },
  filterTerms: { value: 50, unit: 'items', says: 'comparisons in a filter' },
  filterDepth: { value: 10, unit: 'levels', says: 'nested parentheses and nots in a filter' },
  orderTerms: { value: 6, unit: 'items', says: 'fields in orderBy' },
  cursorCharacters: { value: 8_192, unit: 'characters', says: 'a page cursor' },
  idempotencyMs: { value: day, unit: 'ms', says: 'how long an Idempotency-Key is remembered' },
  unitTextBytes: {
    value: 256 * KiB,
    unit: 'bytes',
    says: 'a text of a unit of the memory, or one that is looked up',
  },
  matches: { value: 20, unit: 'items', says: 'matches of one look-up' },
  searchTextBytes: {
    value: 1_000,
    unit: 'bytes',
    says: 'the text that a list of units is searched for',
  },
  searchedUnits: { value: 10_000, unit: 'items', says: 'units that one page of a search reads' },
  segmentsPerCall: { value: 500, unit: 'items', says: 'segments in one call' },
  sharesPerTask: { value: 100, unit: 'items', says: 'shares of one asset task' },
  claimsPerCall: { value: 500, unit: 'items', says: 'asset tasks that one call hands over' },
  deskSegments: {
    value: 500_000,
    unit: 'items',
    says: 'segments of one request at the desk; a content with more is translated as a file',
  },
  deskBytes: {
    value: 96 * MiB,
    unit: 'bytes',
    says: 'segments of one request at the desk, as JSON; a content with more is translated as a file',
  },
  desksBytes: {
    value: 128 * MiB,
    unit: 'bytes',
    says: 'segments that a node keeps in memory for the desk; the ones used least recently go first',
  },
  packageBytes: {
    value: 200 * MiB,
    unit: 'bytes',
    says: 'a package: as it is sent, and the source files of one that is downloaded',
  },
  deliveryChecks: {
    value: 500,
    unit: 'items',
    says: 'findings that the error of a refused delivery lists',
  },
  segmentPageBytes: {
    value: 4 * MiB,
    unit: 'bytes',
    says: 'texts of one page of segments; a page with more ends sooner, and the next one goes on',
  },
  packageProblems: { value: 500, unit: 'items', says: 'problems of a package that an error lists' },
  textParts: { value: 2_000, unit: 'items', says: 'parts of one text of the desk' },
  idempotencyKeyCharacters: { value: 255, unit: 'characters', says: 'an Idempotency-Key' },
  traceIdCharacters: {
    value: 128,
    unit: 'characters',
    says: 'an x-request-id; a longer one is replaced',
  },
  soapBytes: { value: MiB, unit: 'bytes', says: 'a SOAP envelope' },
  assistantCharacters: {
    value: 24_000,
    unit: 'characters',
    says: 'an answer to an assistant; the rest is cut, and the answer says how to get it',
  },
  assistantWaitMs: {
    value: 45_000,
    unit: 'ms',
    says: 'how long translateText waits for translations',
  },
  sandboxBytes: { value: 16 * KiB, unit: 'bytes', says: 'the JSON body of a call under /sandbox' },
  tokenFormBytes: { value: 16 * KiB, unit: 'bytes', says: 'the form of a token call' },

  // Fields for which the specification names no limit
  hops: {
    value: 5,
    unit: 'items',
    says: 'hubs that a job may pass on its way to who translates it',
  },
  hopsListed: { value: 100, unit: 'items', says: 'hops in the body of a call' },
  upstreamCalls: {
    value: 1_000,
    unit: 'items',
    says: 'calls to the upstream in the timeline of a job; the oldest go first',
  },
  cassetteBodyBytes: {
    value: MiB,
    unit: 'bytes',
    says: 'one body in a recording of calls; the rest is cut off',
  },
  cassetteBytes: {
    value: 16 * MiB,
    unit: 'bytes',
    says: 'the recording of one job; nothing more is recorded then',
  },
  hubIdBytes: { value: 100, unit: 'bytes', says: 'the id of a hub in hops' },
  shortTextBytes: {
    value: 1_000,
    unit: 'bytes',
    says: 'poReference, connectorName, serviceType and their like',
  },
  descriptionBytes: { value: 100_000, unit: 'bytes', says: 'description as it is kept' },
  customDataBytes: { value: 64 * KiB, unit: 'bytes', says: 'customData' },
  commentBytes: {
    value: 16 * KiB,
    unit: 'bytes',
    says: 'the text of a comment, a question or an answer, in UTF-8',
  },
  noteBytes: {
    value: 10_000,
    unit: 'bytes',
    says: 'the note of a rejection and the message of an error',
  },
  optionNames: { value: 200, unit: 'items', says: 'names in one list of formatOptions' },
  optionNameBytes: { value: 200, unit: 'bytes', says: 'one name in formatOptions' },
  itsBytes: { value: 32 * KiB, unit: 'bytes', says: 'ITS 2.0 rules in formatOptions' },
  providerNameBytes: { value: 250, unit: 'bytes', says: 'the name of a provider' },
  configBytes: { value: 64 * KiB, unit: 'bytes', says: 'config of a provider, as JSON' },
  trialTextBytes: { value: 1_000, unit: 'bytes', says: 'the text of a test of a provider' },
  labels: { value: 100, unit: 'items', says: 'labels of a job' },
  labelBytes: { value: 250, unit: 'bytes', says: 'the name or the value of a label' },
  languageCharacters: { value: 35, unit: 'characters', says: 'a language code' },
  nativeIdBytes: { value: 1_000, unit: 'bytes', says: 'sourceNativeId, targetNativeId' },
  nativeIds: { value: 2_000, unit: 'items', says: 'sourceNativeIds of a support asset' },
  fieldKeyBytes: { value: 1_000, unit: 'bytes', says: 'the key of an inline field' },
  fields: { value: 20_000, unit: 'items', says: 'inline fields of one request or source content' },
  clientProviders: { value: 1_000, unit: 'items', says: 'providers owned by one client' },
  clientCertificates: { value: 10, unit: 'items', says: 'certificates of one client' },
  clientNetworks: { value: 100, unit: 'items', says: 'networks that one client may call from' },
  countedRows: {
    value: 10_000,
    unit: 'items',
    says: 'jobs or clients of a site that its listing counts',
  },
  listenerUriBytes: { value: 2_000, unit: 'bytes', says: 'the URI of a listener' },
  listenerSecretBytes: { value: 250, unit: 'bytes', says: 'the secret of a listener' },

  // Analysis codes and price lists (contract, section 9)
  analysisLevels: { value: 10, unit: 'levels', says: 'levels of analysis codes' },
  analysisLabelCharacters: {
    value: 200,
    unit: 'characters',
    says: 'the label of an analysis code or level',
  },
  analysisCodeCharacters: { value: 250, unit: 'characters', says: 'an analysis code' },
  analysisCodesPerCall: { value: 1_000, unit: 'items', says: 'analysis codes in one call' },
  priceLines: { value: 10_000, unit: 'items', says: 'lines of a price list' },
  priceBands: { value: 50, unit: 'items', says: 'bands of a price list' },
  moneyPlaces: { value: 6, unit: 'characters', says: 'decimal places of an amount' },

  // Terms (contract, section 13)
  routingRules: {
    value: 200,
    unit: 'items',
    says: 'rules that choose the provider of a job, per site',
  },
  routeChoices: {
    value: 100,
    unit: 'items',
    says: 'languages or labels in one condition of a routing rule',
  },
  termTextBytes: { value: 500, unit: 'bytes', says: 'the text or a form of a term' },
  termForms: { value: 50, unit: 'items', says: 'forms of one entry of a term' },
  termEntries: { value: 200, unit: 'items', says: 'entries of a term, in all languages' },
  termNoteBytes: { value: 2_000, unit: 'bytes', says: 'the note of an entry of a term' },
  termDefinitionBytes: { value: 4_000, unit: 'bytes', says: 'the definition of a term' },
  termBytes: { value: 16 * KiB, unit: 'bytes', says: 'a term with all its entries, as JSON' },
  termListBytes: { value: 64 * MiB, unit: 'bytes', says: 'a file with terms to import' },

  // Files and listeners (contract, sections 6, 7 and 11)
  transferMs: {
    value: day,
    unit: 'ms',
    says: 'lifetime of an upload after its last byte, unless configured otherwise',
  },
  downloadUrlMs: {
    value: 15 * minute,
    unit: 'ms',
    says: 'lifetime of a download URL, unless configured otherwise',
  },
  deliveryTimeoutMs: { value: 10_000, unit: 'ms', says: 'time a listener has to respond' },
  deliveryAnswerBytes: {
    value: 64 * KiB,
    unit: 'bytes',
    says: "bytes of a listener's response that are read",
  },
  deliveryKeptBytes: {
    value: 4 * KiB,
    unit: 'bytes',
    says: "bytes of a listener's response that are stored with the attempt",
  },
  editedDeliveryBytes: {
    value: 256 * KiB,
    unit: 'bytes',
    says: 'the body of a delivery that is edited and sent from the console, in the sandbox',
  },
  deliveryAttemptsShown: {
    value: 100,
    unit: 'items',
    says: 'attempts of one delivery that are shown',
  },
  deliveryFactsBytes: {
    value: 1024 ** 3,
    unit: 'bytes',
    says: 'headers and responses of attempts that the hub stores; the oldest are removed first',
  },
  callsCounted: {
    value: 10_000,
    unit: 'items',
    says: 'rows of the call log that the console counts for a filter',
  },
  deliveriesCounted: {
    value: 10_000,
    unit: 'items',
    says: 'deliveries that the console counts for a filter',
  },
  listenerDeliveriesCounted: {
    value: 1_000,
    unit: 'items',
    says: "deliveries of a listener's last 24 hours that its figures in the console count; the newest ones",
  },
  deliveryCauses: { value: 200, unit: 'items', says: 'causes of failing deliveries in one list' },
  replayAtOnce: {
    value: 1_000,
    unit: 'items',
    says: 'deliveries that are replayed within the call; more are replayed in the background',
  },
  retryAtOnce: {
    value: 1_000,
    unit: 'items',
    says: 'tasks that are made due within the call; more are made due in the background',
  },
  deliveryLogMs: {
    value: 30 * day,
    unit: 'ms',
    says: 'how long a successful delivery stays in the log',
  },
  deliveryRetryMs: {
    value: 72 * hour,
    unit: 'ms',
    says: 'how long a delivery is retried before it is parked',
  },
  listenerFailingMs: {
    value: 3 * day,
    unit: 'ms',
    says: 'how long a listener may fail before it is disabled',
  },
  secretOverlapMs: {
    value: day,
    unit: 'ms',
    says: 'how long the old secret of a listener still signs, together with the new one',
  },

  contentBytesAtOnce: {
    value: 128 * MiB,
    unit: 'bytes',
    says: 'content that a node keeps in memory for quotes and translations, with what may be read out of it; one site may use half of it, further content waits',
  },

  countedTextBytes: {
    value: 128 * MiB,
    unit: 'bytes',
    says: 'memory for the different texts of a job whose words are counted: up to 48 bytes for each text, and 16 more for every further 32 pairs of languages; the words of a job with more are not counted',
  },

  deliveredBytes: {
    value: 64 * MiB,
    unit: 'bytes',
    says: 'total size of the key-value files that a provider delivers in one call',
  },

  // The call log
  callLogMs: { value: 7 * day, unit: 'ms', says: 'how long a row of the call log is kept' },
  callLogRows: { value: 1_000_000, unit: 'items', says: 'rows of the call log' },
  callLogBodyBytes: {
    value: 16 * KiB,
    unit: 'bytes',
    says: 'bytes of a body in the call log (sandbox and staging only)',
  },
  callLogIdCharacters: {
    value: 64,
    unit: 'characters',
    says: 'characters of a path parameter in the call log; longer ones are cut',
  },
  callLogAddressRows: {
    value: 3_000,
    unit: 'items',
    says: 'rows of the call log per minute and address, or as many as the rate limit allows calls; further calls are counted in one row',
  },
  callLogMinuteRows: {
    value: 60_000,
    unit: 'items',
    says: 'rows of the call log per minute and node; further calls are counted in one row',
  },

  // The audit log
  auditMs: { value: 365 * day, unit: 'ms', says: 'how long a row of the audit log is kept' },

  // Findings
  findingsPerRule: {
    value: 100,
    unit: 'items',
    says: 'findings of one rule that are listed; one more item counts the others',
  },

  // The console
  dueSoonMs: {
    value: 3 * day,
    unit: 'ms',
    says: 'how long before its due date a job counts as due soon',
  },
  findCharacters: { value: 200, unit: 'characters', says: 'what GET /find looks for' },
  foundThings: { value: 20, unit: 'items', says: 'things that GET /find returns' },
  streamsPerSession: {
    value: 10,
    unit: 'items',
    says: 'event streams of one session of the console',
  },
  streamsPerNode: { value: 2_000, unit: 'items', says: 'event streams of a node' },
  streamLagBytes: {
    value: 64 * KiB,
    unit: 'bytes',
    says: 'unread bytes after which an event stream is closed',
  },
  // People and their sessions
  personNameBytes: { value: 200, unit: 'bytes', says: 'name of a person' },
  passwordCharacters: {
    value: 12,
    unit: 'characters',
    says: 'least length of a password of a person',
  },
  passwordBytes: { value: 1_000, unit: 'bytes', says: 'longest password' },
  sessionIdleMs: {
    value: 8 * hour,
    unit: 'ms',
    says: 'a console session ends when it is not used for so long',
  },
  sessionMs: { value: 7 * day, unit: 'ms', says: 'a console session ends at the latest after' },
  confirmedMs: {
    value: 10 * minute,
    unit: 'ms',
    says: 'how long a confirmed session may change secrets and people',
  },
  linkMs: { value: day, unit: 'ms', says: 'how long a sign-in link can be used' },
  passkeys: { value: 20, unit: 'items', says: 'passkeys of one person' },
  recoveryCodes: { value: 10, unit: 'items', says: 'recovery codes created at a time' },

  // Reports
  reportDays: { value: 400, unit: 'items', says: 'days of the period of a report' },
  reportGroups: {
    value: 200,
    unit: 'items',
    says: 'groups of a report, such as providers; those with the fewest jobs or requests are one further group',
  },

  // Guessing of secrets (contract, section 11)
  guesses: {
    value: 10,
    unit: 'items',
    says: 'failed token calls per minute for one client and address',
  },
  guessPauseMs: {
    value: minute,
    unit: 'ms',
    says: 'longest pause after too many failed token calls',
  },
} as const satisfies Record<string, LimitRow>

export type LimitName = keyof typeof limitRows

const values = (rows: Record<string, { value: number }>) =>
  Object.fromEntries(Object.entries(rows).map(([name, row]) => [name, row.value]))

export const quotas = values(quotaRows) as { readonly [Q in QuotaName]: number }
export const limits = values(limitRows) as { readonly [L in LimitName]: number }
