/**
 * A site's admin who gives addresses that people of other sites have: it learns nothing of them,
 * and opens nothing.
 */
import type { TestHub } from '../hub.ts'
import { enter, goodPassword, tokenIn, type Visitor, visit } from '../visitor.ts'
import type { BreakIn } from './break-in.ts'

type Body = Record<string, unknown>
type Known = Visitor & { readonly email: string }

const ownPassword = 'what the admin chose itself'
let many = 0

/** A person of another site, who has signed in, and one of the hub. */
const others: readonly [string, (hub: TestHub) => Promise<Known>][] = [
  ['a person of another site', (hub) => enter(hub, ['admin'], 'elsewhere')],
  ['an operator', (hub) => enter(hub, ['operator'])],
]

const add = (admin: Visitor, email: string) =>
  admin.call<Body>('POST', '/people', {
    body: { name: 'New', email, sites: [{ roles: ['viewer'] }] },
  })
const fresh = () => {
  many += 1
  return `fresh-${many}@example.org`
}

/** What differs between any two new people, made the same. */
function shapeOf(body: Body, email: string): string {
  const same = { ...body, personId: 'id', link: 'link', createdDate: 'now', linkExpiryDate: 'then' }
  return JSON.stringify(same).replaceAll(email, 'address')
}

async function meOf(person: Visitor): Promise<string> {
  const { lastSignInDate, sessions, ...rest } = (await person.call<Body>('GET', '/me')).body
  return JSON.stringify(rest)
}

/** The audit log as the admin reads it, without times and ids. */
async function actsOn(admin: Visitor, personId: unknown): Promise<string> {
  const { body } = await admin.call<{ audit: Body[] }>('GET', '/audit', {
    query: { pageSize: '50' },
  })
  const acts = body.audit.filter(({ id }) => id === personId)
  return JSON.stringify(acts.map(({ thing, verb, was, is }) => ({ thing, verb, was, is })))
}

export const addressAttacks: readonly BreakIn[] = [
  ...others.map(
    ([who, enterOther]): BreakIn => ({
      name: `an admin who adds the address of ${who} is answered as for a new one, and opens nothing`,
      tries: async ({ hub }) => {
        const admin = await enter(hub, ['admin'], 'main')
        const other = await enterOther(hub)
        const { personId: otherId } = (
          await other.call<{ person: { personId: string } }>('GET', '/session')
        ).body.person
        const before = await meOf(other)
        const email = fresh()
        const [free, taken] = [await add(admin, email), await add(admin, other.email)]
        const found: string[] = []
        const mustBe = (what: string, is: unknown, wanted: unknown) => {
          if (is !== wanted) found.push(`${what}: ${is}, not ${wanted}`)
        }
        mustBe(
          'the answers',
          `${taken.status} ${shapeOf(taken.body, other.email)}`,
          `201 ${shapeOf(free.body, email)}`,
        )
        mustBe(
          'the acts',
          await actsOn(admin, taken.body.personId),
          await actsOn(admin, free.body.personId),
        )
        mustBe('the other is found', (await admin.call('GET', `/people/${otherId}`)).status, 404)
        const read = async ({ personId }: Body) =>
          (await admin.call<Body>('GET', `/people/${personId}`)).body
        mustBe(
          'read',
          shapeOf(await read(taken.body), other.email),
          shapeOf(await read(free.body), email),
        )
        const again = [
          (await add(admin, email)).body.code,
          (await add(admin, other.email)).body.code,
        ]
        mustBe('added twice', String(again), 'PERSON_EXISTS,PERSON_EXISTS')

        // The link opens an account of the admin's site, and no other.
        const check = await visit(hub).call('POST', '/welcome/check', {
          body: { token: tokenIn(String(taken.body.link)) },
        })
        mustBe(
          'the link shows',
          JSON.stringify(check.body.sites),
          '[{"siteId":"main","roles":["viewer"]}]',
        )
        const thief = visit(hub)
        await thief.welcome(tokenIn(String(taken.body.link)), { password: ownPassword })
        const own = visit(hub)
        mustBe(
          'its own password',
          (await own.signIn({ email: other.email, password: ownPassword })).status,
          201,
        )
        for (const visitor of [thief, own]) {
          const { person } = (
            await visitor.call<{ person: { personId: string } }>('GET', '/session')
          ).body
          mustBe('who signed in', person.personId, taken.body.personId)
        }
        const owner = visit(hub)
        mustBe(
          'the other’s password',
          (await owner.signIn({ email: other.email, password: goodPassword })).status,
          201,
        )
        const { person } = (await owner.call<{ person: { personId: string } }>('GET', '/session'))
          .body
        mustBe('who the other is', person.personId, otherId)
        // One hash checks both: how long a sign-in takes does not tell how many accounts there are.
        const rows = await hub.inner.db.read
          .selectFrom('people')
          .select('password_hash')
          .where('email', '=', other.email)
          .execute()
        mustBe(
          'salts',
          new Set(rows.map(({ password_hash }) => password_hash?.split('$')[2])).size,
          1,
        )
        await admin.call('DELETE', `/people/${taken.body.personId}`)
        mustBe('the other after all', await meOf(other), before)
        return found
      },
    }),
  ),
  {
    name: 'an address that is changed to that of a person of another site is taken like any other',
    tries: async ({ hub }) => {
      const admin = await enter(hub, ['admin'], 'main')
      const other = await enter(hub, ['admin'], 'elsewhere')
      const mine = (await add(admin, fresh())).body
      const change = (email: string) =>
        admin.call<Body>('PATCH', `/people/${mine.personId}`, { body: { email } })
      const email = fresh()
      const [free, taken] = [await change(email), await change(other.email)]
      const [one, two] = [
        `${free.status} ${shapeOf(free.body, email)}`,
        `${taken.status} ${shapeOf(taken.body, other.email)}`,
      ]
      const owner = await visit(hub).signIn({ email: other.email, password: goodPassword })
      const own = await change(admin.email)
      const said = [
        ...(one === two ? [] : [`${one} and ${two}`]),
        ...(owner.status === 201 ? [] : ['the owner is out']),
      ]
      return own.body.code === 'PERSON_EXISTS'
        ? said
        : [...said, `an address of the site was given: ${own.status}`]
    },
  },
  {
    name: 'whoever has an account under the same address does not guess the password of the other for free',
    tries: async ({ hub }) => {
      const admin = await enter(hub, ['admin'], 'main')
      const other = await enter(hub, ['viewer'], 'elsewhere')
      const { link } = (await add(admin, other.email)).body
      const thief = visit(hub)
      await thief.welcome(tokenIn(String(link)), { password: ownPassword })
      const said: number[] = []
      for (let round = 0; round < 12; round += 1) {
        said.push(
          (await visit(hub).signIn({ email: other.email, password: `guess number ${round}` }))
            .status,
        )
        await visit(hub).signIn({ email: other.email, password: ownPassword })
        await thief.call('POST', '/session/confirm', { body: { password: ownPassword } })
      }
      return said.at(-1) === 429 ? [] : [`it guessed on: ${said}`]
    },
  },
]
