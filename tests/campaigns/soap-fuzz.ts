/**
 * Calls the project settings service by its table of operations, validly and not: spoils elements,
 * texts, envelopes, headers, actions and credentials, in the tree and in the bytes. Every response
 * is a result or a fault with a code.
 */
import { readXml } from '../../packages/server/src/doors/soap/xml-tree.ts'
import { namespace, path } from '../soap/soap-call.ts'
import { type AttackAnswer, type AttackCall, sendCall, shownCall } from './attack-call.ts'
import type { AttackedHub, AttackedSite } from './attacked-hub.ts'
import { markOf } from './fuzzed-call.ts'
import { makeEnvelope, operationNames } from './fuzzed-envelope.ts'
import { nastyText, pick } from './fuzzed-text.ts'
import { type Chance, chanceOf } from './history-walk.ts'
import { judgeTexts } from './judged-answer.ts'
import type { FuzzPlan } from './schema-fuzz.ts'
import type { Counter } from './tally.ts'

const atOnce = 4

export async function fuzzSoap(
  hub: AttackedHub,
  { calls, seed }: FuzzPlan,
  tally: Counter,
): Promise<void> {
  const codes = new Map<string, number>()
  const ids: string[][] = [[], []]
  let next = 0
  const attack = async () => {
    while (next < calls) {
      const number = next++
      const chance = chanceOf(seed * 2_000_003 + number)
      const side = chance() < 0.7 ? 0 : 1
      const site = hub.sites[side]
      // Occasionally an id of the other site.
      const known = ids[chance() < 0.9 ? side : 1 - side] ?? []
      const call = await fuzzedCall(hub, site, known, chance)
      const answer = await sendCall(hub.url, call)
      tally.round()
      for (const says of await judge(hub, site, answer))
        tally.found(`soap, seed ${seed}, call ${number}: the answer ${says}; ${shownCall(call)}`)
      if (!answer) continue
      const code = answer.status === 200 ? 'done' : codeIn(answer)
      codes.set(code, (codes.get(code) ?? 0) + 1)
      if (answer.status !== 200) continue
      const seen = [...answer.text.matchAll(/>([A-Za-z0-9_-]{22})</g)].map(([, id]) => id ?? '')
      ids[side]?.push(...seen.slice(0, 5))
      ids[side]?.splice(0, Math.max(0, (ids[side]?.length ?? 0) - 40))
    }
  }
  await Promise.all(Array.from({ length: atOnce }, attack))
  tally.figure(
    [...codes]
      .sort()
      .map(([code, times]) => `${times} x ${code}`)
      .join(' '),
  )
}

async function fuzzedCall(
  hub: AttackedHub,
  site: AttackedSite,
  ids: readonly string[],
  chance: Chance,
): Promise<AttackCall> {
  const operation = pick(chance, operationNames)
  const spoils = pick(chance, [
    'nothing',
    'tree',
    'tree',
    'bytes',
    'envelope',
    'headers',
    'action',
    'who',
  ] as const)
  const body = makeEnvelope(
    operation,
    { mark: markOf(site), siteId: site.siteId, ids },
    chance,
    spoils,
  )
  const right = `"${namespace}/IProjectSettingsService/${operation}"`
  const action = spoils === 'action' ? spoiltAction(right, chance) : right
  const headers: [string, string][] = [['content-type', 'text/xml; charset=utf-8']]
  if (action !== undefined) headers.push(['soapaction', action])
  const who = await credentials(hub, site, chance, spoils === 'who')
  if (who !== undefined) headers.push(['authorization', who])
  if (spoils === 'headers') headers.push(spoiltHeader(chance))
  return { method: 'POST', path: `${path}${chance() < 0.05 ? '?wsdl' : ''}`, headers, body }
}

/** As bytes, without characters that end the header. */
const inHeader = (text: string): string =>
  Buffer.from(text.slice(0, 3_000))
    .toString('latin1')
    .replace(/[\0\r\n]/g, '')

const spoiltAction = (right: string, chance: Chance): string | undefined =>
  pick(chance, [
    undefined,
    '',
    '""',
    right.replaceAll('"', ''),
    ` ${right} `,
    right.toUpperCase(),
    `${'\xa0'.repeat(2_000)}"a"b`,
    `${right}${right}`,
    inHeader(nastyText(chance)),
  ])

const spoiltHeader = (chance: Chance): [string, string] =>
  pick(chance, [
    ['content-type', 'application/soap+xml'],
    ['content-type', 'application/json'],
    ['content-type', inHeader(nastyText(chance))],
    ['content-encoding', pick(chance, ['gzip', 'deflate', inHeader(nastyText(chance))])],
    ['x-request-id', inHeader(nastyText(chance))],
    ['accept', inHeader(nastyText(chance))],
    ['soapaction', inHeader(nastyText(chance))],
  ] as [string, string][])

async function credentials(
  hub: AttackedHub,
  site: AttackedSite,
  chance: Chance,
  spoilt: boolean,
): Promise<string | undefined> {
  const clientId = site.clients[chance() < 0.9 ? 'settings' : 'content']
  const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`
  if (!spoilt)
    return chance() < 0.5
      ? basic(`${clientId}:${hub.secrets.get(clientId)}`)
      : `Bearer ${await hub.token(clientId)}`
  // Secrets that look generated: a wrong one costs nothing. Another client each time, so that none
  // is locked out.
  const wrong = `drg_${'A'.repeat(43)}`
  return pick(chance, [
    undefined,
    'Basic',
    'Basic %%%',
    basic(`nobody-${Math.floor(chance() * 1e6)}:${wrong}`),
    basic(`${nastyText(chance)}:${wrong}`),
    basic('no colon'),
    `Bearer ${inHeader(nastyText(chance))}`,
    inHeader(nastyText(chance)),
  ])
}

const codeIn = ({ text }: AttackAnswer): string =>
  /<Code>([^<]*)<\/Code>/.exec(text)?.[1] ?? 'no code'
const isXml = (text: string): Promise<boolean> =>
  readXml(Buffer.from(text)).then(
    ({ name }) => name === 'Envelope',
    () => false,
  )
/** SOAP 1.1 requires 500 for a fault; these statuses have their own meaning in HTTP. */
const statuses = new Set([200, 401, 403, 429, 500, 503])

async function judge(
  hub: AttackedHub,
  site: AttackedSite,
  answer: AttackAnswer | undefined,
): Promise<string[]> {
  if (!answer) return ['never came']
  const others = hub.sites.filter((one) => one !== site).map(markOf)
  const shown = judgeTexts(answer, { never: [...others, ...hub.secrets.values()] })
  const { status, headers, text } = answer
  // Malformed HTTP is refused before it reaches a service.
  if (status === 400 || status === 431) return shown
  const code = codeIn(answer)
  return [
    ...shown,
    ...(statuses.has(status) ? [] : [`is ${status}`]),
    ...(headers.get('content-type')?.startsWith('text/xml')
      ? []
      : [`is ${headers.get('content-type')}`]),
    ...(text.startsWith('<?xml') && text.endsWith('</s:Envelope>') ? [] : ['is no envelope']),
    ...((await isXml(text)) ? [] : ['is no XML']),
    ...(status !== 200 && (code === 'no code' || !text.includes('<s:Fault>'))
      ? ['is no fault with a code']
      : []),
    ...(code === 'INTERNAL' || (text.includes('s:Server') && status !== 503) ? [`is ${code}`] : []),
  ]
}
