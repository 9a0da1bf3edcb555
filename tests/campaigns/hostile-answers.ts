/**
 * Attacks from the other side: an upstream that a site's admin has named answers too much, too long,
 * too deep or with something else. The hub lives, waits with a sentence, and stores nothing of it.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { AttackedHub } from './attacked-hub.ts'
import type { Counter } from './tally.ts'

const MiB = 1024 ** 2
type Send = (reply: ServerResponse) => void
const json =
  (body: unknown): Send =>
  (reply) =>
    reply.end(JSON.stringify(body))
/** Goes on until the hub closes the connection. */
const endless =
  (piece: string): Send =>
  (reply) => {
    const bytes = Buffer.from(piece.repeat(Math.ceil(MiB / piece.length)))
    const pour = () => {
      while (!reply.destroyed && reply.write(bytes));
    }
    reply.on('drain', pour).write('{"requests":[')
    pour()
  }
let page = 0
const pages = (items: unknown[]): Send => json({ requests: items, pagination: { navNext: page++ } })

/** As long as an answer may be, with as many values. */
const wide: Send = (reply) =>
  reply.end(`{"requests":[${`{"a":"${'x'.repeat(52)}"},`.repeat(240_000)}{}]}`)

/** What is sent in place of the list of requests. */
const shapes: Readonly<Record<string, Send>> = {
  'a list without an end': endless('{"requestId":"a"},'),
  'white space without an end': endless(' '),
  'brackets without an end': endless('['),
  'pages without an end': (reply) =>
    json({ requests: [], pagination: { navNext: `p${page++}` } })(reply),
  'a cursor that is a number': (reply) => pages([])(reply),
  'a list of numbers': json({ requests: [1, 2, 3] }),
  'requests with ids of any type': json({ requests: [{ requestId: { a: [] }, statusCode: 7 }] }),
  'an error that is an object': json({
    requests: [{ requestId: 'r1', statusCode: 'IN_TRANSLATION', latestErrorMessage: {} }],
  }),
  'a million values': json(Array.from({ length: 1_000_000 }, () => 0)),
  'nothing at all': (reply) => reply.end(),
  'a redirect': (reply) => {
    reply.writeHead(302, { location: 'http://169.254.169.254/' }).end()
  },
  'a text of 15 MiB': json({ requests: [], pad: 'x'.repeat(15 * MiB) }),
}

export async function answerHostilely(
  hub: AttackedHub,
  { calls }: { readonly calls: number },
  tally: Counter,
): Promise<void> {
  const names = Object.keys(shapes).filter((_, at) => calls >= 1_000 || at % 4 === 0)
  let list: Send = json({ requests: [] })
  const server = createServer((call, reply) => answer(call, reply, () => list(reply)))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  try {
    // As many as a site may have read at once, each as large as any may be.
    list = wide
    const many = calls >= 1_000 ? 24 : 4
    const all = await Promise.all(Array.from({ length: many }, () => oneJob(hub, url)))
    tally.round()
    for (const says of new Set(all))
      if (says !== undefined) tally.found(`${many} long lists at once: ${says}`)
    for (const name of names) {
      list = shapes[name] ?? list
      tally.round()
      const says = await oneJob(hub, url)
      if (says !== undefined) tally.found(`${name}: ${says}`)
    }
  } finally {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  tally.figure(`${names.length} of ${Object.keys(shapes).length} hostile answers`)
}

/** As the interface says, but for the list of requests. */
function answer(call: IncomingMessage, reply: ServerResponse, list: () => void): void {
  call.resume()
  call.once('end', () => {
    const { method = 'GET', url = '/' } = call
    const [path = ''] = url.split('?', 1)
    reply.setHeader('content-type', 'application/json')
    if (path === '/connect/token')
      return json({ access_token: 't', expires_in: 3_600, token_type: 'Bearer' })(reply)
    if (method === 'GET' && path.endsWith('/requests')) return list()
    if (path.endsWith('/requests/add')) return json({ requests: [{ requestId: 'r1' }] })(reply)
    if (path.startsWith('/v2/statusupdates')) {
      reply.statusCode = 404
      return reply.end()
    }
    json({ jobId: 'theirs', statusCode: 'SENT_TO_PROVIDER', hasError: false })(reply)
  })
}

/** Sends a job there; returns what is wrong. */
async function oneJob(hub: AttackedHub, url: string): Promise<string | undefined> {
  const { clients } = hub.sites[0]
  const call = async <T>(as: string, method: string, path: string, body?: object): Promise<T> => {
    const sent = await fetch(`${hub.url}/v2${path}`, {
      method,
      headers: {
        authorization: `Bearer ${await hub.token(as)}`,
        'content-type': 'application/json',
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    if (!sent.ok) throw new Error(`${method} ${path}: ${sent.status} ${await sent.text()}`)
    return (await sent.json()) as T
  }
  const config = { url, clientId: 'a', clientSecret: 'b' }
  const made = await call<{ providerId: string }>(clients.admin, 'POST', '/providers', {
    name: 'Hostile',
    typeId: 'upstream',
    config,
  })
  const { jobId } = await call<{ jobId: string }>(clients.content, 'POST', '/jobs', {
    jobName: 'Sent on',
  })
  await call(clients.content, 'POST', `/jobs/${jobId}/requests/add`, {
    requestName: 'r',
    sourceNativeId: '1',
    sourceNativeLanguageCode: 'en-us',
    targetNativeLanguageCodes: ['de-de'],
    fields: [{ key: 'a', value: 'One' }],
  })
  await call(clients.content, 'PUT', `/jobs/${jobId}/submit`, { providerId: made.providerId })
  type Seen = { upstream?: { jobId?: string } }
  let isThere = false
  for (let tries = 0; tries < 240 && !isThere; tries += 1) {
    await delay(250)
    const seen = await call<Seen>(clients.content, 'GET', `/jobs/${jobId}`)
    isThere = seen.upstream?.jobId === 'theirs'
  }
  if (!isThere) return 'the job was not sent on'
  // The list is read at once; what it says is never that the job is done.
  await delay(1_000)
  const { requests } = await call<{ requests: { statusCode: string }[] }>(
    clients.content,
    'GET',
    `/jobs/${jobId}/requests`,
  )
  await call(clients.content, 'PUT', `/jobs/${jobId}/complete`).catch(() => {})
  const [request] = requests
  return request && /SENT_TO_PROVIDER|IN_TRANSLATION/.test(request.statusCode)
    ? undefined
    : `the request is ${request?.statusCode}`
}
