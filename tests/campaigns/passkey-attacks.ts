/**
 * Passkeys: junk in the name of others, devices that verify nobody, and challenges that were used
 * or forged.
 */
import crypto, { generateKeyPairSync, hash, type KeyObject, randomBytes, sign } from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { revokeToken } from '../../packages/server/src/domain/access/tokens.ts'
import { makeChallenge, spendChallenge } from '../../packages/server/src/domain/people/passkeys.ts'
import { bootstrapId, type TestHub } from '../hub.ts'
import { enter, visit } from '../visitor.ts'
import type { BreakIn } from './break-in.ts'

type Device = { readonly credentialId: string; readonly privateKey: KeyObject }
const b64 = (bytes: string | Buffer): string => Buffer.from(bytes).toString('base64url')
const flags = { present: 0x01, verified: 0x04 }

/** A person with a passkey. */
async function withPasskey(hub: TestHub): Promise<Device> {
  const { session } = await enter(hub, ['viewer'], 'main')
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
  const credentialId = b64(randomBytes(16))
  const row = {
    passkey_id: b64(randomBytes(16)),
    person_id: session.person.personId,
    credential_id: credentialId,
    public_key: b64(publicKey.export({ format: 'der', type: 'spki' })),
    algorithm: -7,
    sign_count: 0,
    name: 'Key',
    created_at: 1,
    last_used_at: null,
  }
  await hub.inner.db.transact((tx) => tx.insertInto('passkeys').values(row).execute())
  return { credentialId, privateKey }
}

async function challengeOf(hub: TestHub): Promise<string> {
  const { body } = await visit(hub).call<{ challenge: string }>('POST', '/passkeys/challenge')
  return body.challenge
}

function proofOf(
  hub: TestHub,
  { credentialId, privateKey }: Device,
  challenge: string,
  flag = 0x05,
) {
  const { origin, hostname } = new URL(hub.url)
  const client = Buffer.from(JSON.stringify({ type: 'webauthn.get', origin, challenge }))
  const data = Buffer.concat([hash('sha256', hostname, 'buffer'), Buffer.from([flag, 0, 0, 0, 0])])
  const signature = sign(
    'sha256',
    Buffer.concat([data, hash('sha256', client, 'buffer')]),
    privateKey,
  )
  return {
    credentialId,
    clientData: b64(client),
    authenticatorData: b64(data),
    signature: b64(signature),
  }
}

const signIn = async (hub: TestHub, passkey: object): Promise<string> => {
  const { status, body } = await visit(hub).signIn({ passkey })
  return `${status} ${body.code ?? ''}`.trim()
}

export const passkeyAttacks: readonly BreakIn[] = [
  {
    name: 'junk in the place of a passkey slows the account that it names, and nobody else at its address',
    tries: async ({ hub }) => {
      const [victim, other] = [await withPasskey(hub), await withPasskey(hub)]
      const junk = async (credentialId: string) => {
        const proof = {
          ...proofOf(hub, victim, await challengeOf(hub)),
          credentialId,
          signature: b64('junk'),
        }
        return signIn(hub, proof)
      }
      const unknown = b64(randomBytes(16))
      for (let times = 0; times < 12; times += 1) await junk(unknown)
      for (let times = 0; times < 12; times += 1) await junk(victim.credentialId)
      const said = {
        unknown: await junk(unknown),
        named: await signIn(hub, proofOf(hub, victim, await challengeOf(hub))),
        other: await signIn(hub, proofOf(hub, other, await challengeOf(hub))),
      }
      const wanted = { unknown: '400 PASSKEY_REFUSED', named: '429 RATE_LIMITED', other: '201' }
      return JSON.stringify(said) === JSON.stringify(wanted) ? [] : [JSON.stringify(said)]
    },
  },
  {
    name: 'a device that verified nobody opens nothing, and a challenge opens once',
    tries: async ({ hub }) => {
      const device = await withPasskey(hub)
      const unverified = await signIn(
        hub,
        proofOf(hub, device, await challengeOf(hub), flags.present),
      )
      const challenge = await challengeOf(hub)
      const first = await signIn(hub, proofOf(hub, device, challenge))
      const again = await signIn(hub, proofOf(hub, device, challenge))
      const bytes = Buffer.from(await challengeOf(hub), 'base64url')
      bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1
      const forged = await signIn(hub, proofOf(hub, device, b64(bytes)))
      const said = [unverified, first, again, forged].join()
      return said === '400 PASSKEY_REFUSED,201,400 PASSKEY_REFUSED,400 PASSKEY_REFUSED'
        ? []
        : [said]
    },
  },
  {
    name: 'what a transaction spent or revoked is good again if it is rolled back, in the rows and in memory',
    tries: async ({ hub }) => {
      const { inner } = hub
      const { challenge } = makeChallenge(inner, { origin: hub.url, rpId: 'localhost' })
      const spend = (isUndone: boolean) =>
        inner.db
          .transact(async (tx) => {
            await spendChallenge(inner, tx, challenge)
            if (isUndone) throw new Error('undone')
          })
          .then(
            () => 'spent',
            (error: Error) => error.message.replace(/.*used before.*/, 'used'),
          )
      const spent = [await spend(true), await spend(false), await spend(false)]
      const token = await hub.token(bootstrapId)
      const transact: typeof inner.db.transact = (work) =>
        inner.db.transact(async (tx) => {
          await work(tx)
          throw new Error('undone')
        })
      const failing = { ...inner, db: { ...inner.db, transact } }
      const revoked = await revokeToken(
        failing,
        { siteId: 'main', clientId: bootstrapId },
        token,
        'a-trace',
      ).catch((error: Error) => error.message)
      const headers = { authorization: `Bearer ${token}` }
      const said = [
        ...spent,
        revoked,
        (await hub.call('GET', '/v2/jobs', { headers })).status,
      ].join()
      return said === 'undone,spent,used,undone,200' ? [] : [said]
    },
  },
  {
    name: 'the MAC of a challenge is compared in constant time',
    tries: async ({ hub }) => {
      const bytes = Buffer.from(
        makeChallenge(hub.inner, { origin: hub.url, rpId: 'localhost' }).challenge,
        'base64url',
      )
      bytes[39] = (bytes[39] ?? 0) ^ 1
      const { timingSafeEqual } = crypto
      let isCompared = false
      crypto.timingSafeEqual = (one, other) => {
        isCompared ||= bytes.subarray(24).equals(other as Buffer)
        return timingSafeEqual(one, other)
      }
      syncBuiltinESMExports()
      const spend = hub.inner.db.transact((tx) =>
        spendChallenge(hub.inner, tx, bytes.toString('base64url')),
      )
      const isRefused = await spend.then(
        () => false,
        () => true,
      )
      crypto.timingSafeEqual = timingSafeEqual
      syncBuiltinESMExports()
      return isRefused && isCompared
        ? []
        : [`refused: ${isRefused}, compared by timingSafeEqual: ${isCompared}`]
    },
  },
]
