/**
 * Sign-in, and what people do with their own account: only for the console. `open` rows need no
 * session, because they are used to get one. `confirm` rows need a session that was confirmed in
 * the last few minutes.
 */

import { PersonSession } from '../schemas/console/person.ts'
import { Session } from '../schemas/console/session.ts'
import {
  Confirmation,
  Invitation,
  LinkCheck,
  Me,
  MeChange,
  NewPasskey,
  OidcReturn,
  OidcStart,
  OidcState,
  Passkey,
  PasskeyChallenge,
  RecoveryCodes,
  SignIn,
  SignInWays,
  Welcome,
} from '../schemas/console/sign-in.ts'
import { path, Redirect } from '../schemas/parts.ts'
import Type from '../schemas/type.ts'
import { rows } from './row.ts'

const own = { tag: 'Console', scope: 'any' } as const
const open = { ...own, open: true } as const
const done = Type.Object({})

export const signInEndpoints = rows({
  findSignIn: {
    ...open,
    call: 'GET /signin',
    says: 'Read how people can sign in here',
    answers: SignInWays,
    fails: [],
  },
  signIn: {
    ...open,
    call: 'POST /session',
    says: 'Sign in: sets the session cookie',
    body: SignIn,
    answers: Session,
    status: 201,
    fails: ['SIGN_IN_REFUSED', 'SECOND_STEP_NEEDED', 'INSECURE_SIGN_IN', 'PASSKEY_REFUSED'],
  },
  signOut: {
    ...own,
    call: 'DELETE /session',
    says: 'End this session',
    answers: done,
    fails: [],
  },
  confirmSession: {
    ...own,
    call: 'POST /session/confirm',
    says: 'Confirm with a password or passkey that it is still the same person',
    body: Confirmation,
    answers: Session,
    fails: ['SIGN_IN_REFUSED', 'PASSKEY_REFUSED'],
  },
  checkLink: {
    ...open,
    call: 'POST /welcome/check',
    says: 'Read whom a sign-in link is for, without using it',
    body: LinkCheck,
    answers: Invitation,
    fails: ['LINK_NOT_FOUND'],
  },
  welcome: {
    ...open,
    call: 'POST /welcome',
    says: 'Use a sign-in link: set a password or passkey, and sign in',
    body: Welcome,
    answers: Session,
    status: 201,
    fails: [
      'LINK_NOT_FOUND',
      'PASSWORD_WEAK',
      'PASSKEY_REFUSED',
      'PERSON_EXISTS',
      'INSECURE_SIGN_IN',
      'SITE_REMOVED',
    ],
  },
  findMe: {
    ...own,
    call: 'GET /me',
    says: 'Read your own account',
    answers: Me,
    fails: [],
  },
  changeMe: {
    ...own,
    call: 'PATCH /me',
    says: 'Change your name, preferences or password; a new password ends your other sessions',
    body: MeChange,
    answers: Me,
    fails: ['PASSWORD_WEAK', 'LAST_WAY_IN', 'CONFIRM_NEEDED'],
  },
  endOwnSession: {
    ...own,
    call: 'DELETE /me/sessions/{sessionId}',
    says: 'End one of your own sessions',
    params: path('sessionId'),
    answers: PersonSession,
    fails: ['SESSION_NOT_FOUND'],
  },
  challengePasskey: {
    ...open,
    call: 'POST /passkeys/challenge',
    says: 'Get what a passkey must sign',
    answers: PasskeyChallenge,
    fails: [],
  },
  addPasskey: {
    ...own,
    confirm: true,
    call: 'POST /passkeys',
    says: 'Add a passkey to your account',
    body: NewPasskey,
    answers: Passkey,
    status: 201,
    fails: ['PASSKEY_REFUSED'],
  },
  removePasskey: {
    ...own,
    confirm: true,
    call: 'DELETE /passkeys/{passkeyId}',
    says: 'Remove one of your passkeys',
    params: path('passkeyId'),
    answers: Passkey,
    fails: ['PASSKEY_NOT_FOUND', 'LAST_WAY_IN'],
  },
  makeRecoveryCodes: {
    ...own,
    confirm: true,
    call: 'POST /me/recoverycodes',
    says: 'Make new recovery codes; earlier ones end',
    answers: RecoveryCodes,
    status: 201,
    fails: [],
  },
  findOidc: {
    tag: 'Console',
    scope: 'admin',
    roles: ['admin', 'operator'],
    call: 'GET /oidc',
    says: 'Read whether people sign in by an OpenID provider, and why it last failed',
    answers: OidcState,
    fails: [],
  },
  startOidc: {
    ...open,
    call: 'GET /oidc/start',
    says: 'Go to the OpenID provider to sign in',
    query: OidcStart,
    answers: Redirect,
    redirects: true,
    fails: [],
  },
  returnOidc: {
    ...open,
    call: 'GET /oidc/return',
    says: 'Come back from the OpenID provider',
    query: OidcReturn,
    answers: Redirect,
    redirects: true,
    fails: [],
  },
})
