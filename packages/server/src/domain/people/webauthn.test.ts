/** The checks of a passkey, each broken once. */
import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { algorithms, checkNewPasskey, checkProof } from './webauthn.ts'

const expected = { origin: 'https://hub.example', rpId: 'hub.example' }
const b64 = (bytes: Buffer | string): string => Buffer.from(bytes).toString('base64url')
const sha256 = (text: string | Buffer): Buffer => createHash('sha256').update(text).digest()
const kinds = {
  es256: { algorithm: algorithms.es256, ...generateKeyPairSync('ec', { namedCurve: 'P-256' }) },
  eddsa: { algorithm: algorithms.eddsa, ...generateKeyPairSync('ed25519') },
  rs256: { algorithm: algorithms.rs256, ...generateKeyPairSync('rsa', { modulusLength: 2_048 }) },
}
type Kind = keyof typeof kinds
const id = Buffer.from('credential')

const clientData = (over: object = {}) =>
  b64(
    JSON.stringify({
      type: 'webauthn.get',
      challenge: 'ours',
      origin: expected.origin,
      crossOrigin: false,
      ...over,
    }),
  )

function authData({
  rpId = expected.rpId,
  flags = 0x05,
  count = 7,
  more = Buffer.alloc(0),
} = {}): Buffer {
  const head = Buffer.alloc(5)
  head.writeUInt8(flags, 0)
  head.writeUInt32BE(count, 1)
  return Buffer.concat([sha256(rpId), head, more])
}

const credential = (of = id) => {
  const length = Buffer.alloc(2)
  length.writeUInt16BE(of.length)
  return Buffer.concat([Buffer.alloc(16), length, of])
}

const keyOf = (kind: Kind) => ({
  publicKey: b64(kinds[kind].publicKey.export({ format: 'der', type: 'spki' })),
  algorithm: kinds[kind].algorithm,
})

function proof(kind: Kind, data = authData(), client = clientData()) {
  const signed = Buffer.concat([data, sha256(Buffer.from(client, 'base64url'))])
  const digest = kind === 'eddsa' ? null : 'sha256'
  return {
    credentialId: b64(id),
    authenticatorData: b64(data),
    clientData: client,
    signature: b64(sign(digest, signed, kinds[kind].privateKey)),
  }
}

const made = (over: object = {}, data = authData({ flags: 0x45, more: credential() })) => ({
  credentialId: b64(id),
  ...keyOf('es256'),
  authenticatorData: b64(data),
  clientData: clientData({ type: 'webauthn.create' }),
  ...over,
})

describe('a new passkey', () => {
  it('is accepted with the challenge that it answers', () => {
    expect(checkNewPasskey(made(), expected)).toEqual({ challenge: 'ours', signCount: 7 })
  })

  const broken: [string, Parameters<typeof checkNewPasskey>[0], RegExp][] = [
    ['another type', made({ clientData: clientData() }), /type/],
    [
      'another origin',
      made({ clientData: clientData({ type: 'webauthn.create', origin: 'https://evil.example' }) }),
      /origin/,
    ],
    [
      'a frame of another site',
      made({ clientData: clientData({ type: 'webauthn.create', crossOrigin: true }) }),
      /another site/,
    ],
    [
      'no challenge',
      made({ clientData: clientData({ type: 'webauthn.create', challenge: 5 }) }),
      /challenge/,
    ],
    ['no JSON', made({ clientData: b64('{') }), /JSON/],
    [
      'another host',
      made({}, authData({ rpId: 'evil.example', flags: 0x45, more: credential() })),
      /host name/,
    ],
    ['nobody there', made({}, authData({ flags: 0x44, more: credential() })), /nobody/],
    [
      'an unverified person',
      made({}, authData({ flags: 0x41, more: credential() })),
      /did not verify/,
    ],
    ['no credential', made({}, authData({ flags: 0x05 })), /no credential/],
    [
      'another credential',
      made({}, authData({ flags: 0x45, more: credential(Buffer.from('another')) })),
      /id is another/,
    ],
    [
      'a cut credential',
      made({}, authData({ flags: 0x45, more: credential().subarray(0, 20) })),
      /id is another/,
    ],
    ['short data', made({ authenticatorData: b64('short') }), /too short/],
    ['another kind of key', made({ algorithm: algorithms.rs256 }), /kind of key/],
    ['no key', made({ publicKey: b64('no key') }), /cannot be read/],
  ]
  it.each(broken)('with %s is refused', (_, given, why) => {
    expect(() => checkNewPasskey(given, expected)).toThrow(why)
  })
})

describe('a proof', () => {
  it.each(['es256', 'eddsa', 'rs256'] as const)('of %s is accepted', (kind) => {
    const stored = { ...keyOf(kind), signCount: 6 }
    expect(checkProof(proof(kind), stored, expected)).toEqual({ challenge: 'ours', signCount: 7 })
  })

  const stored = { ...keyOf('es256'), signCount: 6 }
  it.each([
    ['another key', { ...stored, ...keyOf('eddsa') }, proof('es256'), /signature/],
    [
      'changed data',
      stored,
      { ...proof('es256'), authenticatorData: b64(authData({ count: 8 })) },
      /signature/,
    ],
    [
      'a changed challenge',
      stored,
      { ...proof('es256'), clientData: clientData({ challenge: 'theirs' }) },
      /signature/,
    ],
    [
      'another type',
      stored,
      proof('es256', authData(), clientData({ type: 'webauthn.create' })),
      /type/,
    ],
    [
      'another origin',
      stored,
      proof('es256', authData(), clientData({ origin: 'http://hub.example' })),
      /origin/,
    ],
    ['an unverified person', stored, proof('es256', authData({ flags: 0x01 })), /did not verify/],
    ['a counter that stands', { ...stored, signCount: 7 }, proof('es256'), /counter/],
    ['a counter that went to zero', stored, proof('es256', authData({ count: 0 })), /counter/],
  ] as const)('with %s is refused', (_, key, given, why) => {
    expect(() => checkProof(given, key, expected)).toThrow(why)
  })

  it('with a counter that never counts is fine', () => {
    const given = proof('es256', authData({ count: 0 }))
    expect(checkProof(given, { ...stored, signCount: 0 }, expected).signCount).toBe(0)
  })
})
