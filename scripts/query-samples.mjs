/**
 * The arguments with which scripts/queries.mjs calls the row functions. Most need none: `anything`
 * stands in for a text, a number, a list or a row. `cases` has those that need a real value (some
 * per database): one entry for each path that makes different SQL, by parameter name; `unspoken` are
 * exported beside them and make no SQL.
 */
import { noFields } from '../packages/server/dist/domain/jobs/job-fields.js'
import { keyed } from '../packages/server/dist/domain/views/search/find-rows.js'

const jobOrder = [
  { column: 'created_at', descending: true },
  { column: 'job_id', descending: true },
]
const dueOrder = [
  { column: 'due_at', descending: false, nullable: true },
  { column: 'job_id', descending: false },
]
const term = (column, operator, nullable) => ({
  is: 'term',
  field: { kind: 'text', column, ...(nullable && { nullable }) },
  operator,
  value: 'x',
})
const filter = {
  is: 'or',
  parts: [
    { is: 'and', parts: [term('status', 'eq'), term('provider_id', 'ne', true)] },
    { is: 'not', part: { is: 'label', name: 'x', operator: 'eq' } },
    { is: 'label-value', name: 'x', operator: 'ne', value: 'y' },
    { is: 'code', level: 1, key: 'x', operator: 'eq' },
    { is: 'in', field: { kind: 'text', column: 'job_id' }, values: ['x', 'y'] },
    {
      is: 'like',
      field: { kind: 'text', column: 'po_reference', nullable: true },
      text: 'x',
      from: 'anywhere',
    },
    { is: 'work', of: { providerIds: ['x'], languages: ['x'] } },
  ],
}

const job = {
  ...noFields,
  ...Object.fromEntries(
    ['job_id', 'site_id', 'job_name', 'creator_id', 'cause_id'].map((name) => [name, 'x']),
  ),
  ...Object.fromEntries(
    ['created_at', 'modified_at', 'activity_at', 'archival_at'].map((name) => [name, 1]),
  ),
  ...{
    status: 'CREATED',
    archive_status: 'ACTIVE',
    archived: 0,
    has_error: 0,
    acknowledged: 0,
    version: 1,
  },
}
const codes = [{ level: 1, code_key: 'x', code_id: null }]
const labels = [{ name: 'x', value: 'y' }]

/** A row with a text in every column: statements on many rows read what they bind. */
const rows = [new Proxy({}, { get: () => 'x' })]
const numbers = [new Proxy({}, { get: () => 1 })]
const own = [{ request_id: 'x', status: 'CREATED', translation_content_id: 'x' }]

/** Signs the links of a chain. */
const vault = { sign: () => Buffer.from('x'), digest: () => 'x' }
const head = { name: 'calls', last: 1, hash: 'x', anchor: 0, anchor_hash: '', bytes: 1, seal: 'x' }

const queues = [{ listenerId: 'x', jobId: 'x', position: 1, task: { taskId: 1, fence: 1 } }]

const sealed = { table: 'site_keys', key: ['site_id', 'version'], column: 'sealed_key' }
const sample = { listenerIds: ['x', 'y'], since: 1, limit: 100 }
const ofSiteOrAll = () => [{ siteId: 'x' }, { siteId: undefined }]
const retries = { name: 'x', state: 'later', after: 0, upTo: 1 }
const delivery = {
  delivery_id: 'x',
  listener_id: 'x',
  site_id: 'x',
  event_type: 'x',
  job_id: 'x',
  uri: 'x',
  body: 'x',
}

const task = { taskId: 1, fence: 1, name: 'x' }
const someTasks = () => [{ tasks: [task] }]

const anyQuota = { quota: 'MaxBytesPerSite' }
const part = { after: ['x', 'x', 'x'], limit: 1 }
const calls = { jobId: 'x', code: 'x', status: 404, clientId: 'x', route: 'x', since: 1, until: 1 }
const acts = { thingId: 'x', clientId: 'x', verb: 'x', thing: 'x', since: 1, until: 1 }
const ofJob = () => [{ siteId: 'x', jobId: 'x', part }]

export const cases = {
  resetChains: () => [{ vault }],
  selectCalls: () => [
    { siteId: 'x', filter: calls },
    { siteId: 'x', filter: { status: 404 } },
    { siteId: 'x', filter: { jobId: 'x', statusClass: 'failed' } },
    { siteId: undefined, filter: {} },
  ],
  selectStatuses: () => [
    { siteId: 'x', statusClass: 'failed' },
    { siteId: undefined, statusClass: '5xx' },
  ],
  ...Object.fromEntries(
    ['tasksDue', 'jobsDue', 'jobsToArchive', 'secretsEnding'].map((name) => [
      name,
      () => [{ '{ after, until, limit }': { after: 1, until: 2, limit: 20 } }],
    ]),
  ),
  selectCall: () => [{ siteId: 'x' }, { siteId: undefined }],
  selectProviderWork: () => [
    { siteId: 'x', filter: { providerId: 'x', states: ['OPEN', 'RUNNING', 'REJECTED'] } },
    {
      siteId: 'x',
      filter: {
        ...{ providerId: 'x', states: ['DELIVERED'], personId: 'x', seenBy: 'x' },
        ...{ languages: ['x'], since: 1, until: 2 },
      },
      '{ after, limit }': { after: [1, 'x', 1], limit: 20 },
    },
  ],
  selectActs: () => [
    { siteId: 'x', filter: acts },
    { siteId: undefined, filter: {} },
  ],
  callsOfJob: ofJob,
  filesOfJob: ofJob,
  quotesOfJob: ofJob,
  movesOfJob: ofJob,
  updatesOfJob: ofJob,
  tasksOfJob: ofJob,
  deliveriesOfJob: ofJob,
  attemptsOfJob: ofJob,
  requestsNamed: () => [{ siteId: 'x', jobId: 'x', wanted: { requestIds: ['x'], fileIds: ['x'] } }],
  finishTask: () => [{ task }],
  endTasks: someTasks,
  finishTasks: someTasks,
  lockHeld: someTasks,
  releaseTasks: someTasks,
  extendLeases: () => [{ tasks: [task], leaseUntil: 1 }],
  postponeTasks: () => [{ tasks: [{ task, dueAt: 1 }] }],
  extendChain: (db) => [{ store: { db, vault }, name: 'calls', rows: [{}] }],
  cutChain: (db) => [
    { store: { db, vault }, before: head, cut: { number: 1, hash: 'x', bytes: 1 } },
  ],
  insertCalls: () => [{ rows }],
  insertActs: () => [{ rows }],
  rowsAfter: () => [{ name: 'calls' }, { name: 'audit' }],
  strayRow: () => [{ name: 'calls' }, { name: 'audit' }],
  selectNext: () => [{ queues }],
  selectWaiting: () => [{ queues }],
  endQueues: () => [{ queues }],
  selectContents: () => [{ contentIds: ['x'], siteId: 'x', jobId: 'x' }],
  selectByHash: () => [{ rows }],
  selectTargets: () => [{ rows }],
  selectPostings: () => [{ rows: numbers }],
  selectSources: () => [{ rows: numbers }],
  writeOutcomes: () => [
    {
      outcomes: [
        {
          position: 1,
          state: 'DELIVERED',
          attemptedAt: 1,
          nextAttemptAt: null,
          responseCode: 204,
          error: null,
        },
      ],
    },
  ],
  insertAttempts: () => [{ rows }],
  hastenQueues: () => [{ queues, now: 1 }],
  selectNewest: () => [
    { filter: { siteId: 'x' }, page: { limit: 51 } },
    {
      filter: { siteId: 'x', listenerId: 'x', since: 1, until: 2 },
      page: { before: [1, 1], limit: 51 },
    },
    { filter: { siteId: 'x', jobId: 'x', states: ['PARKED'] }, page: { limit: 51 } },
    { filter: { responseCode: 500 }, page: { limit: 51 } },
  ],
  countNewest: () => [
    { filter: { siteId: 'x', listenerId: 'x' }, limit: 100 },
    { filter: { error: 'x' }, limit: 100 },
  ],
  selectDelivery: ofSiteOrAll,
  selectCauses: ofSiteOrAll,
  selectTold: () => [
    { siteId: 'x', which: { listenerId: 'x' } },
    { siteId: undefined, which: { from: 'x' } },
  ],
  selectChosen: () => [
    { replay: { mode: 'failed', filter: { siteId: 'x' }, between: [1, 2] } },
    { replay: { mode: 'all', filter: {}, deliveryIds: ['x'] } },
  ],
  countFollowing: () => [
    { replay: { mode: 'failed', filter: { siteId: 'x' } } },
    { replay: { mode: 'all', filter: {}, deliveryIds: ['x'] } },
  ],
  countByHour: () => [{ sample, hourMs: 3_600_000 }],
  countDurations: () => [{ sample }],
  selectLastFailures: () => [{ sample }],
  selectKnown: () => [
    { siteId: 'x', ids: ['x'] },
    { siteId: undefined, ids: ['x'] },
  ],
  appendDeliveries: () => [{ rows: [{ ...delivery, from: 1 }] }],
  selectUpdates: () =>
    [
      { clientId: 'x' },
      { jobIds: ['x'], statuses: ['CANCELLED'], acknowledged: true },
      { acknowledged: false },
    ].map((more) => ({
      filter: {
        jobIds: [],
        statuses: [],
        after: { clientId: 'x', sequence: 1 },
        limit: 1,
        ...more,
      },
    })),
  selectUpdatesOf: () => [
    {
      '{ jobId, since, until, after, limit }': {
        jobId: 'x',
        since: 1,
        until: 2,
        after: 1,
        limit: 51,
      },
    },
  ],
  selectTasks: () => [
    { filter: { siteId: 'x' }, page: { now: 1, limit: 51 } },
    {
      filter: { siteId: 'x', name: 'x', state: 'running' },
      page: { now: 1, before: [1, 1], limit: 51 },
    },
    { filter: { siteId: 'x', jobId: 'x', state: 'later', since: 1 }, page: { now: 1, limit: 51 } },
    { filter: { state: 'due' }, page: { now: 1, limit: 51 } },
    { filter: { name: 'x', state: 'parked' }, page: { now: 1, limit: 51 } },
  ],
  lockTask: ofSiteOrAll,
  countRetries: () => [
    { choice: { siteId: 'x', state: 'parked', after: 0, upTo: 1 } },
    { choice: { ...retries } },
  ],
  retrySome: () => [
    { choice: { siteId: 'x', state: 'parked', after: 0, upTo: 1 } },
    { choice: { ...retries } },
  ],
  listClients: () => [{ siteId: 'x' }, { siteId: undefined }],
  pageOfClients: () => [
    { siteId: 'x', page: { limit: 51 } },
    { siteId: undefined, page: { after: [1, 'x'], limit: 51 } },
  ],
  pageOfSites: () => [{ page: { limit: 51 } }, { page: { after: [1, 'x'], limit: 51 } }],
  selectArchivedUntil: () => [{ siteId: 'x' }, { siteId: undefined }],
  rowsOfSite: () => [
    { siteId: 'x', table: 'jobs', how: { of: 'site', key: ['job_id'] } },
    { siteId: 'x', table: 'memory_units', how: { of: 'memory', key: ['memory_id', 'unit_id'] } },
    {
      siteId: 'x',
      table: 'client_providers',
      how: { of: 'client', key: ['client_id', 'provider_id'] },
    },
    { siteId: 'x', table: 'attempts', how: { of: 'delivery', key: ['position', 'number'] } },
  ],
  writeValue: () => [{ place: sealed, at: ['x', 1], value: 'x' }],
  writeHashes: () => [
    { name: 'calls', links: numbers },
    { name: 'audit', links: numbers },
  ],
  writeHead: () => [{ row: head }],
  beatNode: () => [{ clock: { now: () => 1, offset: () => 0 } }],
  ...Object.fromEntries(
    [
      ...['parkedTasks', 'listenersWithParked', 'sendingJobs', 'overdueJobs', 'endingSecrets'],
      'openQuestions',
      ...['failingListeners', 'unacknowledgedJobs', 'failingTasks'],
    ].map((name) => [
      name,
      ({ read: db }) =>
        ofSiteOrAll().map(({ siteId }) => {
          const look = { db, siteId, thingId: '1', limit: 20 }
          return { look, '{ db, siteId }': look, typeIds: ['x'] }
        }),
    ]),
  ),
  ...Object.fromEntries(
    ['ownQuotas', 'selectUse', 'selectOpenUpdates'].map((name) => [
      name,
      () => [
        { siteId: 'x', ...anyQuota },
        { siteId: undefined, ...anyQuota },
      ],
    ]),
  ),
  countOpen: () => [{ known: true }, { known: false }],
  insertRequests: () => [{ rows }],
  insertContents: () => [{ rows }],
  insertUnits: () => [{ rows }],
  insertPostings: () => [{ rows }],
  insertTerms: () => [{ rows }],
  updateTerm: () => [{ change: { entries: 'x', version: 2, modified_at: 1 } }],
  selectTerms: () => [
    { filter: {}, page: { limit: 51 } },
    { filter: { language: 'x', text: 'x' }, page: { after: ['x', 'x'], limit: 51 } },
  ],
  updateRequests: () => [
    { alike: { has_error: 0, error_message: null, last_try: null, modified_at: 1 }, own },
  ],
  writeDrafts: () => [{ rows }],
  selectDrafts: () => [{ segmentIds: ['x'] }, { segmentIds: ['x', 'y'] }],
  updateContentKeys: () => [{ alike: { site_key: 2 }, own: [{ key_of: 'x', sealed_key: 'x' }] }],
  deleteContentKeys: () => [{ keysOf: ['x'] }],
  insertJob: () => [{ row: job, labels }],
  replaceLabels: () => [{ labels }],
  keepTries: () => [{ values: { failures: 1, since: 1, blocked_until: 1 } }],
  jobsWithWrongFlag: () => [{ archived: ['ARCHIVING', 'ARCHIVED'] }],
  selectJobs: () => [
    { page: { archived: false, terms: jobOrder, limit: 51 } },
    { page: { archived: false, terms: jobOrder, after: [1, 'x'], limit: 51 } },
    { page: { archived: true, terms: dueOrder, after: [1, 'x'], limit: 51 } },
    { page: { archived: true, terms: dueOrder, after: [null, 'x'], limit: 51 } },
    { page: { archived: false, filter, terms: jobOrder, limit: 51 } },
  ],
  rareLabels: () => [{ filter }],
  countJobs: () => [
    { what: { status: 'CREATED' } },
    { what: { dueFrom: 1, dueBefore: 2 } },
    { what: { hasError: true }, filter },
  ],
  selectInTranslation: () => [{ filter: undefined, limit: 1 }],
  countInReview: () => [{ jobIds: ['x'], limit: 1 }],
  countFailingDeliveries: ofSiteOrAll,
  jobsById: () => [{ jobIds: ['x'] }],
  jobsNamed: () => [{ start: 'x', '{ archived, limit }': { archived: 0, limit: 1 } }],
  jobsReferred: () =>
    ['po_reference', 'global_tracking_id'].map((column) => ({
      '{ column, text }': { column, text: 'x' },
      '{ archived, limit }': { archived: 0, limit: 1 },
    })),
  rowById: () =>
    Object.values(keyed).flatMap((from) =>
      ofSiteOrAll().map(({ siteId }) => ({
        siteId,
        '{ table, key, columns, newestBy }': from,
        id: 'x',
      })),
    ),
  jobsLabelled: () => [{ label: { start: 'x' } }, { label: { name: 'x', value: 'y' } }],
  requestOfNewest: () => [{ '{ archived, limit }': { archived: 0, limit: 1 } }],
  ...Object.fromEntries(
    ['clientsNamed', 'newestPeople', 'selectStored'].map((name) => [name, ofSiteOrAll]),
  ),
  jobsOfMore: () => [{ quota: 'MaxReqsPerJob', than: 1 }],
  claimTasks: () => [{ claim: { nodeId: 'x', now: 1, leaseUntil: 2, many: 10, lane: 'own' } }],
  insertCodes: () => [{ codes }],
  replaceCodes: () => [{ codes }],
  selectRecipients: () => [{ concerned: { clientIds: ['x'], providerIds: ['x'] } }],
  selectByKeys: () => [{ keys: [{ level: 1, key: 'x' }] }],
  selectKnownCodes: () => [{ codeIds: ['x'] }],
  selectCodes: () => [{ asked: { hidden: true } }, { asked: { level: 1, hidden: false } }],
  selectPriceLists: () => [{ page: { limit: 51 } }, { page: { before: 3, limit: 51 } }],
  selectProviders: () => [
    { page: { limit: 51 } },
    { page: { only: ['x'], after: [1, 'x'], limit: 51 } },
  ],
}

export const unspoken = new Set([
  'endingUnless',
  'nameOf',
  'sumOf',
  'lock',
  'stateAt',
  'siblingKey',
  'withoutIndex',
  'isPostgres',
  'restOf',
  'conditionOf',
  'matching',
  'isInto',
  'isWork',
])
