/**
 * The table of faults on demand: the name of each, what happens, and how a good connector reacts. docs/faults-on-demand.md is
 * generated from it, GET /sandbox/faults shows it, and a test covers every row.
 */
export type Place = 'call' | 'work' | 'delivery'
export type Scenario = {
  readonly says: string
  readonly goodConnector: string
  /** Where it acts: on a call of the connector, on the work of the hub and the provider, or on a call to a listener. */
  readonly on: Place
  /** How often it acts by default: per labelled job, and per POST /sandbox/faults. */
  readonly times: number
  /** What can be set: real seconds (a wait, a Retry-After), or a duration on the hub's clock. */
  readonly seconds?: number
  readonly by?: string
}

const table = {
  'rate-limit-storm': {
    says: 'Calls to /v2 are refused with 429 RATE_LIMITED and a Retry-After.',
    goodConnector: 'Waits as long as Retry-After says, then sends the same call again.',
    on: 'call',
    times: 3,
    seconds: 1,
  },
  'rate-limit-silent': {
    says: 'Calls to /v2 are refused with 429 RATE_LIMITED, without a Retry-After.',
    goodConnector:
      'Waits longer after each refusal, with some chance in it, and gives up after a limited number of tries.',
    on: 'call',
    times: 3,
  },
  unavailable: {
    says: 'Calls to /v2 are refused with 503 SERVICE_UNAVAILABLE and a Retry-After.',
    goodConnector: 'Waits as long as Retry-After says, then sends the same call again.',
    on: 'call',
    times: 2,
    seconds: 1,
  },
  'unavailable-silent': {
    says: 'Calls to /v2 are refused with 503 SERVICE_UNAVAILABLE, without a Retry-After.',
    goodConnector: 'Waits longer after each refusal, and gives up after a limited number of tries.',
    on: 'call',
    times: 3,
  },
  'bad-gateway': {
    says: 'A proxy in between answers 502 with a page of HTML.',
    goodConnector: 'Does not take it for JSON; treats it as any other 50x and tries again after a pause.',
    on: 'call',
    times: 2,
  },
  'internal-error': {
    says: 'A call is answered 500 INTERNAL, and nothing was done.',
    goodConnector: 'Tries again after a pause, a limited number of times, and logs the traceId.',
    on: 'call',
    times: 1,
  },
  'slow-answers': {
    says: 'Answers take seconds to come.',
    goodConnector: 'Waits: its timeout is longer than this, and it sends nothing twice meanwhile.',
    on: 'call',
    times: 4,
    seconds: 1,
  },
  'connection-reset': {
    says: 'The connection of a GET to /v2 is broken off before the answer.',
    goodConnector: 'Sends it again after a pause: a GET changes nothing.',
    on: 'call',
    times: 2,
  },
  'answer-lost': {
    says: 'A job is created, filled or submitted, and the answer is lost with the connection.',
    goodConnector:
      'Sends it again with the same Idempotency-Key, or looks first whether it was done; never makes a second job.',
    on: 'call',
    times: 1,
  },
  'answer-cut': {
    says: 'The JSON of an answer to a GET breaks off in the middle.',
    goodConnector: 'Takes half an answer for none, and asks again.',
    on: 'call',
    times: 1,
  },
  'upload-reset': {
    says: 'The connection is reset in the middle of an upload.',
    goodConnector:
      'Resumes by TUS where the hub says it stopped; after a multipart upload asks for a new transfer object.',
    on: 'call',
    times: 1,
  },
  'fms-failure': {
    says: 'Files cannot be stored or read for a moment: 503 FMS_UNAVAILABLE with a Retry-After.',
    goodConnector: 'Waits and tries the transfer again; the job stays as it is.',
    on: 'call',
    times: 2,
    seconds: 1,
  },
  'download-expired': {
    says: 'A download link has expired when it is followed: 403.',
    goodConnector: 'Asks retrievefile for a new link and follows that one; never keeps links.',
    on: 'call',
    times: 1,
  },
  'download-cut': {
    says: 'A download breaks off in the middle.',
    goodConnector:
      'Sees by Content-Length that it is not whole, throws it away (or asks for the rest by Range), and tries again.',
    on: 'call',
    times: 1,
  },
  'token-revoked': {
    says: 'The token in use is refused with 401 before its time, until another one comes.',
    goodConnector: 'Asks for a new token once, sends the call again with it, and throws the old one away.',
    on: 'call',
    times: 1,
  },
  'token-clock-skew': {
    says: "The hub's clock runs ten minutes ahead: the token counts as expired while the connector's clock still trusts it, and the Date header is ahead.",
    goodConnector:
      'Believes the 401 and not its own clock: one new token, one repetition; counts expires_in from when the token came.',
    on: 'call',
    times: 1,
  },
  'token-short': {
    says: 'The next token is given for five seconds.',
    goodConnector: 'Takes the lifetime from each answer and asks in time for the next one, but not before every call.',
    on: 'call',
    times: 1,
    seconds: 5,
  },
  'token-endpoint-down': {
    says: 'POST /connect/token answers 503 with a Retry-After.',
    goodConnector:
      'Waits and asks again; takes it neither for wrong credentials nor for a reason to ask for many at once.',
    on: 'call',
    times: 2,
    seconds: 1,
  },
  'empty-page': {
    says: 'A page of a collection is empty and has a next cursor.',
    goodConnector: 'Follows the cursor until there is none; an empty page is not the end.',
    on: 'call',
    times: 1,
  },
  'small-pages': {
    says: 'Pages have one item each.',
    goodConnector: 'Follows every cursor to the last page.',
    on: 'call',
    times: 200,
  },
  'quota-reached': {
    says: 'A submission is refused with 409 QUOTA_EXCEEDED.',
    goodConnector: 'Does not try again at once: acknowledges the updates that wait, tells a person, and submits later.',
    on: 'call',
    times: 1,
  },
  'job-archived': {
    says: 'The job is archived at the moment when its translation is asked for: 409 JOB_ARCHIVED.',
    goodConnector: 'Unarchives the job, waits until it is ACTIVE, and asks again.',
    on: 'call',
    times: 1,
  },
  'redelivery-after-approval': {
    says: 'When a request was approved, its provider delivers it once more: it is in review again, with a new status update.',
    goodConnector: 'Takes the new translation, writes it over the old one, and approves again.',
    on: 'call',
    times: 1,
  },
  'stuck-sending': {
    says: 'The job stays in SENDING for a while.',
    goodConnector: 'Waits; does not submit, cancel or delete it.',
    on: 'work',
    times: 1,
    by: '5m',
  },
  'provider-error': {
    says: 'The provider reports an error for every request; some minutes later it delivers after all.',
    goodConnector:
      'Shows the error, acknowledges its update, leaves the job open, and takes the translation when it comes.',
    on: 'work',
    times: 1,
    by: '5m',
  },
  'provider-cancels-one': {
    says: 'The provider cancels one request and translates the others.',
    goodConnector: 'Takes the others home, marks the one as cancelled, and waits for it no longer.',
    on: 'work',
    times: 1,
  },
  'provider-cancels-all': {
    says: 'The provider cancels every request, and with the last one the job.',
    goodConnector: 'Marks the job as cancelled and waits no longer; does not delete anything.',
    on: 'work',
    times: 1,
  },
  'corrupt-translation': {
    says: 'Translations arrive cut in the middle; the right ones are delivered some minutes later, and again after that.',
    goodConnector:
      'Checks what it imports: rejects or leaves the bad one, keeps its own content, and takes the re-delivery.',
    on: 'work',
    times: 1,
    by: '5m',
  },
  'missing-languages': {
    says: 'The first target language does not come with the others, but an hour later.',
    goodConnector: 'Imports each language when it is there, and keeps the job open for the rest.',
    on: 'work',
    times: 1,
    by: '1h',
  },
  'late-translation': {
    says: 'Translations come a day late.',
    goodConnector: 'Goes on polling at its interval, over the end of its token and of its own process.',
    on: 'work',
    times: 1,
    by: '1d',
  },
  'duplicate-deliveries': {
    says: 'A listener is called twice for one delivery, with the same webhook-id.',
    goodConnector: 'Answers 2xx to both and does the work once, by webhook-id.',
    on: 'delivery',
    times: 5,
  },
  'late-deliveries': {
    says: 'The first two tries of a delivery do not arrive: it comes some minutes later.',
    goodConnector: 'Does not depend on when it is called; polling finds what is ready.',
    on: 'delivery',
    times: 2,
  },
  'reordered-deliveries': {
    says: 'A delivery arrives after the next one of the same job.',
    goodConnector: 'Takes a delivery for a hint and reads the present state; an older sequence undoes nothing.',
    on: 'delivery',
    times: 1,
    seconds: 3,
  },
  'bad-signature': {
    says: 'A delivery comes with a wrong signature; its repetition has the right one.',
    goodConnector: 'Refuses it with 401 and does nothing of what it says; takes the repetition.',
    on: 'delivery',
    times: 1,
  },
  'never-called': {
    says: 'Updates are acknowledged for a listener, and the listener is never called.',
    goodConnector: 'Has another way: it looks at the requests of its open jobs from time to time.',
    on: 'delivery',
    times: 100,
  },
} as const satisfies Record<string, Scenario>

export type ScenarioName = keyof typeof table
export const scenarios: Readonly<Record<ScenarioName, Scenario>> = table
export const scenarioNames = Object.keys(table) as ScenarioName[]
export const isScenario = (name: string): name is ScenarioName => Object.hasOwn(table, name)

const places: Readonly<Record<Place, string>> = {
  call: "On the connector's calls",
  work: 'In the work of the hub and the provider',
  delivery: 'On the way to a listener',
}

/** docs/faults-on-demand.md */
export function faultsPage(): string {
  const rows = (on: Place) =>
    scenarioNames
      .filter((name) => scenarios[name].on === on)
      .map((name) => {
        const { says, goodConnector, times, seconds, by } = scenarios[name]
        const turned = [seconds !== undefined && `\`seconds\` ${seconds}`, by && `\`by\` ${by}`].filter(Boolean)
        return `| \`${name}\` | ${says} | ${goodConnector} | ${[`\`times\` ${times}`, ...turned].join(', ')} |`
      })
  const sections = (Object.keys(places) as Place[]).map(
    (on) => `## ${places[on]}

| Scenario | What happens | What a good connector does | Unless said otherwise |
|---|---|---|---|
${rows(on).join('\n')}`,
  )
  return `${opening}\n${sections.join('\n\n')}\n`
}

const opening = `<!-- Written by npm run generate from packages/server/src/doors/sandbox/scenarios.ts. -->
# Faults on demand

In the sandbox profile a hub goes wrong when it is asked to, so that a connector can be tried against what happens once a
year. There are ${scenarioNames.length} scenarios. Four ways to choose one:

- **for a job**: the label \`fault:NAME\` (in a list of labels, or \`{"fault": "NAME"}\`). It acts on the calls, the work and
  the deliveries of that job, each job with its own count.
- **for a provider**: \`fault:NAME\` somewhere in the provider's name, for every job that is sent to it.
- **for a client**, **a provider** (id or name), **a label** or **a job**: \`POST /sandbox/faults\` with that member.
- **for the next N calls** of anybody: \`POST /sandbox/faults\` with \`times\` alone.

\`\`\`sh
curl localhost:8080/sandbox/faults --json '{"scenario": "rate-limit-storm", "times": 5, "client": "demo-connector"}'
curl localhost:8080/sandbox/faults                # all scenarios, the active faults and the spent ones
curl -X DELETE localhost:8080/sandbox/faults/ID   # one; without ID all of them
curl localhost:8080/sandbox/calls?after=0         # what the hub has seen: calls by number, id, client, status, fault
curl localhost:8080/sandbox/deliveries?after=0    # the calls it made to listeners, or was kept from making
\`\`\`

Members of a fault: \`scenario\`; \`times\`, how often it acts; \`label\`, \`provider\`, \`client\`, \`jobId\`, whom it is for (all
of them must fit); \`seconds\`, a wait or a Retry-After in real time; \`by\`, a duration on the hub's clock, which
\`POST /sandbox/clock/advance\` moves. Faults of provider work act on providers that translate by themselves (Pseudo,
machine translation); a manual provider is yours to play. Faults and recorded calls (the last 10,000, without any secret)
are in memory, on one node: a restart or \`POST /sandbox/reset\` begins without faults. Outside the sandbox profile
none of these addresses exists, and none of this code is opened.

[Certification](certification.md) drives all of them against a connector and judges what it saw.
`
