/** Passkeys: junk in the name of others, devices that verify nobody, and challenges that were used or forged. */
import { generateKeyPairSync, hash, type KeyObject, randomBytes, sign } from 'node:crypto'
import type { TestHub } from '../hub.ts'
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
  await hub.inner.engine.transact((tx) => tx.insertInto('passkeys').values(row).execute())
  return { credentialId, privateKey }
}

async function challengeOf(hub: TestHub): Promise<string> {
  const { body } = await visit(hub).call<{ challenge: string }>('POST', '/passkeys/challenge')
  return body.challenge
}

function proofOf(hub: TestHub, { credentialId, privateKey }: Device, challenge: string, flag = 0x05) {
  const { origin, hostname } = new URL(hub.url)
  const client = Buffer.from(JSON.stringify({ type: 'webauthn.get', origin, challenge }))
  const data = Buffer.concat([hash('sha256', hostname, 'buffer'), Buffer.from([flag, 0, 0, 0, 0])])
  const signature = sign('sha256', Buffer.concat([data, hash('sha256', client, 'buffer')]), privateKey)
  return { credentialId, clientData: b64(client), authenticatorData: b64(data), signature: b64(signature) }
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
        const proof = { ...proofOf(hub, victim, await challengeOf(hub)), credentialId, signature: b64('junk') }
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
      const unverified = await signIn(hub, proofOf(hub, device, await challengeOf(hub), flags.present))
      const challenge = await challengeOf(hub)
      const first = await signIn(hub, proofOf(hub, device, challenge))
      const again = await signIn(hub, proofOf(hub, device, challenge))
      const bytes = Buffer.from(await challengeOf(hub), 'base64url')
      bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1
      const forged = await signIn(hub, proofOf(hub, device, b64(bytes)))
      const said = [unverified, first, again, forged].join()
      return said === '400 PASSKEY_REFUSED,201,400 PASSKEY_REFUSED,400 PASSKEY_REFUSED' ? [] : [said]
    },
  },
]
