/** Each usual mistake of a receiver gives a value, and the value gives the mistake away. */
import { createHmac } from 'node:crypto'
import type { SignatureMistake } from '@dragoman/contract'
import { expect, it } from 'vitest'
import { keyOf } from './sign.ts'
import { judgeSignature, type Signed } from './signature-mistakes.ts'

const base64 = Buffer.from('a secret of at least 24 bytes').toString('base64')
const secret = `whsec_${base64}`
const old = `whsec_${Buffer.from('the secret of the day before').toString('base64')}`
const key = keyOf(secret)
const id = 'msg_2Kd81xP'
const timestamp = '1804930692'
const value = {
  statusCode: 'REVIEW_TRANSLATION',
  jobId: '7Qm2xT9aLk',
  message: 'Straße/Weg',
  ids: ['b', 'a'],
}
const body = JSON.stringify(value)
const signed: Signed = {
  id,
  timestamp,
  body,
  otherTimestamps: ['1804930392', timestamp],
  secrets: [
    { secret, hasEnded: false },
    { secret: old, hasEnded: true },
  ],
}
const head = `${id}.${timestamp}.`
const mac = (text: string, with_: Buffer | string = key, algorithm = 'sha256') =>
  createHmac(algorithm, with_).update(text).digest()
const v1 = (digest: Buffer) => `v1,${digest.toString('base64')}`
const sorted = JSON.stringify(value, Object.keys(value).sort())
const python =
  '{"statusCode": "REVIEW_TRANSLATION", "jobId": "7Qm2xT9aLk", "message": "Stra\\u00dfe/Weg", "ids": ["b", "a"]}'

const cases: [name: string, pasted: string, mistakes: SignatureMistake[]][] = [
  ['the right value', v1(mac(head + body)), []],
  [
    'the whole header, with another signature before',
    `v1,${'A'.repeat(43)}= ${v1(mac(head + body))}`,
    [],
  ],
  ['no version', mac(head + body).toString('base64'), ['MISSING_V1']],
  ['hex', `v1,${mac(head + body).toString('hex')}`, ['HEX']],
  [
    'hex in capitals, without the version',
    mac(head + body)
      .toString('hex')
      .toUpperCase(),
    ['MISSING_V1', 'HEX'],
  ],
  ['another hash: SHA-1', v1(mac(head + body, key, 'sha1')), ['SHA1']],
  ['another hash: SHA-512', v1(mac(head + body, key, 'sha512')), ['SHA512']],
  ['the secret with its prefix', v1(mac(head + body, secret)), ['SECRET_WITH_PREFIX']],
  ['the secret not decoded', v1(mac(head + body, base64)), ['SECRET_NOT_DECODED']],
  ['an old secret', v1(mac(head + body, keyOf(old))), ['OLD_SECRET']],
  ['the body alone', v1(mac(body)), ['BODY_ONLY']],
  ['no id', v1(mac(`${timestamp}.${body}`)), ['NO_ID']],
  ['no timestamp', v1(mac(`${id}.${body}`)), ['NO_TIMESTAMP']],
  ['timestamp before id', v1(mac(`${timestamp}.${id}.${body}`)), ['WRONG_ORDER']],
  ['no dots', v1(mac(id + timestamp + body)), ['NO_DOTS']],
  ['milliseconds', v1(mac(`${id}.${timestamp}000.${body}`)), ['MILLISECONDS']],
  ['the time of another attempt', v1(mac(`${id}.1804930392.${body}`)), ['OTHER_ATTEMPT']],
  ['a newline at the end', v1(mac(`${head}${body}\n`)), ['TRAILING_NEWLINE']],
  ['a newline of Windows at the end', v1(mac(`${head}${body}\r\n`)), ['TRAILING_NEWLINE']],
  ['indented JSON', v1(mac(head + JSON.stringify(value, null, 2))), ['JSON_SPACES']],
  ['sorted keys', v1(mac(head + sorted)), ['JSON_KEY_ORDER']],
  ['escaped slashes', v1(mac(head + body.replaceAll('/', '\\/'))), ['JSON_SLASHES']],
  ['escaped letters', v1(mac(head + body.replace('ß', '\\u00df'))), ['JSON_UNICODE']],
  ['JSON as Python writes it', v1(mac(head + python)), ['JSON_SPACES', 'JSON_UNICODE']],
  ['two at once', v1(mac(body, base64)), ['SECRET_NOT_DECODED', 'BODY_ONLY']],
]

it.each(cases)('%s is named', (_, pasted, mistakes) => {
  expect(judgeSignature(pasted, signed)).toMatchObject({ mistakes })
})

it('base64 with the alphabet of URLs is named', () => {
  // A timestamp whose hash has one of the two letters.
  const at = Array.from({ length: 50 }, (_, second) => String(1_804_930_692 + second)).find(
    (time) => /[-_]/.test(mac(`${id}.${time}.${body}`).toString('base64url')),
  )
  const pasted = `v1,${mac(`${id}.${at}.${body}`).toString('base64url')}`
  expect(judgeSignature(pasted, { ...signed, timestamp: at ?? '' })).toMatchObject({
    mistakes: ['BASE64URL'],
  })
})

it('a newline that was sent and is missing is named', () => {
  expect(judgeSignature(v1(mac(head + body)), { ...signed, body: `${body}\n` })).toMatchObject({
    mistakes: ['TRAILING_NEWLINE'],
  })
})

it('a plain password that was decoded as base64 is named', () => {
  const password = 'correct-horse'
  const pasted = v1(mac(head + body, Buffer.from(password, 'base64')))
  expect(
    judgeSignature(pasted, { ...signed, secrets: [{ secret: password, hasEnded: false }] }),
  ).toMatchObject({
    mistakes: ['SECRET_DECODED'],
  })
})

it('the secret is counted, and an unknown value stays unknown', () => {
  const two = { ...signed, secrets: signed.secrets.map((one) => ({ ...one, hasEnded: false })) }
  expect(judgeSignature(v1(mac(head + body, keyOf(old))), two)).toEqual({ mistakes: [], secret: 2 })
  expect(judgeSignature(v1(mac(head + body, 'another')), signed)).toBeUndefined()
  for (const text of ['v1,', 'hello', 'v1,not base64', 'v1,AAAA', '   '])
    expect(judgeSignature(text, signed)).toBe('unreadable')
})

it('a body that is not JSON is compared as it is', () => {
  for (const odd of ['', 'not json'])
    expect(judgeSignature(v1(mac(head + odd)), { ...signed, body: odd })).toMatchObject({
      mistakes: [],
    })
})
