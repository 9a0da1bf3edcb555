/**
 * Those who walk: programs with a token, people with a session. Each call goes to one of the nodes.
 * Sockets are kept open, because a walk is a thousand small calls.
 */
import { Agent, request as send } from 'node:http'
import type { Role } from '@dragoman/contract'
import { addFirstRoles } from '../../../packages/server/src/domain/people/give-roles.ts'
import { newPerson } from '../../../packages/server/src/domain/people/new-person.ts'
import { insertPerson } from '../../../packages/server/src/domain/people/person-rows.ts'
import { openSession } from '../../../packages/server/src/domain/people/sessions.ts'
import type { Hub } from '../../../packages/server/src/hub.ts'
import type { Actor, Holder } from './model.ts'

export type Got = {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  // biome-ignore lint/suspicious/noExplicitAny: answers of any call
  readonly body: any
}
export type Sending = {
  readonly body?: unknown
  readonly headers?: Record<string, string>
  /** A signed path, which needs no token. */
  readonly open?: true
}
type Caller = Actor
/** Undefined: the node died before it answered. */
export type Call = (
  by: Caller,
  method: string,
  path: string,
  sending?: Sending,
) => Promise<Got | undefined>

const clients: Partial<Record<Caller, string>> = {
  admin: 'demo-admin',
  connector: 'demo-connector',
  program: 'demo-provider',
  operator: 'demo-operator',
}
const rolesOf: Partial<Record<Actor, Role>> = {
  reviewer: 'reviewer',
  translator: 'translator',
  colleague: 'translator',
  manager: 'provider-manager',
}

const agent = new Agent({ keepAlive: true, maxSockets: 8 })

/** One call; undefined if the connection ended before the whole answer was there. */
export function sendTo(
  url: URL,
  method: string,
  body: string | Uint8Array | undefined,
  headers: Record<string, string>,
): Promise<Got | undefined> {
  return new Promise((resolve) => {
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
    const sending = send(url, { method, agent, headers: { ...headers, ...length } }, (answer) => {
      const pieces: Buffer[] = []
      answer.on('data', (piece: Buffer) => pieces.push(piece))
      answer.on('error', () => resolve(undefined))
      answer.on('close', () => resolve(undefined))
      answer.on('end', () => {
        const bytes = Buffer.concat(pieces)
        const isJson = answer.headers['content-type']?.includes('json') && bytes.length > 0
        resolve({
          status: answer.statusCode ?? 0,
          headers: answer.headers,
          body: isJson ? JSON.parse(bytes.toString('utf8')) : bytes,
        })
      })
    })
    sending.on('error', () => resolve(undefined))
    sending.end(body)
  })
}

export type Callers = {
  readonly call: Call
  readonly personIds: ReadonlyMap<Holder, string>
  /** Time has passed: sessions may be over, and the sandbox would take the call for a visitor's. */
  forget(): void
}

/** `url`: of the node that takes the next call. */
export async function openCallers(
  inner: () => Hub,
  url: () => string,
  providerIds: readonly string[],
): Promise<Callers> {
  const people = await addPeople(inner(), providerIds)
  const tokens = new Map<Caller, string>()
  const sessions = new Map<string, { readonly cookie: string; readonly csrf: string }>()

  const tokenOf = async (by: Caller, at: string): Promise<string | undefined> => {
    const id = clients[by] ?? ''
    const form = new URLSearchParams({
      ...{ grant_type: 'client_credentials', client_id: id, client_secret: `${id}-secret` },
    })
    const got = await sendTo(new URL('/connect/token', at), 'POST', form.toString(), {
      'content-type': 'application/x-www-form-urlencoded',
    })
    const token = got?.body?.access_token as string | undefined
    if (token !== undefined) tokens.set(by, token)
    else tokens.delete(by)
    return token
  }
  const sessionOf = async (by: Caller, at: string) => {
    const hub = inner()
    const row = await hub.db.read
      .selectFrom('people')
      .selectAll()
      .where('person_id', '=', people.get(by) ?? '')
      .executeTakeFirstOrThrow()
    const { token } = await hub.db.transact((tx) =>
      openSession(hub, tx, row, { address: '127.0.0.1' }),
    )
    const cookie = `dragoman-${new URL(at).port}=${token}`
    const got = await sendTo(new URL('/console/api/session', at), 'GET', undefined, { cookie })
    if (!got) return undefined
    const session = { cookie, csrf: String(got.body.csrf) }
    sessions.set(`${by} ${at}`, session)
    return session
  }

  const once = async (
    by: Caller,
    method: string,
    path: string,
    { body, headers = {} }: Sending,
    isNew: boolean,
  ): Promise<Got | undefined> => {
    const at = url()
    const isBytes = body instanceof Uint8Array
    const sent =
      body === undefined ? undefined : isBytes ? (body as Uint8Array) : JSON.stringify(body)
    const type = sent === undefined || isBytes ? {} : { 'content-type': 'application/json' }
    if (clients[by] !== undefined) {
      const token = (isNew ? undefined : tokens.get(by)) ?? (await tokenOf(by, at))
      if (token === undefined) return undefined
      const own = { authorization: `Bearer ${token}`, ...type, ...headers }
      return sendTo(new URL(`/v2${path}`, at), method, sent, own)
    }
    const known = isNew ? undefined : sessions.get(`${by} ${at}`)
    const session = known ?? (await sessionOf(by, at))
    if (!session) return undefined
    const own = {
      ...{ cookie: session.cookie, origin: new URL(at).origin, 'x-dragoman-csrf': session.csrf },
      ...type,
      ...headers,
    }
    const isWrite = method !== 'GET'
    const given = isWrite && sent === undefined ? '{}' : sent
    const json = given === '{}' ? { 'content-type': 'application/json' } : {}
    return sendTo(new URL(`/console/api${path}`, at), method, given, { ...own, ...json })
  }

  const personIds = new Map(
    (['translator', 'colleague', 'manager'] as const).map((one) => [one, people.get(one) ?? '']),
  )
  return {
    personIds,
    forget: () => sessions.clear(),
    call: async (by, method, path, sending = {}) => {
      if (sending.open) return sendTo(new URL(path, url()), method, undefined, {})
      const got = await once(by, method, path, sending, false)
      // The token was over.
      return got?.status === 401 ? once(by, method, path, sending, true) : got
    },
  }
}

/** The people of the site, with the work of these providers. */
async function addPeople(
  hub: Hub,
  providerIds: readonly string[],
): Promise<ReadonlyMap<Caller, string>> {
  const ids = new Map<Caller, string>()
  await hub.db.transact(async (tx) => {
    for (const [by, role] of Object.entries(rolesOf)) {
      const person = newPerson(hub, {
        name: `The ${by}`,
        email: `${by}@walk.example`,
        password_hash: null,
      })
      await insertPerson(tx, person)
      const providers = role === 'reviewer' ? {} : { providers: [...providerIds] }
      await addFirstRoles(hub, tx, person, [{ siteId: 'demo', roles: [role], ...providers }])
      ids.set(by as Actor, person.person_id)
    }
  })
  return ids
}
