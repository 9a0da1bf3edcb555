/**
 * A careful connector outside the hub: jobs, transfers and downloads over HTTP. It trusts only
 * responses that it really got, and looks up the URL for each call, because a killed hub may come
 * back elsewhere.
 */
import { createHash } from 'node:crypto'
import { Agent, request } from 'node:http'

export type Transfer = {
  readonly fmsFileId: string
  readonly fmsSASToken: string
  readonly fmsUploadUrl: string
  readonly fmsPostMultipartUrl: string
}
export type Digest = { readonly sha256: string; readonly size: number }

export type Connector = {
  createJob(jobName: string): Promise<string>
  /** Job names to ids, all pages. */
  jobs(): Promise<Map<string, string[]>>
  beginTransfer(jobId: string, fileName: string): Promise<Transfer>
  uploadWhole(transfer: Transfer, bytes: Uint8Array): Promise<void>
  /** The download URL. */
  link(jobId: string, fileId: string): Promise<string>
  /** Follows the redirect and reads everything. */
  download(jobId: string, fileId: string): Promise<Digest>
  /** The whole content, for small files. */
  read(jobId: string, fileId: string): Promise<Uint8Array>
  /** How long `GET /jobs` takes, in milliseconds. */
  timeList(): Promise<number>
}

const clientId = 'demo-connector'

export function openConnector(url: () => string): Connector {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  let token: Promise<string> | undefined
  const headers = async (more?: Record<string, string>) => {
    token ??= fetchToken(url())
    return { authorization: `Bearer ${await token}`, ...more }
  }
  const ask = async <T>(
    method: string,
    path: string,
    wanted: number,
    body?: object,
  ): Promise<T> => {
    const answer = await fetch(new URL(path, url()), {
      method,
      redirect: 'manual',
      headers: await headers(body && { 'content-type': 'application/json' }),
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    if (answer.status !== wanted) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
    return (wanted === 307 ? answer.headers.get('location') : JSON.parse(text)) as T
  }

  const linkOf = (jobId: string, fileId: string) =>
    ask<string>('GET', `/v2/jobs/${jobId}/sourcefiles/${fileId}`, 307)

  return {
    createJob: async (jobName) =>
      (await ask<{ jobId: string }>('POST', '/v2/jobs', 201, { jobName })).jobId,

    async jobs() {
      const found = new Map<string, string[]>()
      for (let next: string | undefined = ''; next !== undefined; ) {
        const page: { jobs: { jobId: string; jobName: string }[]; next?: string } = await ask(
          'GET',
          `/v2/jobs?navNext=${next}`,
          200,
        )
        for (const job of page.jobs)
          found.set(job.jobName, [...(found.get(job.jobName) ?? []), job.jobId])
        next = page.next
      }
      return found
    },

    beginTransfer: (jobId, fileName) =>
      ask('POST', `/v2/jobs/${jobId}/sourcefiles?fileName=${encodeURIComponent(fileName)}`, 201),

    async uploadWhole(transfer, bytes) {
      const form = new FormData()
      form.append('file', new Blob([bytes as BlobPart]), 'file')
      const answer = await fetch(transfer.fmsPostMultipartUrl, { method: 'POST', body: form })
      const text = await answer.text()
      if (answer.status !== 201) throw new Error(`direct upload: ${answer.status} ${text}`)
    },

    link: linkOf,

    download: async (jobId, fileId) => digestOf(await linkOf(jobId, fileId)),

    async read(jobId, fileId) {
      const answer = await fetch(await linkOf(jobId, fileId))
      if (answer.status !== 200)
        throw new Error(`download: ${answer.status} ${await answer.text()}`)
      return new Uint8Array(await answer.arrayBuffer())
    },

    async timeList() {
      const sent = await headers()
      const begun = performance.now()
      return new Promise((resolve, reject) => {
        request(new URL('/v2/jobs', url()), { agent, headers: sent }, (answer) =>
          answer.on('end', () => resolve(performance.now() - begun)).resume(),
        )
          .on('error', reject)
          .end()
      })
    },
  }
}

async function fetchToken(url: string): Promise<string> {
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: clientId,
    client_secret: `${clientId}-secret`,
  })
  const answer = await fetch(`${url}/connect/token`, { method: 'POST', body: form })
  return ((await answer.json()) as { access_token: string }).access_token
}

async function digestOf(url: string): Promise<Digest> {
  const answer = await fetch(url)
  if (answer.status !== 200 || !answer.body)
    throw new Error(`download: ${answer.status} ${await answer.text()}`)
  const hash = createHash('sha256')
  let size = 0
  for await (const piece of answer.body) {
    hash.update(piece)
    size += piece.byteLength
  }
  return { sha256: hash.digest('hex'), size }
}
