/**
 * examples/webhooks: each sample verifies deliveries that a hub really signed, and refuses those
 * that are not as they were sent.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { refusal } from '../examples/webhooks/verify.ts'
import { startHub, type TestHub } from './hub.ts'
import { until } from './hub-place.ts'
import { type Receiver, startReceiver } from './receiver.ts'

const samples = join(import.meta.dirname, '../examples/webhooks')
const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const
type Signed = { readonly headers: Record<(typeof names)[number], string>; readonly body: string }
type Verify = (signed: Signed, secrets: readonly string[]) => string

const there = (program: string, ...args: string[]): boolean => spawnSync(program, args).status === 0
const place = mkdtempSync(join(tmpdir(), 'dragoman-samples-'))

/**
 * As a shell runs it: the headers and the secrets in the environment, the body on standard input.
 */
const program =
  (command: string, ...args: string[]): Verify =>
  ({ headers, body }, secrets) => {
    const given = names.map((name) => [name.toUpperCase().replace('-', '_'), headers[name]])
    const env = {
      PATH: process.env.PATH,
      WEBHOOK_SECRETS: secrets.join(' '),
      ...Object.fromEntries(given),
    }
    const { status, stdout, stderr } = spawnSync(command, args, {
      cwd: samples,
      env,
      input: body,
      encoding: 'utf8',
    })
    if (status !== (stdout.trim() === 'valid' ? 0 : 1))
      throw new Error(`${command}: ${status} ${stdout} ${stderr}`)
    return stdout.trim()
  }

/**
 * Java and C# only where their tools are; the others are asked for by scripts/install-services.sh.
 */
const languages: [string, boolean, Verify][] = [
  [
    'TypeScript',
    true,
    ({ headers, body }, secrets) => refusal(headers, Buffer.from(body), secrets) ?? 'valid',
  ],
  ['PHP', there('php', '--version'), program('php', 'verify.php')],
  ['Python', there('python3', '--version'), program('python3', 'verify.py')],
  ['openssl', there('openssl', 'version'), program('sh', 'verify.sh')],
]
if (there('javac', '-version'))
  languages.push(['Java', true, program('java', '-cp', place, 'Verify')])
if (there('mcs', '--version'))
  languages.push(['C#', true, program('mono', join(place, 'Verify.exe'))])

let hub: TestHub
let receiver: Receiver
const [first, second] = ['a', 'b'].map(
  (letter) => `whsec_${Buffer.from(letter.repeat(32)).toString('base64')}`,
)
const secrets = { first: first ?? '', second: second ?? '' }
/** Signed before the secret changed, and while both sign. */
let before: Signed
let during: Signed

beforeAll(async () => {
  if (there('javac', '-version')) spawnSync('javac', ['-d', place, join(samples, 'Verify.java')])
  if (there('mcs', '--version'))
    spawnSync('mcs', [`-out:${join(place, 'Verify.exe')}`, join(samples, 'Verify.cs')])
  hub = await startHub()
  receiver = await startReceiver()
  const body = { type: 'JOB_STATUS_UPDATED', uri: `${receiver.url}/updates`, secret: secrets.first }
  const path = '/v2/statusupdates/listeners'
  const made = await hub.call<{ listenerId: string }>('POST', path, { as: 'demo-connector', body })
  expect(made.status).toBe(201)
  const listener = `${path}/${made.body.listenerId}`
  before = await deliver(listener)
  const change = await hub.call('PATCH', listener, {
    as: 'demo-connector',
    body: { secret: secrets.second },
  })
  expect(change.status).toBe(200)
  during = await deliver(listener)
})
afterAll(async () => {
  await receiver?.close()
  await hub?.close()
  rmSync(place, { recursive: true, force: true })
})

/** A sample that the hub sends on demand. */
async function deliver(listener: string): Promise<Signed> {
  const count = receiver.calls.length
  const { status } = await hub.call('POST', `${listener}/test`, { as: 'demo-connector' })
  expect(status).toBeLessThan(300)
  const { headers, text } = await until('the sample has arrived', async () => receiver.calls[count])
  const read = (name: string): string => headers[name] ?? ''
  const [id, timestamp, signature] = names.map(read)
  return {
    headers: {
      'webhook-id': id ?? '',
      'webhook-timestamp': timestamp ?? '',
      'webhook-signature': signature ?? '',
    },
    body: text,
  }
}

describe.each(languages)('the sample in %s', (name, isThere, verify) => {
  const withHeader = (signed: Signed, header: (typeof names)[number], value: string): Signed => ({
    ...signed,
    headers: { ...signed.headers, [header]: value },
  })

  it('accepts what the hub signed, and refuses all else', (test) => {
    test.skip(!isThere, `${name} is not installed`)
    const { first, second } = secrets
    const other = `whsec_${Buffer.from('c'.repeat(32)).toString('base64')}`
    expect(during.headers['webhook-signature'].split(' ')).toHaveLength(2)
    const old = String(Number(before.headers['webhook-timestamp']) - 600)
    const cases: [string, Signed, string[], string][] = [
      ['valid', before, [first], 'valid'],
      ['under the old of two secrets', during, [first], 'valid'],
      ['under the new of two secrets', during, [second], 'valid'],
      ['to one who knows both', before, [second, first], 'valid'],
      ['tampered', { ...before, body: `${before.body} ` }, [first], 'no signature fits'],
      ['with another id', withHeader(before, 'webhook-id', 'other'), [first], 'no signature fits'],
      ['under a wrong secret', before, [other], 'no signature fits'],
      ['old', withHeader(before, 'webhook-timestamp', old), [first], 'too old or too new'],
      [
        'without a time',
        withHeader(before, 'webhook-timestamp', 'now'),
        [first],
        'too old or too new',
      ],
      [
        'unsigned',
        withHeader(before, 'webhook-signature', ''),
        [first],
        'the header webhook-signature is missing',
      ],
    ]
    for (const [says, signed, known, expected] of cases)
      expect([says, verify(signed, known)]).toEqual([says, expected])
  })
})
