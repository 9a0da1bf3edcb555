/**
 * People of an OpenID provider who choose their own claims, and a provider that is broken or lies.
 */
import type { Forgery } from '../forged-provider.ts'
import type { TestHub } from '../hub.ts'
import type { BreakIn, Target } from './break-in.ts'

const refusals = ['/signin?problem=SIGN_IN_REFUSED', '/signin?problem=SERVICE_UNAVAILABLE']
const people = (hub: TestHub) =>
  hub.inner.db.read.selectFrom('people').selectAll().orderBy('person_id').execute()
const day = 86_400

/** Every one must end on the sign-in page, with nobody added. */
const refused: readonly [string, Forgery][] = [
  ['the subject in a list', { token: { sub: ['known'] } }],
  ['an empty subject', { token: { sub: '' } }],
  ['a number as the subject', { token: { sub: 5 } }],
  ['no subject', { token: { sub: undefined } }],
  ['a subject without end', { token: { sub: 'x'.repeat(300) } }],
  ['a token for another client', { token: { azp: 'another' } }],
  ['a token for several clients without saying which', { token: { aud: ['hub', 'another'] } }],
  ['a token of tomorrow', { token: { iat: Math.floor(Date.now() / 1_000) + 30 * day } }],
  ['a time of issue that is a text', { token: { iat: 'now' } }],
  ['groups inside groups', { token: { groups: [['loc']] } }],
  ['groups in an object', { token: { groups: { toString: 'loc', 0: 'loc' } } }],
  ['groups among other things', { token: { groups: ['loc', 5] } }],
  ['no role at all', { token: { email: 'waits@example.org', email_verified: true, groups: [] } }],
  [
    'a sign-in page over plain http',
    { metadata: { authorization_endpoint: 'http://id.example/auth' } },
  ],
  [
    'a sign-in page that is a script',
    { metadata: { authorization_endpoint: 'javascript:alert(1)' } },
  ],
  ['a sign-in page that is no URL', { metadata: { authorization_endpoint: 'auth' } }],
  [
    'a sign-in page that is a list',
    { metadata: { authorization_endpoint: ['https://id.example'] } },
  ],
  ['a token endpoint over plain http', { metadata: { token_endpoint: 'http://id.example/token' } }],
  ['keys over plain http', { metadata: { jwks_uri: 'http://id.example/keys' } }],
  ['user info over plain http', { metadata: { userinfo_endpoint: 'http://id.example/me' } }],
  ['user info at a number', { metadata: { userinfo_endpoint: 5 } }],
  ['no metadata', { metadata: { issuer: undefined, token_endpoint: undefined } }],
  ['keys that are none', { keys: { keys: 'none' } }],
  ['keys that are a list', { keys: [] }],
  [
    'a key without its numbers',
    { keys: { keys: [{ kty: 'EC', crv: 'P-256', x: 5, kid: 'k1', alg: 'ES256' }] } },
  ],
  ['user info about another person', { userInfo: { sub: 'other', groups: ['loc'] } }],
  ['user info about a list of people', { userInfo: { sub: ['forged-26'], groups: ['loc'] } }],
  [
    'a token that another key signed',
    {
      keys: {
        keys: [
          {
            kty: 'EC',
            crv: 'P-256',
            x: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU',
            y: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0',
            kid: 'k1',
            alg: 'ES256',
            use: 'sig',
          },
        ],
      },
    },
  ],
  [
    'algorithms that sign nothing',
    { metadata: { id_token_signing_alg_values_supported: ['none'] } },
  ],
]

const honest = { name: 'Known', groups: ['loc'] }

export const providerAttacks: readonly BreakIn[] = [
  ...refused.map(
    ([what, forgery], at): BreakIn => ({
      name: `a provider with ${what} gets a sentence on the sign-in page, and nobody is added`,
      tries: async ({ hub, provider }) => {
        await provider.signIn(hub, { token: { ...honest, sub: 'known' } })
        const before = await people(hub)
        const token = { sub: `forged-${at}`, ...(!forgery.userInfo && honest), ...forgery.token }
        const { location, browser } = await provider.signIn(hub, { ...forgery, token })
        const after = await people(hub)
        const { status } = await browser.call('GET', '/session')
        return [
          ...(refusals.includes(location) ? [] : [`it led to ${location}`]),
          ...(status === 401 ? [] : [`a session is open: ${status}`]),
          ...(after.length === before.length ? [] : ['somebody was added']),
        ]
      },
    }),
  ),
  {
    name: 'an address that the provider did not verify is nobody’s',
    tries: async ({ hub, provider }) => {
      const found: string[] = []
      for (const [at, email_verified] of [undefined, false, 'true', 1, null].entries()) {
        const sub = `unverified-${at}`
        const email = `victim-${at}@example.org`
        await provider.signIn(hub, { token: { sub, groups: ['loc'], email, email_verified } })
        const row = (await people(hub)).find(({ subject }) => subject === sub)
        if (!row || row.email !== null || row.name === email)
          found.push(`${email_verified}: ${row?.name} ${row?.email}`)
      }
      await provider.signIn(hub, {
        token: { sub: 'verified', groups: ['loc'], email: 'Own@example.org', email_verified: true },
      })
      const own = (await people(hub)).find(({ subject }) => subject === 'verified')
      return own?.email === 'own@example.org'
        ? found
        : [...found, `a verified address is lost: ${own?.email}`]
    },
  },
  {
    name: 'names and addresses of a provider hold nothing that is not shown',
    tries: async ({ hub, provider }) => {
      const name = '\u202eAda\u0007\u2066 L\u0000ovelace\u2029'
      const token = {
        sub: 'odd',
        groups: ['loc'],
        name,
        email: 'a\u202eb@example.org',
        email_verified: true,
      }
      await provider.signIn(hub, { token })
      await provider.signIn(hub, { token: { ...token, sub: 'odder', email: 'not an address' } })
      const rows = (await people(hub)).filter(({ subject }) => subject?.startsWith('odd'))
      const said = rows.map((row) => `${row.name} ${row.email}`)
      return said.join() === 'Ada Lovelace null,Ada Lovelace null'
        ? []
        : [`they are ${JSON.stringify(said)}`]
    },
  },
  {
    name: 'a person whose roles the provider takes loses them, though the sign-in is refused',
    tries: async ({ hub, provider }) => {
      const { browser } = await provider.signIn(hub, { token: { sub: 'fired', groups: ['loc'] } })
      const open = await browser.call('GET', '/session')
      await provider.signIn(hub, { token: { sub: 'fired', groups: [] } })
      const { status } = await browser.call('GET', '/jobs')
      return open.status === 200 && status === 403 ? [] : [`before ${open.status}, after ${status}`]
    },
  },
  {
    name: 'a sign-in returns to pages of the console only, however the address is spelled',
    tries: async (target) => {
      const hostile = [
        ...[
          '//evil.example',
          '/\\evil.example',
          '/.//evil.example',
          '/x/..//evil.example',
          '/%2e%2e//evil.example',
        ],
        ...['/./console/api/oidc/start', '/x/../console/api/session', '/%2e/console/api/session'],
        ...[
          '/c%6fnsole/api/oidc/start',
          '/CONSOLE/api/session',
          '/console',
          'https://evil.example',
          '/%',
        ],
      ]
      const found: string[] = []
      for (const to of hostile) {
        const location = await returnTo(target, to)
        if (location !== '/') found.push(`${to} led to ${location}`)
      }
      const own = await returnTo(target, '/jobs/./abc?x=1#y')
      return own === '/jobs/abc?x=1#y' ? found : [...found, `a page of the console led to ${own}`]
    },
  },
]

async function returnTo({ hub, provider }: Target, to: string): Promise<string> {
  const start = `/oidc/start?to=${encodeURIComponent(to)}`
  return (await provider.signIn(hub, { token: honest }, start)).location
}
