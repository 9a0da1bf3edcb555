/**
 * A browser without pages: it keeps cookies, and sends the headers of a browser, with the CSRF
 * token on each write.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Role, Session } from '@dragoman/contract'
import { addFirstRoles } from '../packages/server/src/domain/people/give-roles.ts'
import { newPerson } from '../packages/server/src/domain/people/new-person.ts'
import { hashPassword } from '../packages/server/src/domain/people/passwords.ts'
import { insertPerson } from '../packages/server/src/domain/people/person-rows.ts'
import { openSession } from '../packages/server/src/domain/people/sessions.ts'
import type { Answer, TestHub } from './hub.ts'

type Body = Record<string, unknown>
type More = {
  readonly body?: unknown
  readonly query?: Record<string, string>
  /** Replaces a header of the browser; null leaves it out. */
  readonly headers?: Readonly<Record<string, string | null>>
}

export type Visitor = {
  /** Name to value. */
  readonly cookies: Map<string, string>
  csrf: string
  /** A call below /console/api. */
  call<T = Body>(method: string, path: string, more?: More): Promise<Answer<T>>
  /** Uses a link; returns the session. */
  welcome(token: string, given: Body): Promise<Session>
  signIn(given: Body): Promise<Answer<Session & Body>>
}

export const goodPassword = 'correct staple horse 7'

export function visit(hub: TestHub, address = hub.url): Visitor {
  const cookies = new Map<string, string>()
  const visitor: Visitor = {
    cookies,
    csrf: '',
    async call<T>(method: string, path: string, { body, query, headers = {} }: More = {}) {
      const isWrite = method !== 'GET'
      const sent: Record<string, string | null> = {
        ...(cookies.size > 0 && {
          cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        }),
        ...(isWrite && {
          'content-type': 'application/json',
          origin: new URL(address).origin,
          'x-dragoman-csrf': visitor.csrf,
        }),
        ...headers,
      }
      const answer = await hub.call<T>(method, `/console/api${path}`, {
        ...(isWrite && { body: body ?? {} }),
        ...(query && { query }),
        headers: Object.fromEntries(
          Object.entries(sent).filter((pair): pair is [string, string] => pair[1] !== null),
        ),
      })
      for (const line of answer.headers.getSetCookie()) {
        const [pair = ''] = line.split(';')
        const at = pair.indexOf('=')
        const [name, value] = [pair.slice(0, at), pair.slice(at + 1)]
        if (value === '') cookies.delete(name)
        else cookies.set(name, value)
      }
      const { csrf } = answer.body as { csrf?: string }
      if (answer.status < 300 && typeof csrf === 'string') visitor.csrf = csrf
      return answer
    },
    async welcome(token, given) {
      const { status, body } = await visitor.call<Session>('POST', '/welcome', {
        body: { token, ...given },
      })
      if (status !== 201) throw new Error(`not welcome: ${status} ${JSON.stringify(body)}`)
      return body
    },
    signIn: (given) => visitor.call<Session & Body>('POST', '/session', { body: given }),
  }
  return visitor
}

export const tokenIn = (link: string): string => link.split('#/welcome/')[1]?.trim() ?? ''

/** The token of the link that a hub without people prints at start. */
export const firstToken = (hub: TestHub): string =>
  tokenIn(readFileSync(join(hub.folder, 'data', 'first-sign-in.txt'), 'utf8'))

let people = 0
let hash: Promise<string> | undefined

/** A new person with these roles and `goodPassword`, signed in. */
export async function enter(
  hub: TestHub,
  roles: readonly Role[],
  siteId = 'main',
): Promise<Visitor & { readonly session: Session; readonly email: string }> {
  people += 1
  const email = `person-${people}@example.org`
  hash ??= hashPassword(goodPassword)
  const password_hash = await hash
  const { inner } = hub
  const ofSite = roles.filter((role) => role !== 'operator')
  const { token } = await inner.db.transact(async (tx) => {
    const person = newPerson(inner, { name: `Person ${people}`, email, password_hash })
    await insertPerson(tx, person)
    await addFirstRoles(inner, tx, person, [
      ...(roles.includes('operator') ? [{ siteId: '', roles: ['operator' as const] }] : []),
      ...(ofSite.length > 0 ? [{ siteId, roles: ofSite }] : []),
    ])
    const row = await tx
      .selectFrom('people')
      .selectAll()
      .where('email', '=', email)
      .executeTakeFirstOrThrow()
    return openSession(inner, tx, row, { address: '127.0.0.1' })
  })
  const visitor = visit(hub)
  visitor.cookies.set(`dragoman-${new URL(hub.url).port}`, token)
  const { body: session } = await visitor.call<Session>('GET', '/session')
  return Object.assign(visitor, { session, email })
}
