/**
 * The table of faults on demand: the name of each, what happens, and how a good connector reacts.
 * docs/faults-on-demand.md is generated from it, GET /sandbox/faults shows it, and a test covers
 * every row.
 */
export type FaultPoint = 'call' | 'work' | 'delivery'
export type Scenario = {
  readonly says: string
  readonly goodConnector: string
  /**
   * Where it acts: on a call of the connector, on the work of the hub and the provider, or on a
   * call to a listener.
   */
  readonly on: FaultPoint
  /** How often it acts by default: per labelled job, and per POST /sandbox/faults. */
  readonly times: number
  /** What can be set: real seconds (a wait, a Retry-After), or a duration on the hub's clock. */
  readonly seconds?: number
  readonly by?: string
}

const table = {
  'rate-limit-storm': {
    says: 'Calls to /v2 are refused with 429 RATE_LIMITED and a Retry-After.',
    goodConnector: 'Waits for Retry-After, then retries the same call.',
    on: 'call',
    times: 3,
    seconds: 1,
  },
  'rate-limit-silent': {
    says: 'Calls to /v2 are refused with 429 RATE_LIMITED, without a Retry-After.',
    goodConnector: 'Backs off with jitter, and gives up after a limited number of retries.',
    on: 'call',
    times: 3,
  },
  unavailable: {
    says: 'Calls to /v2 are refused with 503 SERVICE_UNAVAILABLE and a Retry-After.',
    goodConnector: 'Waits for Retry-After, then retries the same call.',
    on: 'call',
    times: 2,
    seconds: 1,
  },
  'unavailable-silent': {
    says: 'Calls to /v2 are refused with 503 SERVICE_UNAVAILABLE, without a Retry-After.',
    goodConnector: 'Backs off, and gives up after a limited number of retries.',
    on: 'call',
    times: 3,
  },
  'bad-gateway': {
    says: 'A proxy in between returns 502 with an HTML page.',
    goodConnector:
      'Does not parse it as JSON; treats it like any other 50x and retries after a pause.',
    on: 'call',
    times: 2,
  },
  'internal-error': {
    says: 'A call gets 500 INTERNAL and has no effect.',
    goodConnector: 'Retries after a pause, a limited number of times, and logs the traceId.',
    on: 'call',
    times: 1,
  },
  'slow-answers': {
    says: 'Responses take seconds.',
    goodConnector: 'Waits: its timeout is longer, and it does not send the call twice.',
    on: 'call',
    times: 4,
    seconds: 1,
  },
  'connection-reset': {
    says: 'The connection of a GET to /v2 is closed before the response.',
    goodConnector: 'Retries after a pause: a GET changes nothing.',
    on: 'call',
    times: 2,
  },
  'answer-lost': {
    says: 'A job is created, filled or submitted, and the response is lost with the connection.',
    goodConnector:
      'Retries with the same Idempotency-Key, or first checks whether it succeeded; never creates a second job.',
    on: 'call',
    times: 1,
  },
  'answer-cut': {
    says: 'The JSON of a response to a GET is truncated.',
    goodConnector: 'Discards the truncated response and retries.',
    on: 'call',
    times: 1,
  },
  'upload-reset': {
    says: 'The connection is reset in the middle of an upload.',
    goodConnector:
      'With TUS, resumes from the offset of the hub; after a multipart upload, requests a new transfer object.',
    on: 'call',
    times: 1,
  },
  'fms-failure': {
    says: 'Files cannot be stored or read for a moment: 503 FMS_UNAVAILABLE with a Retry-After.',
    goodConnector: 'Waits and retries the transfer; leaves the job unchanged.',
    on: 'call',
    times: 2,
    seconds: 1,
  },
  'download-expired': {
    says: 'A download link has expired when it is followed: 403.',
    goodConnector: 'Calls retrievefile for a new link and follows that one; never stores links.',
    on: 'call',
    times: 1,
  },
  'download-cut': {
    says: 'A download is interrupted.',
    goodConnector:
      'Detects the missing bytes by Content-Length, discards the file (or requests the rest with Range), and retries.',
    on: 'call',
    times: 1,
  },
  'token-revoked': {
    says: 'The current token is refused with 401 before it expires, until a new one is used.',
    goodConnector: 'Requests one new token, retries the call with it, and discards the old one.',
    on: 'call',
    times: 1,
  },
  'token-clock-skew': {
    says: "The hub's clock runs ten minutes ahead: the token counts as expired while the connector's clock still trusts it, and the Date header is ahead.",
    goodConnector:
      'Trusts the 401, not its own clock: one new token, one retry; counts expires_in from the time the token was received.',
    on: 'call',
    times: 1,
  },
  'token-short': {
    says: 'The next token is valid for five seconds.',
    goodConnector:
      'Reads the lifetime from each response and requests the next token in time, but not before every call.',
    on: 'call',
    times: 1,
    seconds: 5,
  },
  'token-endpoint-down': {
    says: 'POST /connect/token returns 503 with a Retry-After.',
    goodConnector:
      'Waits and retries; does not report wrong credentials, and does not request many tokens at once.',
    on: 'call',
    times: 2,
    seconds: 1,
  },
  'empty-page': {
    says: 'A page of a list is empty but has a next cursor.',
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
    goodConnector:
      'Does not retry immediately: acknowledges the waiting updates, notifies a person, and submits later.',
    on: 'call',
    times: 1,
  },
  'job-archived': {
    says: 'The job is archived when its translation is requested: 409 JOB_ARCHIVED.',
    goodConnector: 'Unarchives the job, waits until it is ACTIVE, and retries.',
    on: 'call',
    times: 1,
  },
  'redelivery-after-approval': {
    says: 'After a request is approved, its provider delivers it again: it is in review again, with a new status update.',
    goodConnector: 'Downloads the new translation, replaces the old one, and approves again.',
    on: 'call',
    times: 1,
  },
  'stuck-sending': {
    says: 'The job stays in SENDING for some time.',
    goodConnector: 'Waits; does not submit, cancel or delete it.',
    on: 'work',
    times: 1,
    by: '5m',
  },
  'provider-error': {
    says: 'The provider reports an error for every request, and delivers some minutes later.',
    goodConnector:
      'Shows the error, acknowledges its update, leaves the job open, and downloads the translation when it arrives.',
    on: 'work',
    times: 1,
    by: '5m',
  },
  'provider-cancels-one': {
    says: 'The provider cancels one request and translates the others.',
    goodConnector: 'Downloads the others, marks this one as cancelled, and stops waiting for it.',
    on: 'work',
    times: 1,
  },
  'provider-cancels-all': {
    says: 'The provider cancels every request, and with the last one the job.',
    goodConnector: 'Marks the job as cancelled and stops waiting; deletes nothing.',
    on: 'work',
    times: 1,
  },
  'corrupt-translation': {
    says: 'Translations arrive truncated; the correct ones are delivered some minutes later, and once more after that.',
    goodConnector:
      'Checks what it imports: rejects or ignores the bad one, keeps its own content, and accepts the next delivery.',
    on: 'work',
    times: 1,
    by: '5m',
  },
  'missing-languages': {
    says: 'The first target language arrives an hour after the others.',
    goodConnector: 'Imports each language when it is ready, and keeps the job open for the rest.',
    on: 'work',
    times: 1,
    by: '1h',
  },
  'late-translation': {
    says: 'Translations arrive a day late.',
    goodConnector:
      'Keeps polling at its interval, even after its token expires or its process restarts.',
    on: 'work',
    times: 1,
    by: '1d',
  },
  'duplicate-deliveries': {
    says: 'A listener is called twice for one delivery, with the same webhook-id.',
    goodConnector: 'Responds with 2xx to both and does the work once, by webhook-id.',
    on: 'delivery',
    times: 5,
  },
  'late-deliveries': {
    says: 'The first two attempts of a delivery are lost: it arrives some minutes later.',
    goodConnector: 'Does not rely on the time of a delivery; polling finds what is ready.',
    on: 'delivery',
    times: 2,
  },
  'reordered-deliveries': {
    says: 'A delivery arrives after the next one of the same job.',
    goodConnector:
      'Treats a delivery as a hint and reads the current status; an older sequence undoes nothing.',
    on: 'delivery',
    times: 1,
    seconds: 3,
  },
  'bad-signature': {
    says: 'A delivery has a wrong signature; its retry has the right one.',
    goodConnector: 'Refuses it with 401 and ignores its content; accepts the retry.',
    on: 'delivery',
    times: 1,
  },
  'never-called': {
    says: 'Updates are acknowledged for a listener, and the listener is never called.',
    goodConnector: 'Does not rely on it: checks the requests of its open jobs from time to time.',
    on: 'delivery',
    times: 100,
  },
} as const satisfies Record<string, Scenario>

export type ScenarioName = keyof typeof table
export const scenarios: Readonly<Record<ScenarioName, Scenario>> = table
export const scenarioNames = Object.keys(table) as ScenarioName[]
export const isScenario = (name: string): name is ScenarioName => Object.hasOwn(table, name)

const pointTitles: Readonly<Record<FaultPoint, string>> = {
  call: "On the connector's calls",
  work: 'In the hub and the provider',
  delivery: 'In deliveries to a listener',
}

/** docs/faults-on-demand.md */
export function faultsPage(): string {
  const rows = (on: FaultPoint) =>
    scenarioNames
      .filter((name) => scenarios[name].on === on)
      .map((name) => {
        const { says, goodConnector, times, seconds, by } = scenarios[name]
        const turned = [
          seconds !== undefined && `\`seconds\` ${seconds}`,
          by && `\`by\` ${by}`,
        ].filter(Boolean)
        return `| \`${name}\` | ${says} | ${goodConnector} | ${[`\`times\` ${times}`, ...turned].join(', ')} |`
      })
  const sections = (Object.keys(pointTitles) as FaultPoint[]).map(
    (on) => `## ${pointTitles[on]}

| Scenario | What happens | What a good connector does | Defaults |
|---|---|---|---|
${rows(on).join('\n')}`,
  )
  return `${opening}\n${sections.join('\n\n')}\n`
}

const opening = `<!-- Generated by npm run generate from packages/certify/src/scenarios.ts. -->
# Faults on demand

In the sandbox profile a hub fails on request, so that you can test a connector against what otherwise happens once a
year. There are ${scenarioNames.length} scenarios. You can choose one in four ways:

- **for a job**: the label \`fault:NAME\` (in a list of labels, or \`{"fault": "NAME"}\`). It affects the calls, the work and
  the deliveries of that job; each job has its own count.
- **for a provider**: \`fault:NAME\` anywhere in the provider's name, for every job submitted to it.
- **for a client**, **a provider** (id or name), **a label** or **a job**: \`POST /sandbox/faults\` with that field.
- **for the next N calls** of anyone: \`POST /sandbox/faults\` with \`times\` alone.

\`\`\`sh
curl http://127.0.0.1:8080/sandbox/faults --json '{"scenario": "rate-limit-storm", "times": 5, "client": "demo-connector"}'
curl http://127.0.0.1:8080/sandbox/faults                  # all scenarios, the active and the used-up faults
curl -X DELETE http://127.0.0.1:8080/sandbox/faults/ID     # one; without ID, all of them
curl 'http://127.0.0.1:8080/sandbox/calls?after=0'         # the calls the hub received: number, id, client, status, fault
curl 'http://127.0.0.1:8080/sandbox/deliveries?after=0'    # the calls it made to listeners, or that a fault prevented
\`\`\`

Fields of a fault: \`scenario\`; \`times\`, how often it applies; \`every\`, on every nth that fits it; \`label\`, \`provider\`, \`client\`, \`jobId\`, its target (all
of them must match); \`seconds\`, a wait or a Retry-After in real time; \`by\`, a duration on the hub's clock, which
\`POST /sandbox/clock/advance\` advances. Provider faults apply to providers that translate automatically (Pseudo,
machine translation); you play a manual provider yourself. Faults and recorded calls (the last 10,000, without secrets)
are in memory, on one node: a restart or \`POST /sandbox/reset\` removes all faults. Outside the sandbox profile
none of these endpoints exists, and none of this code is loaded.

[Certification](certification.md) runs all of them against a connector and judges it.
`
