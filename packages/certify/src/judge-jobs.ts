/**
 * Obligations on what a connector sends: its name, names within their limit, language codes, and
 * jobs left alone.
 */
import { findLanguage, limits, nearestLanguage } from '@dragoman/contract/wire'
import {
  broken,
  callsOf,
  isApi,
  isAt,
  type Judged,
  kept,
  many,
  notSeen,
  type Round,
} from './verdict.ts'

const jobWrites = ['POST /v2/jobs', 'PATCH /v2/jobs/{jobId}', 'PUT /v2/jobs/{jobId}']
const writesOf = (rounds: readonly Round[]) =>
  callsOf(rounds).filter(
    (call) => jobWrites.some((what) => isAt(call, what)) && call.sent !== undefined,
  )

export function judgeMetadata(rounds: readonly Round[]): Judged {
  const writes = writesOf(rounds)
  if (writes.length === 0) return notSeen('No job was created or modified.')
  const bare = writes.filter(({ sent }) => !sent?.connectorName || !sent.connectorVersion)
  if (bare.length > 0)
    return broken(
      `${many(bare.length, 'call')} of ${writes.length} had no connectorName or connectorVersion at the top level of the body.`,
      bare,
    )
  const changed = writes.filter(({ method }) => method !== 'POST').length
  return kept(`${writes.length - changed} created and ${changed} modified, all with both.`, writes)
}

/** What a name lacks of "<guid> <name> <version>"; undefined if it is whole. */
function lackOf(connectorName: string): string | undefined {
  if (guidOf(connectorName) !== undefined) return undefined
  const [first = '', ...rest] = connectorName.split(' ')
  if (!/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(first))
    return 'the GUID at its beginning'
  if (!/^v?\d\S*$/i.test(rest.at(-1) ?? ''))
    return rest.length > 1 ? 'a version at its end' : 'a name and a version after the GUID'
  return 'a name between the GUID and the version, with one space before and after it'
}

/** The GUID of "<guid> <name> <version>"; undefined for any other form. */
function guidOf(connectorName: string): string | undefined {
  const [, guid, rest = ''] =
    /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}) (.*)$/i.exec(connectorName) ?? []
  const blank = rest.lastIndexOf(' ')
  const isNamed = blank > 0 && !rest.startsWith(' ') && /^v?\d\S*$/i.test(rest.slice(blank + 1))
  return isNamed ? guid?.toLowerCase() : undefined
}

export function judgePrefix(rounds: readonly Round[]): Judged {
  const named = writesOf(rounds).filter(({ sent }) => sent?.connectorName)
  if (named.length === 0) return notSeen('No call carried a ConnectorName.')
  const odd = named.filter(({ sent }) => guidOf(sent?.connectorName ?? '') === undefined)
  if (odd[0])
    return broken(
      `"${odd[0].sent?.connectorName}" is not "<guid> <name> <version>": it lacks ${lackOf(odd[0].sent?.connectorName ?? '')} (${many(odd.length, 'call')}).`,
      odd,
    )
  const guids = new Set(named.map(({ sent }) => guidOf(sent?.connectorName ?? '')))
  if (guids.size > 1)
    return broken(
      `${guids.size} different GUIDs; an installation must keep one GUID forever.`,
      named,
    )
  return kept(
    `The same GUID on ${many(named.length, 'call')} of ${many(rounds.length, 'run')}.`,
    named,
  )
}

export function judgeNames(rounds: readonly Round[]): Judged {
  const named = callsOf(rounds).filter(({ sent }) => sent?.names)
  if (named.length === 0) return notSeen('No job or request name was sent.')
  const long = named.filter(({ sent }) =>
    sent?.names?.some(({ bytes }) => bytes > limits.jobNameBytes),
  )
  const longest = Math.max(
    ...named.flatMap(({ sent }) => sent?.names?.map(({ bytes }) => bytes) ?? []),
  )
  if (long.length > 0)
    return broken(
      `A name of ${longest} bytes was sent; at most ${limits.jobNameBytes} are allowed.`,
      long,
    )
  return kept(`The longest name had ${longest} bytes.`, named)
}

export function judgeLanguages(rounds: readonly Round[]): Judged {
  const coded = callsOf(rounds).filter(
    ({ sent, code }) => sent?.languages || code === 'INVALID_LANGUAGE',
  )
  if (coded.length === 0) return notSeen('No language code was sent.')
  const codes = new Set(coded.flatMap(({ sent }) => sent?.languages ?? []))
  const unknown = [...codes].filter((code) => findLanguage(code) === undefined)
  const bad = coded.filter(
    ({ sent, code }) =>
      code === 'INVALID_LANGUAGE' || sent?.languages?.some((one) => unknown.includes(one)),
  )
  if (bad.length === 0)
    return kept(`All of them are accepted: ${[...codes].sort().join(', ')}.`, coded)
  const hints = unknown.map((code) => {
    const nearest = nearestLanguage(code)
    return `"${code}"${nearest === undefined ? '' : ` (nearest: ${nearest})`}`
  })
  return broken(`Not accepted: ${hints.join(', ') || 'a code that the hub refused'}.`, bad)
}

export function judgeUntouched(rounds: readonly Round[]): Judged {
  const calls = callsOf(rounds).filter(isApi)
  if (calls.length === 0) return notSeen('No call was made.')
  const bad = calls.filter(
    (call) => isAt(call, 'DELETE /v2/jobs/{jobId}') && call.code === 'JOB_IN_PROGRESS',
  )
  if (bad.length > 0)
    return broken(
      `${many(bad.length, 'call')} tried to delete a job in progress; the hub refused.`,
      bad,
    )
  return kept(
    'No job in progress was cancelled or deleted.',
    calls.filter(({ method }) => method === 'DELETE'),
  )
}

export function judgeDeprecated(rounds: readonly Round[]): Judged {
  const calls = callsOf(rounds).filter(isApi)
  if (calls.length === 0) return notSeen('No call was made.')
  const old = calls.filter(({ deprecated }) => deprecated)
  if (old.length === 0) return kept(`None among ${many(calls.length, 'call')}.`)
  return broken(
    `Deprecated or removed: ${[...new Set(old.map((call) => `${call.method} ${call.route}`))].join(', ')}.`,
    old,
  )
}
