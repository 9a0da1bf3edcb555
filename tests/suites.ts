/**
 * Test files that do not run in the usual way: in the gate (`npm test`), in a process that also
 * runs other files, on the databases that postgres-files.ts says. Every row has its reason. A path
 * ending in / is a folder. `suites.test.ts` checks that every row names existing files.
 */
export type DatabaseKind = 'sqlite' | 'postgres'
type Reasons = Readonly<Record<string, string>>

const page = 'all of one page in a browser; every-page opens it in `npm test`'

/** Only in `npm run test:all`. */
export const slow: Reasons = {
  'tests/apertium-texts.test.ts': 'asks a real engine about many sentences',
  'tests/bench.test.ts': 'runs a quick figure of every kind of the bench',
  'tests/browser/sdk.test.ts': 'the client in a browser; sdk runs in Node in `npm test`',
  'tests/certify.test.ts': 'every scenario of certification',
  'tests/ci-recipe.test.ts': 'runs the recipe for CI of the documentation',
  'tests/code-samples-run.test.ts': 'runs the code samples in five languages',
  'tests/code-samples.test.ts': 'compiles the code samples in other languages',
  'tests/connectors/payload.test.ts': 'installs Payload; connector-body runs in `npm test`',
  'tests/console/access.test.ts': page,
  'tests/console/back.test.ts': 'long lists in a browser, each opened and left several times',
  'tests/console/calls.test.ts': page,
  'tests/console/chain.test.ts': page,
  'tests/console/chip-editor.test.ts':
    'random edits in a browser; desk-formats types in it in `npm test`',
  'tests/console/codes.test.ts': page,
  'tests/console/counted-tasks.test.ts':
    'tasks of several pages; job and jobs count the rest in `npm test`',
  'tests/console/deliveries.test.ts': page,
  'tests/console/drafts.test.ts': 'kills of the hub and many drafts; spec/desk runs in `npm test`',
  'tests/console/first-load.test.ts': 'opens every page again; every-page opens them in `npm test`',
  'tests/console/health.test.ts': page,
  'tests/console/jobs.test.ts': page,
  'tests/console/listeners.test.ts': page,
  'tests/console/live.test.ts':
    'pages that change while a person looks; spec/console-stream has the calls',
  'tests/console/palette.test.ts': page,
  'tests/console/pictures.test.ts': 'draws every picture of the documentation',
  'tests/console/prices.test.ts': page,
  'tests/console/providers.test.ts': page,
  'tests/console/reports.test.ts': page,
  'tests/console/routing.test.ts': page,
  'tests/console/sandbox.test.ts': page,
  'tests/console/shell.test.ts': page,
  'tests/console/sign-in.test.ts':
    'all of one page in a browser; sign-in has the calls in `npm test`',
  'tests/console/small-screens.test.ts':
    'the lists on three small screens; the views of each page have a phone',
  'tests/console/wide-lists.test.ts': 'the lists of ten pages; every-page opens them in `npm test`',
  'tests/content-memory.test.ts': 'measures memory with large contents',
  'tests/demo.test.ts': 'runs the demo',
  'tests/deploy/monitoring.test.ts': 'promtool judges the alerts',
  'tests/doc-commands.test.ts': 'runs every command of every page',
  'tests/docs-site/browser.test.ts': 'each kind of page of the documentation in a browser',
  'tests/faults/':
    'samples of the fault campaigns: hubs are killed, disks fill up, databases fail over',
  'tests/formats/app-judges.test.ts':
    'asks the programs of other makers about files of each format',
  'tests/formats/edits.test.ts':
    'hundreds of random edits of each format, judged by other programs',
  'tests/formats/real-files.test.ts':
    'reads every file of a format that is installed on the machine',
  'tests/generated-clients.test.ts': 'generates clients in Python and PHP',
  'tests/operator-recipes.test.ts':
    'follows the recipes of operators on one hub, which is stopped, lost and moved',
  'tests/operators-day.test.ts': 'follows the day of an operator through the documentation',
  'tests/package-tools.test.ts':
    'OmegaT and translate-toolkit work on packages; spec/packages has the calls',
  'tests/packages.test.ts': 'packs the packages, installs them and compiles against them',
  'tests/pair-growth.test.ts':
    'measures how work grows where two inputs meet; bounded-work has each in `npm test`',
  'tests/pofilter.test.ts': 'compares the checks with those of translate-toolkit',
  'tests/process.test.ts': 'starts and ends the program as operators do',
  'tests/push-formats.test.ts': 'pushes and pulls a project of each format',
  'tests/recipes.test.ts': 'follows the recipes of the documentation',
  'tests/release.test.ts': 'makes a release',
  'tests/scanner-growth.test.ts': 'every reader with texts that double',
  'tests/sealed-spec.test.ts': 'files and the round again, on a hub that seals',
  'tests/spec/apertium.test.ts': 'a real translation engine',
  'tests/spec/large-requests.test.ts': 'thousands of large requests in one call',
  'tests/spec/real-size.test.ts': 'translates files of megabytes',
  'tests/testing-hub.test.ts': 'starts hubs inside test runners, as connector developers do',
  'tests/upstream/certify.test.ts': 'certifies a connector at a hub with another one behind it',
  'tests/webhook-samples.test.ts': 'runs the webhook samples in each language',
}

/** The gate runs these on both databases, whichever postgres-files.ts names. */
export const both: Reasons = {
  'tests/fault-samples.test.ts': 'leases and locks are what differs',
  'tests/model-walk.test.ts': 'everything that a job can go through, on each of them',
}

const views = 'not the views of the page'

/** A fixed sample in `npm test`, everything in `npm run test:all`: by draws.ts. */
export const drawn: Reasons = {
  'connectors/payload/src/localise.test.ts': 'some of the generated models',
  'connectors/walker/src/rules.test.ts': 'some of the generated entries',
  'connectors/walker/src/walk.test.ts': 'some of the generated content',
  'packages/text/src/formats/hostile.test.ts': 'some of the large files',
  'packages/text/src/placeholders/protect.test.ts': 'some of the hostile texts',
  'tests/bounded-work.test.ts': 'a fifth of the largest lists',
  'tests/check-files.test.ts': 'fewer rounds beside a busy hub',
  'tests/connectors/connector-body.test.ts': 'some of the steps at which a process ends',
  'tests/console/desk-formats.test.ts': 'three of the formats',
  'tests/console/every-page.test.ts': 'the catalogue of every third page',
  'tests/console/job.test.ts': views,
  'tests/console/list-page.test.ts': views,
  'tests/console/new-job.test.ts': views,
  'tests/console/work.test.ts': views,
  'tests/console/workbench.test.ts': views,
  'tests/engines/faults.test.ts': 'some of the faults',
  'tests/fault-samples.test.ts': 'some of the fault points and of the histories',
  'tests/formats/hostile-text.test.ts': 'some of the large files',
  'tests/formats/laws.test.ts': 'some of the generated files',
  'tests/formats/office.test.ts': 'all but what LibreOffice opens',
  'tests/formats/sentences.test.ts': 'some of the generated texts',
  'tests/model-walk.test.ts': 'some of the walks',
  'tests/push-delta.test.ts': 'fifty unchanged files, not a thousand',
  'tests/regexes/growth.test.ts': 'some of the texts',
  'tests/spec/resumed-work.test.ts': 'some of the drawn orders of moves',
  'tests/spec/routing.test.ts': 'some of the drawn rules',
}

type DatabaseRow = {
  readonly database: DatabaseKind
  readonly why: string
  /** `npm run test:all` runs it on both. */
  readonly all?: 'both'
}

/** On one database, because the test touches none. */
export const databaseOf: Readonly<Record<string, DatabaseRow>> = {
  'tests/backup.test.ts': {
    database: 'postgres',
    all: 'both',
    why: 'the copy of a server is the harder one',
  },
  'tests/apertium-texts.test.ts': {
    database: 'sqlite',
    why: 'answers of an engine; no row is touched',
  },
  'tests/bounded-work.test.ts': {
    database: 'sqlite',
    why: 'work in memory and in threads; spec/desk and spec/terms run on both',
  },
  'tests/pair-growth.test.ts': {
    database: 'sqlite',
    why: 'work in memory and in threads; no row is written but those of the desk',
  },
  'tests/break-ins.test.ts': {
    database: 'sqlite',
    all: 'both',
    why: 'attacks that end before a row is touched, most of them',
  },
  'tests/check-files.test.ts': {
    database: 'postgres',
    all: 'both',
    why: 'files; check runs on both',
  },
  'tests/console/back.test.ts': {
    database: 'sqlite',
    why: 'what the browser keeps; spec/ has the lists',
  },
  'tests/console/chip-editor.test.ts': { database: 'sqlite', why: 'an editor; no row is touched' },
  'tests/console/deliveries.test.ts': {
    database: 'sqlite',
    why: 'a page; spec/operating-deliveries runs on both',
  },
  'tests/console/desk-formats.test.ts': {
    database: 'sqlite',
    why: 'pages; spec/desk runs on both',
  },
  'tests/console/drafts.test.ts': {
    database: 'sqlite',
    why: 'what the browser keeps; spec/desk runs on both',
  },
  'tests/console/every-page.test.ts': {
    database: 'postgres',
    why: 'every page once, on the database that other pages lack',
  },
  'tests/console/job.test.ts': {
    database: 'sqlite',
    why: 'a page; spec/jobs and spec/requests run on both',
  },
  'tests/console/jobs.test.ts': {
    database: 'sqlite',
    why: 'a page; spec/jobs and job-indexes run on both',
  },
  'tests/console/list-page.test.ts': {
    database: 'sqlite',
    why: 'what pages share; every-page has them on the other engine',
  },
  'tests/console/new-job.test.ts': {
    database: 'sqlite',
    why: 'a page; spec/jobs and spec/files run on both',
  },
  'tests/console/chain.test.ts': { database: 'sqlite', why: 'a page; spec/chain runs on both' },
  'tests/console/work.test.ts': { database: 'sqlite', why: 'a page; spec/desk runs on both' },
  'tests/console/workbench.test.ts': { database: 'sqlite', why: 'a page; spec/desk runs on both' },
  'tests/console/routing.test.ts': { database: 'sqlite', why: 'a page; spec/routing runs on both' },
  'tests/console/prices.test.ts': {
    database: 'sqlite',
    why: 'a page; prices and spec/quotes run on both',
  },
  'tests/engines/chat.test.ts': {
    database: 'sqlite',
    why: 'what servers answer; spec/translations runs on both',
  },
  'tests/engines/faults.test.ts': {
    database: 'sqlite',
    why: 'what vendors answer; spec/translations runs on both',
  },
  'tests/engines/vendors.test.ts': {
    database: 'sqlite',
    why: 'what vendors answer; spec/translations runs on both',
  },
  'tests/mtls.test.ts': {
    database: 'sqlite',
    why: 'certificates of connections; spec/access runs on both',
  },
  'tests/oidc.test.ts': { database: 'sqlite', why: 'redirects and cookies; sign-in runs on both' },
  'tests/roles.test.ts': { database: 'sqlite', why: 'who may make a call, not what it does' },
  'tests/sandbox-faults.test.ts': { database: 'sqlite', why: 'faults on the wire' },
  'tests/sandbox.test.ts': { database: 'sqlite', all: 'both', why: 'that of nearly every sandbox' },
  'tests/sealed-spec.test.ts': {
    database: 'sqlite',
    why: 'sealing is above the database; spec/ runs on both',
  },
  'tests/sign-in.test.ts': {
    database: 'sqlite',
    all: 'both',
    why: 'passwords and cookies; spec/people runs on both',
  },
  'tests/soap/clients.test.ts': {
    database: 'sqlite',
    why: 'what clients make of the WSDL; soap/operations runs on both',
  },
  'tests/soap/faults.test.ts': {
    database: 'sqlite',
    why: 'input that is refused before it reaches a row',
  },
  'tests/spec/apertium.test.ts': {
    database: 'sqlite',
    why: 'a real translation engine; spec/translations runs on both',
  },
  'tests/spec/formats.test.ts': { database: 'sqlite', why: 'how files are read' },
  'tests/spec/forms.test.ts': {
    database: 'sqlite',
    why: 'forms of uploads; spec/files runs on both',
  },
  'tests/spec/guessers.test.ts': {
    database: 'postgres',
    all: 'both',
    why: 'that of hubs that strangers reach',
  },
  'tests/spec/machine-translation.test.ts': {
    database: 'sqlite',
    why: 'what translation databases answer; spec/round and spec/translations run on both',
  },
  'tests/spec/provider-schemas.test.ts': {
    database: 'sqlite',
    why: 'checks of a schema before it is stored',
  },
  'tests/spec/sites.test.ts': {
    database: 'postgres',
    all: 'both',
    why: 'that of hubs with many sites',
  },
  'tests/upstream/cassette.test.ts': {
    database: 'postgres',
    all: 'both',
    why: 'calls on the wire; upstream/round runs on both',
  },
  'tests/upstream/certify.test.ts': {
    database: 'sqlite',
    why: 'what a connector sees; upstream/round runs on both',
  },
  'tests/upstream/second-node.test.ts': {
    database: 'postgres',
    why: 'two nodes are on one database there',
  },
  'tests/upstream/faults.test.ts': {
    database: 'sqlite',
    all: 'both',
    why: 'what an upstream answers; upstream/round runs on both',
  },
}

const counts =
  'counts work in methods of its own, after which V8 no longer runs regular expressions at full speed'

/** In a process of its own, because it changes or measures its process. */
export const isolated: Reasons = {
  'packages/cli/src/connector/project.test.ts': counts,
  'packages/server/src/blobs/give-back.test.ts': 'measures memory',
  'packages/text/src/formats/html/html.test.ts': counts,
  'packages/text/src/placeholders/protect.test.ts': counts,
  'packages/server/src/doors/http/redact.test.ts': counts,
  'packages/server/src/process/log.test.ts': counts,
  'tests/blobs.test.ts': 'sets the credentials of its object store in the environment',
  'tests/content-memory.test.ts': 'measures memory',
  'tests/faults/blobs.test.ts': 'sets the credentials of its object store in the environment',
  'tests/faults/bucket.test.ts': 'sets the credentials of its object store in the environment',
  'tests/faults/outgoing.test.ts': 'replaces the lookup of names',
  'tests/regexes/growth.test.ts': counts,
  'tests/scanner-growth.test.ts': counts,
  'tests/scanner-reach.test.ts': 'sees which functions run, also those that run once in a process',
  'tests/sealed-spec.test.ts': 'switches sealing on in the environment',
}

export const names = (row: string, path: string): boolean =>
  row.endsWith('/') ? path.startsWith(row) : path === row

/** The row of a table that names this file. */
export const find = <T>(rows: Readonly<Record<string, T>>, path: string): T | undefined =>
  Object.entries(rows).find(([row]) => names(row, path))?.[1]

/** In the form of vitest's `include` and `exclude`. */
export const patternsOf = (rows: Readonly<Record<string, unknown>>): string[] =>
  Object.keys(rows).map((row) => (row.endsWith('/') ? `${row}**/*.test.ts` : row))
