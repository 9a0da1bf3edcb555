/**
 * A site's admin who keeps what opens an account, until an operator gives that account more than
 * the admin's site.
 */
import { giveRoles } from '../../packages/server/src/domain/people/give-roles.ts'
import { linkByHand } from '../../packages/server/src/domain/people/link-by-hand.ts'
import type { TestHub } from '../hub.ts'
import { enter, goodPassword, tokenIn, type Visitor, visit } from '../visitor.ts'
import type { BreakIn } from './break-in.ts'

type Given = readonly { readonly siteId?: string; readonly roles: readonly string[] }[]
type Invited = { readonly personId: string; readonly email: string; readonly token: string }

let invited = 0

/** An admin of `main` invites a person and keeps the link. */
async function invite(
  hub: TestHub,
  roles: readonly string[] = ['viewer'],
): Promise<Invited & { admin: Visitor }> {
  const admin = await enter(hub, ['admin'], 'main')
  invited += 1
  const email = `invited-${invited}@example.org`
  const { status, body } = await admin.call('POST', '/people', {
    body: { name: 'New', email, sites: [{ roles }] },
  })
  if (status !== 201) throw new Error(`not invited: ${JSON.stringify(body)}`)
  return { admin, email, personId: String(body.personId), token: tokenIn(String(body.link)) }
}

async function give(hub: TestHub, personId: string, sites: Given): Promise<void> {
  const operator = await enter(hub, ['operator'])
  const { status, body } = await operator.call('PATCH', `/people/${personId}`, { body: { sites } })
  if (status !== 200) throw new Error(`not given: ${JSON.stringify(body)}`)
}

async function another(hub: TestHub): Promise<string> {
  const site = { site_id: 'other', created_at: 1, removing_at: null }
  await hub.inner.db.transact((tx) =>
    tx
      .insertInto('sites')
      .values(site)
      .onConflict((conflict) => conflict.doNothing())
      .execute(),
  )
  return site.site_id
}

async function useLink(hub: TestHub, token: string): Promise<string[]> {
  const check = await visit(hub).call('POST', '/welcome/check', { body: { token } })
  const used = await visit(hub).call('POST', '/welcome', {
    body: { token, password: goodPassword },
  })
  const said = [check, used].map(({ status, body }) => `${status} ${body.code}`)
  return said.every((one) => one === '404 LINK_NOT_FOUND')
    ? []
    : [`the link that was kept answered ${said}`]
}

/** What an operator gives to a person of the site `main`. */
const gifts: readonly [string, (hub: TestHub) => Promise<Given>][] = [
  ['the hub', async () => [{ roles: ['operator'] }]],
  ['another site', async (hub) => [{ siteId: await another(hub), roles: ['viewer'] }]],
  [
    'another site in place of its own',
    async (hub) => [
      { siteId: 'main', roles: [] },
      { siteId: await another(hub), roles: ['admin'] },
    ],
  ],
]

export const linkAttacks: readonly BreakIn[] = [
  ...gifts.flatMap(([what, gift]): BreakIn[] => [
    {
      name: `a kept link dies when its person is given ${what}`,
      tries: async ({ hub }) => {
        const { personId, token } = await invite(hub)
        await give(hub, personId, await gift(hub))
        return useLink(hub, token)
      },
    },
    {
      name: `a known password dies when its person is given ${what}`,
      tries: async ({ hub }) => {
        const { personId, token, email } = await invite(hub)
        const thief = visit(hub)
        await thief.welcome(token, { password: goodPassword })
        await thief.call('POST', '/me/recoverycodes')
        await give(hub, personId, await gift(hub))
        const open = await thief.call('GET', '/session')
        const again = await visit(hub).signIn({ email, password: goodPassword })
        const codes = await hub.inner.db.read
          .selectFrom('recovery_codes')
          .select('person_id')
          .execute()
        return [
          ...(open.status === 401 ? [] : [`the session of before stays open: ${open.status}`]),
          ...(again.status === 401 ? [] : [`the password of before signs in: ${again.status}`]),
          ...(codes.some(({ person_id }) => person_id === personId)
            ? ['the recovery codes of before are there']
            : []),
        ]
      },
    },
  ]),
  {
    name: 'a kept link dies when its person is given another role in the same site',
    tries: async ({ hub }) => {
      const { admin, personId, token } = await invite(hub)
      await admin.call('PATCH', `/people/${personId}`, {
        body: { sites: [{ roles: ['viewer', 'developer'] }] },
      })
      return useLink(hub, token)
    },
  },
  {
    name: 'a link is judged by the roles at the time of its use, however they came',
    tries: async ({ hub }) => {
      const { personId, token } = await invite(hub)
      await hub.inner.db.transact((tx) =>
        tx
          .insertInto('person_roles')
          .values({ person_id: personId, site_id: '', role: 'operator' })
          .execute(),
      )
      return useLink(hub, token)
    },
  },
  {
    name: 'a person who lost all roles brings no old password into the next site',
    tries: async ({ hub }) => {
      const { admin, personId, token, email } = await invite(hub)
      await visit(hub).welcome(token, { password: goodPassword })
      await admin.call('PATCH', `/people/${personId}`, { body: { sites: [{ roles: [] }] } })
      await give(hub, personId, [{ siteId: await another(hub), roles: ['admin'] }])
      const { status } = await visit(hub).signIn({ email, password: goodPassword })
      return status === 401 ? [] : [`it signs in: ${status}`]
    },
  },
  {
    name: 'fewer roles, or a further site of a person who is shared already, end nothing',
    tries: async ({ hub }) => {
      const { admin, personId, token } = await invite(hub, ['viewer', 'developer'])
      await admin.call('PATCH', `/people/${personId}`, { body: { sites: [{ roles: ['viewer'] }] } })
      const check = await visit(hub).call('POST', '/welcome/check', { body: { token } })
      const shared = await enter(hub, ['admin', 'operator'], 'main')
      await give(hub, shared.session.person.personId, [
        { siteId: await another(hub), roles: ['viewer'] },
      ])
      const { status } = await shared.call('GET', '/session')
      return check.status === 200 && status === 200
        ? []
        : [`the link answered ${check.status}, the session ${status}`]
    },
  },
  {
    name: 'a link of the command line dies as well, and a new one opens the account',
    tries: async ({ hub }) => {
      const { personId, email } = await invite(hub)
      const { link } = await linkByHand(hub.inner, { email })
      await hub.inner.db.transact(async (tx) => {
        const person = await tx
          .selectFrom('people')
          .selectAll()
          .where('person_id', '=', personId)
          .executeTakeFirstOrThrow()
        await giveRoles(hub.inner, tx, person, [{ siteId: '', roles: ['operator'] }])
      })
      const kept = await useLink(hub, tokenIn(link))
      const fresh = await linkByHand(hub.inner, { email })
      await visit(hub).welcome(tokenIn(fresh.link), { password: goodPassword })
      return kept
    },
  },
]
