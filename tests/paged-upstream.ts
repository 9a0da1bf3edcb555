/**
 * A service with the interface of a hub that has one job, with as many requests as were sent, and
 * lists them in pages: for what an upstream's answers cost the hub that reads them.
 */
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { limits } from '@dragoman/contract'

export type PagedUpstream = {
  readonly url: string
  /** Pages of requests that were asked for. */
  pages(): number
  close(): Promise<void>
}

export async function startPagedUpstream(): Promise<PagedUpstream> {
  let requests = 0
  let pages = 0
  const answer = (method: string, url: URL, body: string): object => {
    const { pathname } = url
    if (pathname === '/connect/token')
      return { access_token: 't', expires_in: 86_400, token_type: 'Bearer' }
    if (pathname === '/v2/jobs' && method === 'POST') requests = 0
    if (pathname.endsWith('/requests/add')) {
      const given = JSON.parse(body) as { requests?: unknown[] }
      const from = requests
      requests += given.requests?.length ?? 1
      return {
        requests: Array.from({ length: requests - from }, (_, at) => ({
          requestId: `r${from + at}`,
        })),
      }
    }
    if (pathname.endsWith('/requests') && method === 'GET') {
      pages += 1
      const from = Number(url.searchParams.get('navNext') ?? 0)
      const until = Math.min(requests, from + limits.pageItems)
      return {
        requests: Array.from({ length: until - from }, (_, at) => ({
          ...{ requestId: `r${from + at}`, statusCode: 'SENT_TO_PROVIDER', hasError: false },
          ...{ modifiedDate: '2026-01-01T00:00:00Z', targetNativeLanguageCode: 'de-de' },
        })),
        pagination: until < requests ? { navNext: String(until) } : {},
      }
    }
    return { jobId: 'theirs', statusCode: 'SENT_TO_PROVIDER', hasError: false, archived: false }
  }
  const server = createServer((call, reply) => {
    void textOf(call).then((body) => {
      const { method = 'GET', url = '/' } = call
      reply.setHeader('content-type', 'application/json')
      if (url.startsWith('/v2/statusupdates')) reply.writeHead(404).end()
      else reply.end(JSON.stringify(answer(method, new URL(url, 'http://localhost'), body)))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    pages: () => pages,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function textOf(call: IncomingMessage): Promise<string> {
  let text = ''
  for await (const piece of call) text += String(piece)
  return text
}
