/** The calls below /api/dragoman, with Payload's own sign-in and its form of errors. */
import { type Connector, type Entry, isRefusal, refusal } from '@dragoman/walker/connector'
import { type Environment, hear } from './hub.ts'
import type { Access, Doc, Endpoint, PayloadRequest } from './payload-types.ts'
import { globalsName } from './system.ts'

export type Rights = {
  /** Who sends, reviews and chooses, beside the right to change the entry. */
  readonly send?: Access
  /** Who changes settings, and polls. */
  readonly configure?: Access
}
export type Calls = {
  readonly connectorOf: (req: PayloadRequest) => Connector
  readonly rights: Rights
  readonly env: Environment
}

const mostBodyBytes = 1024 ** 2

export function endpointsOf({ connectorOf, rights, env }: Calls): Endpoint[] {
  const configure = async (req: PayloadRequest) => {
    mustBeSignedIn(req)
    if (rights.configure && !(await rights.configure({ req })))
      throw refusal(403, 'You may not configure translations.')
  }
  const change = async (req: PayloadRequest, entries: readonly Entry[]) => {
    mustBeSignedIn(req)
    if (rights.send && !(await rights.send({ req })))
      throw refusal(403, 'You may not send entries to be translated.')
    for (const entry of entries)
      if (!(await mayChange(req, entry)))
        throw refusal(403, `You may not change the entry ${entry.id} of ${entry.collection}.`)
  }
  const answers =
    (act: (req: PayloadRequest) => Promise<Response>) =>
    async (req: PayloadRequest): Promise<Response> => {
      try {
        return await act(req)
      } catch (error) {
        if (!isRefusal(error)) throw error
        return Response.json({ errors: [{ message: error.message }] }, { status: error.status })
      }
    }
  const items = (found: unknown, status = 200) => Response.json({ items: found }, { status })
  const row = (method: Endpoint['method'], name: string, act: Endpoint['handler']): Endpoint => ({
    ...{ method, path: `/dragoman/${name}` },
    handler: answers(act),
  })

  return [
    row('get', 'status', async (req) => {
      const query = new URL(req.url ?? '', 'http://localhost').searchParams
      const collection = nameIn({ collection: query.get('collection') }, 'collection')
      const id = query.get('id') ?? undefined
      await change(req, id === undefined ? [] : [{ collection, id }])
      return items(await connectorOf(req).status(collection, id))
    }),
    row('post', 'send', async (req) => {
      mustBeSignedIn(req)
      const body = await bodyOf(req)
      const entries = listIn(body, 'entries').map(entryIn)
      const languages = listIn(body, 'languages').map((one) => nameIn({ one }, 'one', 'languages'))
      await change(req, entries)
      return items(await connectorOf(req).send(entries, languages), 202)
    }),
    row('post', 'review', async (req) => {
      mustBeSignedIn(req)
      const body = await bodyOf(req)
      const { verdict, note } = body
      const entry = entryIn(body)
      if (verdict !== 'APPROVED' && verdict !== 'REJECTED')
        throw refusal(400, 'verdict is APPROVED or REJECTED.')
      if (note !== undefined && (typeof note !== 'string' || note.length > 10_000))
        throw refusal(400, 'note is a text of at most 10,000 characters.')
      await change(req, [entry])
      const language = nameIn(body, 'language')
      const given = { ...entry, language, verdict, ...(note !== undefined && { note }) } as const
      return items(await connectorOf(req).review(given))
    }),
    row('post', 'choose', async (req) => {
      mustBeSignedIn(req)
      const body = await bodyOf(req)
      const { keep, path } = body
      const entry = entryIn(body)
      if (keep !== 'MINE' && keep !== 'THEIRS') throw refusal(400, 'keep is MINE or THEIRS.')
      if (path !== undefined && typeof path !== 'string') throw refusal(400, 'path is a text.')
      await change(req, [entry])
      const language = nameIn(body, 'language')
      const given = { ...entry, language, keep, ...(path !== undefined && { path }) } as const
      return items(await connectorOf(req).choose(given))
    }),
    row('post', 'poll', async (req) => {
      await configure(req)
      await connectorOf(req).poll()
      return Response.json({})
    }),
    row('get', 'settings', async (req) => {
      await configure(req)
      return Response.json(await connectorOf(req).settings())
    }),
    row('put', 'settings', async (req) => {
      await configure(req)
      return Response.json(await connectorOf(req).changeSettings(await bodyOf(req)))
    }),
    row('post', 'deliveries', async (req) => {
      const heard = await hear(env, req.headers, await textOf(req))
      if (!heard) throw refusal(401, 'The signature is not of the listener of this system.')
      await connectorOf(req).heard(heard)
      return new Response(null, { status: 204 })
    }),
  ]
}

function mustBeSignedIn({ user }: PayloadRequest): void {
  if (!user) throw refusal(401, 'Sign in first.')
}

/** As Payload decides it for the entry itself. */
async function mayChange(req: PayloadRequest, { collection, id }: Entry): Promise<boolean> {
  const { payload } = req
  const isGlobal = collection === globalsName
  const model = isGlobal
    ? payload.config.globals.find(({ slug }) => slug === id)
    : payload.config.collections.find(({ slug }) => slug === collection)
  const update = model?.access?.update
  if (!update) return true
  const given = await update({ req, ...(!isGlobal && { id }) })
  if (typeof given !== 'object' || given === null) return given === true
  if (isGlobal) return false
  const where = { and: [{ id: { equals: id } }, given] }
  return (await payload.count({ collection, where, overrideAccess: true })).totalDocs > 0
}

async function textOf(req: PayloadRequest): Promise<string> {
  const text = (await req.text?.()) ?? ''
  if (text.length > mostBodyBytes) throw refusal(413, 'The body is larger than 1 MiB.')
  return text
}

async function bodyOf(req: PayloadRequest): Promise<Doc> {
  let body: unknown
  try {
    body = JSON.parse(await textOf(req))
  } catch (error) {
    if (isRefusal(error)) throw error
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw refusal(400, 'The body is a JSON object.')
  return body as Doc
}

function nameIn(body: Doc, name: string, shown = name): string {
  const value = body[name]
  if (typeof value === 'string' && value !== '' && value.length <= 500) return value
  throw refusal(400, `${shown} is missing, or no name.`)
}

/** An id may be written as a number, as SQL has it. */
function entryIn(value: unknown): Entry {
  if (typeof value !== 'object' || value === null)
    throw refusal(400, 'An entry is an object {collection, id}.')
  const { collection, id } = value as Doc
  const body = { collection, id: typeof id === 'number' ? String(id) : id }
  return { collection: nameIn(body, 'collection'), id: nameIn(body, 'id') }
}

function listIn(body: Doc, name: string): unknown[] {
  const value = body[name]
  if (Array.isArray(value)) return value
  throw refusal(400, `${name} is a list.`)
}
