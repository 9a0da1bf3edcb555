/**
 * Fuzzes the doors outside the endpoint table: the token endpoint with its forms and credentials,
 * pages and documents, unknown paths and methods, and malformed HTTP. /fms and the SOAP service
 * have their own attacks.
 */
import { type AttackAnswer, type AttackCall, sendCall, shownCall } from './attack-call.ts'
import type { AttackedHub } from './attacked-hub.ts'
import { nastyText, pick } from './fuzzed-text.ts'
import { type Chance, chanceOf } from './history-walk.ts'
import { judgeRefusal, judgeTexts, parsed } from './judged-answer.ts'
import type { FuzzPlan } from './schema-fuzz.ts'
import type { Counter } from './tally.ts'

const atOnce = 4

export async function fuzzDoors(
  hub: AttackedHub,
  { calls, seed }: FuzzPlan,
  tally: Counter,
): Promise<void> {
  const statuses = new Map<number, number>()
  let next = 0
  const attack = async () => {
    while (next < calls) {
      const number = next++
      const chance = chanceOf(seed * 3_000_017 + number)
      const call = chance() < 0.5 ? tokenCall(hub, chance) : strayCall(chance)
      const answer = await sendCall(hub.url, call)
      tally.round()
      for (const says of judge(hub, call, answer))
        tally.found(`doors, seed ${seed}, call ${number}: the answer ${says}; ${shownCall(call)}`)
      if (answer) statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, attack))
  tally.figure(
    [...statuses]
      .sort()
      .map(([status, times]) => `${times} x ${status}`)
      .join(' '),
  )
}

const latin = (text: string): string => Buffer.from(text.slice(0, 3_000)).toString('latin1')
const inHeader = (text: string): string => latin(text).replace(/[\0\r\n]/g, '')
/** A wrong secret in the form that needs no hashing. */
const guess = `drg_${'A'.repeat(43)}`

function tokenCall(hub: AttackedHub, chance: Chance): AttackCall {
  const clientId = pick(chance, [...hub.secrets.keys()])
  const secret = hub.secrets.get(clientId) ?? ''
  const form = new Map([
    ['grant_type', 'client_credentials'],
    ['client_id', clientId],
    ['client_secret', secret],
  ])
  if (chance() < 0.3)
    form.set('scope', pick(chance, ['content', 'admin content', nastyText(chance)]))
  const spoils = pick(chance, [
    'nothing',
    'value',
    'name',
    'bytes',
    'headers',
    'basic',
    'path',
  ] as const)
  // Unknown client names: a real one would be locked out after ten wrong secrets.
  if (spoils === 'value') {
    const name = pick(chance, [...form.keys()])
    if (name !== 'grant_type')
      form.set('client_id', `nobody-${Math.floor(chance() * 1e6)}`).set('client_secret', guess)
    form.set(name, name === 'client_secret' ? guess : nastyText(chance))
  }
  if (spoils === 'name') form.set(nastyText(chance), nastyText(chance))
  const text = new URLSearchParams(
    [...form].map(([name, value]) => [name.toWellFormed(), value.toWellFormed()]),
  ).toString()
  const body = spoils === 'bytes' ? spoiltForm(text, chance) : text
  const headers: [string, string][] = [['content-type', 'application/x-www-form-urlencoded']]
  if (spoils === 'headers')
    headers.splice(chance() < 0.5 ? 0 : 1, 1, [
      pick(chance, ['content-type', 'content-encoding', 'x-request-id', 'origin', 'host']),
      inHeader(nastyText(chance)),
    ])
  if (spoils === 'basic')
    headers.push([
      'authorization',
      `Basic ${chance() < 0.5 ? Buffer.from(nastyText(chance)).toString('base64') : inHeader(nastyText(chance))}`,
    ])
  const path =
    spoils === 'path'
      ? `/connect/token?${encodeURIComponent(nastyText(chance).toWellFormed())}=1&client_secret`
      : '/connect/token'
  return { method: 'POST', path, headers, body: Buffer.from(body, 'latin1') }
}

const spoiltForm = (text: string, chance: Chance): string =>
  pick(chance, [
    `${text}&${text}`,
    text.replaceAll('=', ''),
    `${text}&%`,
    `${text}&%zz=%c3%28`,
    text.slice(0, Math.floor(chance() * text.length)),
    `${'a=b&'.repeat(3_000)}`,
    `${'&'.repeat(16_000)}`,
    'x'.repeat(17_000),
    latin(nastyText(chance)),
    '{"grant_type":"client_credentials"}',
  ])

const paths = [
  '/',
  '/docs',
  '/openapi.json',
  '/healthz',
  '/readyz',
  '/metrics',
  '/.well-known/oauth-authorization-server',
  '/.well-known/openid-configuration',
  '/.well-known/jwks.json',
  '/ProjectSettingsService.svc?wsdl',
  '/sandbox/clock',
  '/sandbox/due?until=2999-01-01',
  '/v2',
  '/v2/',
  '/v2/jobs/x/upload',
  '/v1/jobs',
]
const methods = [
  'GET',
  'GET',
  'GET',
  'HEAD',
  'OPTIONS',
  'PUT',
  'PATCH',
  'DELETE',
  'POST',
  'TRACE',
  'PROPFIND',
  'QUERY',
  'BREW',
]

function strayCall(chance: Chance): AttackCall {
  const path = pick(chance, paths)
  const spoilt = pick(chance, [
    path,
    `${path}/${encodeURIComponent(nastyText(chance).slice(0, 2_000).toWellFormed())}`,
    `${path}?${latin(nastyText(chance)).replace(/[\0\r\n ]/g, '')}`,
    `${path}${pick(chance, ['%', '%00', '%zz', '%c0%af', '//', '/..', ';a=b', '#x', '\xff', '\\'])}`,
    `http://elsewhere.example${path}`,
    '*',
    path.slice(1),
    '/'.repeat(5_000),
    `/v2/${'a/'.repeat(2_000)}`,
  ])
  const headers: [string, string][] = []
  if (chance() < 0.5) {
    const name = pick(chance, [
      'host',
      'origin',
      'accept',
      'if-none-match',
      'range',
      'x-forwarded-proto',
      'authorization',
      'access-control-request-method',
      'connection',
      'upgrade',
      'te',
      'expect',
      'content-length',
      'transfer-encoding',
      nastyText(chance)
        .replace(/[^!-~]/g, '')
        .slice(0, 50) || 'x',
    ])
    headers.push([name, inHeader(nastyText(chance))])
  }
  return { method: pick(chance, methods), path: spoilt, headers }
}

function judge(hub: AttackedHub, call: AttackCall, answer: AttackAnswer | undefined): string[] {
  // A call that asks for another protocol, or promises a body that never comes, may go unanswered.
  const odd = call.headers.some(([name]) =>
    /^(upgrade|connection|content-length|transfer-encoding|expect|te)$/i.test(name),
  )
  if (!answer) return odd || call.method === 'HEAD' ? [] : ['never came']
  const shown = judgeTexts(answer, {
    never: [...hub.secrets.values(), hub.env.DRAGOMAN_MASTER_KEY ?? 'none'],
  })
  // A HEAD response and an empty response have no body to check.
  if (call.method === 'HEAD' || answer.status === 204 || answer.status === 304)
    return [...shown, ...(answer.status >= 500 ? [`is ${answer.status}`] : [])]
  // A target may be a whole URL.
  const path = call.path.replace(/^http:\/\/[^/]*/, '')
  if (path.startsWith('/readyz') && answer.status === 503) return shown
  // The site of the docs has a page for what it does not have. It must not show the path that was
  // asked for.
  if (
    path.startsWith('/docs/') &&
    answer.status === 404 &&
    answer.headers.get('content-type')?.startsWith('text/html')
  )
    return [
      ...shown,
      ...(path.length > 40 && answer.text.includes(path.slice('/docs/'.length))
        ? ['shows the path']
        : []),
    ]
  if (path.startsWith('/ProjectSettings') && answer.text.startsWith('<?xml')) return shown
  const problem = parsed(answer.text) as { error?: string; error_description?: string } | undefined
  const isOauth = path.startsWith('/connect/token') && answer.status >= 400 && answer.status < 500
  const broken = isOauth && problem?.error !== undefined && !problem.error_description
  return [...shown, ...judgeRefusal(answer), ...(broken ? ['has no error_description'] : [])]
}
