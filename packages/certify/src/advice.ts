/**
 * What to do about a broken verdict, and where the guide says more: each name is a heading in
 * docs/certification.md.
 */
import type { Verdict } from './verdict.ts'

export const advice: Readonly<Record<string, string>> = {
  metadata:
    'Send connectorName and connectorVersion (or ConnectorName, ConnectorVersion) as fields of the job, at the top level of every POST, PATCH and PUT.',
  'guid-prefix':
    'connectorName is <guid> <name> <version>, with one space between them: make the GUID once, store it with the installation, and send it first in every call.',
  'name-length':
    'Cut jobName and requestName to 250 bytes of UTF-8 before you send them, between characters.',
  'token-reuse':
    'Keep the token until shortly before expires_in, and share it among all calls of the process.',
  backoff:
    'After 429 and 50x wait for Retry-After; without it, double a pause with jitter, and stop after some retries.',
  pages: 'Send navNext of each page back until a page has none, even if a page is empty.',
  redirect:
    'Follow the 307 of a download immediately, without the Authorization header, and do not store the link.',
  accept: 'Send Accept: application/json with every call and Content-Type with every body.',
  redelivery:
    'Download a request again whenever it is in REVIEW_TRANSLATION, even if you approved it before.',
  'in-progress':
    'Delete only jobs in CREATED; leave a submitted job to its provider, and archive it when it is done.',
  polling: 'Ask for the status updates from time to time, even if a listener is registered.',
  acknowledge: 'Download the translations of an update first, then acknowledge it.',
  deprecated:
    'Replace the calls that answer with a Deprecation header or 410; the header Link names the new one.',
  languages: 'Map the codes of your system to accepted ones before you send them.',
  'transaction-log': 'Write a line for every call, with its job, into a file of the day.',
}

const guide = 'docs/certification.md'
/** The heading for every scenario: its table says how a good connector reacts. */
const scenarioGuide = `${guide}#when-a-scenario-is-broken`

/** Only broken verdicts get advice. */
export function withAdvice(verdict: Verdict, goodConnector?: string): Verdict {
  if (verdict.result !== 'broken') return verdict
  if (goodConnector !== undefined)
    return { ...verdict, advice: `A good connector: ${goodConnector}`, guide: scenarioGuide }
  const says = Object.hasOwn(advice, verdict.name) ? advice[verdict.name] : undefined
  return says === undefined
    ? verdict
    : { ...verdict, advice: says, guide: `${guide}#${verdict.name}` }
}
