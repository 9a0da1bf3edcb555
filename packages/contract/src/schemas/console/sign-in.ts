/** How people sign in to the console and manage their own account. */
import type { Static } from 'typebox'
import { limits } from '../../limits.ts'
import { choice, name, Time } from '../parts.ts'
import Type from '../type.ts'
import { Email, Person, PersonName, PersonSession } from './person.ts'
import { Preferences, SiteRoles } from './session.ts'

const bytes = (maxLength: number) => Type.String({ pattern: `^[A-Za-z0-9_-]{1,${maxLength}}$` })
const Password = name(limits.passwordBytes)
const LinkToken = Type.String({
  pattern: '^[A-Za-z0-9_-]{43}$',
  description: 'The last part of the link.',
})
const RecoveryCode = Type.String({ minLength: 1, maxLength: 40 })

/** The result of navigator.credentials.get(), its members in base64url. */
export const PasskeyProof = Type.Object(
  {
    credentialId: bytes(1_400),
    authenticatorData: bytes(4_000),
    clientData: bytes(4_000),
    signature: bytes(2_000),
  },
  { title: 'PasskeyProof' },
)
export type PasskeyProof = Static<typeof PasskeyProof>

/** The result of navigator.credentials.create(). */
export const GivenPasskey = Type.Object(
  {
    credentialId: bytes(1_400),
    publicKey: {
      ...bytes(4_000),
      description: 'As getPublicKey() gives it: SubjectPublicKeyInfo.',
    },
    algorithm: Type.Integer({ description: 'As getPublicKeyAlgorithm() gives it.' }),
    authenticatorData: bytes(4_000),
    clientData: bytes(4_000),
  },
  { title: 'GivenPasskey' },
)
export type GivenPasskey = Static<typeof GivenPasskey>

export const SignInWays = Type.Object(
  {
    people: Type.Boolean({
      description: 'false: nobody can sign in yet; open the link that the hub printed.',
    }),
    password: Type.Boolean(),
    provider: Type.Optional(
      Type.String({ description: 'The name of the OpenID provider, if there is one.' }),
    ),
    connection: choice(['secure', 'plain', 'refused'], {
      description:
        'plain: over http, which the operator allows. refused: over http, and sign-in is refused.',
    }),
    profile: choice(['sandbox', 'staging', 'production']),
    command: Type.String({ description: 'Prints a new link, on the machine of the hub.' }),
  },
  { title: 'SignInWays' },
)
export type SignInWays = Static<typeof SignInWays>

export const OidcState = Type.Object(
  {
    configured: Type.Boolean(),
    name: Type.Optional(Type.String()),
    issuer: Type.Optional(Type.String()),
    givesRoles: Type.Optional(
      Type.Boolean({ description: 'The provider decides on roles at each sign-in.' }),
    ),
    lastError: Type.Optional(
      Type.Object(
        { time: Time, message: Type.String() },
        {
          description:
            'The last sign-in by the provider that failed, if none worked since; of the node that answers.',
        },
      ),
    ),
  },
  { title: 'OidcState' },
)
export type OidcState = Static<typeof OidcState>

export const SignIn = Type.Object(
  {
    email: Type.Optional(Type.String({ maxLength: 300 })),
    password: Type.Optional(Password),
    passkey: Type.Optional(PasskeyProof),
    recoveryCode: Type.Optional(RecoveryCode),
  },
  { title: 'SignIn', description: 'A password, a passkey, or what the person needs of both.' },
)
export type SignIn = Static<typeof SignIn>

export const Confirmation = Type.Object(
  { password: Type.Optional(Password), passkey: Type.Optional(PasskeyProof) },
  { title: 'Confirmation' },
)
export type Confirmation = Static<typeof Confirmation>

export const LinkCheck = Type.Object({ token: LinkToken }, { title: 'LinkCheck' })

export const Invitation = Type.Object(
  {
    person: Type.Optional(
      Type.Object(
        { name: Type.String(), email: Type.Optional(Type.String()) },
        { description: 'If it is known.' },
      ),
    ),
    sites: Type.Array(SiteRoles),
    expiryDate: Time,
    password: Type.Boolean({ description: 'Whether a password can be set.' }),
  },
  { title: 'Invitation' },
)
export type Invitation = Static<typeof Invitation>

export const Welcome = Type.Object(
  {
    token: LinkToken,
    name: Type.Optional(PersonName),
    email: Type.Optional(Email),
    password: Type.Optional(Password),
    passkey: Type.Optional(GivenPasskey),
  },
  { title: 'Welcome' },
)
export type Welcome = Static<typeof Welcome>

export const PasskeyChallenge = Type.Object(
  { challenge: Type.String(), rpId: Type.String(), timeoutMs: Type.Integer() },
  { title: 'PasskeyChallenge' },
)
export type PasskeyChallenge = Static<typeof PasskeyChallenge>

export const Passkey = Type.Object(
  {
    passkeyId: Type.String(),
    name: Type.String(),
    createdDate: Time,
    lastUsedDate: Type.Optional(Time),
  },
  { title: 'Passkey' },
)
export type Passkey = Static<typeof Passkey>

export const NewPasskey = Type.Object(
  { name: PersonName, passkey: GivenPasskey },
  { title: 'NewPasskey' },
)
export type NewPasskey = Static<typeof NewPasskey>

export const Me = Type.Object(
  {
    ...Person.properties,
    preferences: Preferences,
    sendsMail: Type.Boolean({ description: 'Whether this hub sends mail at all.' }),
    twoSteps: Type.Boolean({ description: 'A password alone does not sign in.' }),
    passkeys: Type.Array(Passkey),
    recoveryCodes: Type.Integer({ description: 'How many are left.' }),
    sessions: Type.Array(PersonSession),
  },
  { title: 'Me' },
)
export type Me = Static<typeof Me>

export const MeChange = Type.Object(
  {
    name: Type.Optional(PersonName),
    preferences: Type.Optional(Preferences),
    password: Type.Optional(Password),
    twoSteps: Type.Optional(Type.Boolean()),
  },
  { title: 'MeChange' },
)
export type MeChange = Static<typeof MeChange>

export const RecoveryCodes = Type.Object(
  {
    recoveryCodes: Type.Array(Type.String(), {
      description: 'Shown only in this response. Earlier ones end.',
    }),
  },
  { title: 'RecoveryCodes' },
)
export type RecoveryCodes = Static<typeof RecoveryCodes>

export const OidcStart = Type.Object({
  to: Type.Optional(
    Type.String({ maxLength: 2_000, description: 'The page of the console to return to.' }),
  ),
  confirm: Type.Optional(
    Type.Boolean({ description: 'Confirm the session instead of opening one.' }),
  ),
})

export const OidcReturn = Type.Object({
  code: Type.Optional(Type.String({ maxLength: 4_000 })),
  state: Type.Optional(Type.String({ maxLength: 400 })),
  error: Type.Optional(Type.String({ maxLength: 400 })),
  iss: Type.Optional(Type.String({ maxLength: 2_000 })),
})
