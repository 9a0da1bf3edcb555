/**
 * A connector with files, against any hub by its address: every call answers what really came back,
 * however it ended.
 */
import { createHash } from 'node:crypto'
import type { Env } from '../hub.ts'
import { type Ran, runCommandLine } from '../run-command.ts'

export type Transfer = {
  readonly fmsFileId: string
  readonly fmsSASToken: string
  readonly fmsUploadUrl: string
  readonly fmsPostMultipartUrl: string
}
export type Got = {
  readonly status: number
  readonly headers: Headers
  /** Of an error object. */
  readonly code?: string
  readonly body: Record<string, unknown>
}
/** `whole`: the answer said success and came to its end. */
export type Download = { readonly status: number; readonly whole: boolean; readonly bytes: Buffer }

const asBytes = { 'content-type': 'application/offset+octet-stream' }

export const sha256 = (bytes: Uint8Array): string =>
  createHash('sha256').update(bytes).digest('hex')

export type FileClient = ReturnType<typeof openFileClient>

export function openFileClient(url: () => string) {
  let token: string | undefined

  const call = async (
    method: string,
    path: string,
    body?: object | Uint8Array | FormData,
    more?: Record<string, string>,
  ) => {
    const isJson = body !== undefined && !(body instanceof FormData) && !ArrayBuffer.isView(body)
    const answer = await fetch(new URL(path, url()), {
      method,
      redirect: 'manual',
      headers: { ...(isJson && { 'content-type': 'application/json' }), ...more },
      ...(body !== undefined && {
        body: (isJson ? JSON.stringify(body) : body) as NonNullable<RequestInit['body']>,
      }),
    })
    const text = await answer.text()
    const found = text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : {}
    const code = typeof found.code === 'string' ? { code: found.code } : {}
    const got: Got = { status: answer.status, headers: answer.headers, body: found, ...code }
    return got
  }

  const bearer = async (): Promise<Record<string, string>> => {
    if (token === undefined) {
      const form = new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: 'demo-connector',
      })
      form.set('client_secret', 'demo-connector-secret')
      const answer = await fetch(`${url()}/connect/token`, { method: 'POST', body: form })
      token = String(((await answer.json()) as { access_token?: string }).access_token)
    }
    return { authorization: `Bearer ${token}` }
  }

  const tus = (
    method: string,
    path: string,
    transfer: Transfer,
    headers: Record<string, string>,
    body?: Uint8Array,
  ) =>
    call(method, path, body, {
      sastoken: transfer.fmsSASToken,
      'tus-resumable': '1.0.0',
      ...headers,
    })

  /** With bytes, creation with upload. */
  const createTus = (
    transfer: Transfer,
    length: number,
    more?: Record<string, string>,
    bytes?: Uint8Array,
  ) =>
    tus(
      'POST',
      new URL(transfer.fmsUploadUrl).pathname,
      transfer,
      { 'upload-length': String(length), ...(bytes && asBytes), ...more },
      bytes,
    )
  const head = (transfer: Transfer, upload: string) => tus('HEAD', upload, transfer, {})

  return {
    ask: async (method: string, path: string, body?: object) =>
      call(method, path, body, await bearer()),

    createJob: async (jobName: string, more: object = {}) =>
      call('POST', '/v2/jobs', { jobName, ...more }, await bearer()),

    begin: async (jobId: string, fileName = 'page.html'): Promise<Transfer> => {
      const path = `/v2/jobs/${jobId}/sourcefiles?fileName=${encodeURIComponent(fileName)}`
      const got = await call('POST', path, undefined, await bearer())
      if (got.status !== 201)
        throw new Error(`no transfer object: ${got.status} ${JSON.stringify(got.body)}`)
      return got.body as unknown as Transfer
    },

    /** Direct upload. */
    post: (transfer: Transfer, bytes: Uint8Array) => {
      const form = new FormData()
      form.append('file', new Blob([bytes as Uint8Array<ArrayBuffer>]), 'file')
      const { pathname, search } = new URL(transfer.fmsPostMultipartUrl)
      return call('POST', pathname + search, form)
    },

    createTus,
    /** The address of a new TUS upload. */
    beginTus: async (transfer: Transfer, length: number): Promise<string> => {
      const got = await createTus(transfer, length)
      if (got.status !== 201)
        throw new Error(`no upload: ${got.status} ${JSON.stringify(got.body)}`)
      return String(got.headers.get('location'))
    },
    patch: (
      transfer: Transfer,
      upload: string,
      offset: number,
      bytes: Uint8Array,
      more?: Record<string, string>,
    ) =>
      tus(
        'PATCH',
        upload,
        transfer,
        { ...asBytes, 'upload-offset': String(offset), ...more },
        bytes,
      ),
    head,
    /** The offset that the hub acknowledges. */
    offset: async (transfer: Transfer, upload: string): Promise<number> => {
      const got = await head(transfer, upload)
      if (got.status !== 200) throw new Error(`no offset: ${got.status}`)
      return Number(got.headers.get('upload-offset'))
    },

    /** The address that the hub redirects to. */
    link: async (
      jobId: string,
      fileId: string,
      headers: Record<string, string> = {},
    ): Promise<string> => {
      const path = `/v2/jobs/${jobId}/sourcefiles/${fileId}`
      const got = await call('GET', path, undefined, { ...(await bearer()), ...headers })
      if (got.status !== 307) throw new Error(`no link: ${got.status} ${JSON.stringify(got.body)}`)
      return String(got.headers.get('location'))
    },
    read: async (address: string, headers: Record<string, string> = {}): Promise<Download> => {
      const answer = await fetch(address, { headers })
      const pieces: Uint8Array[] = []
      try {
        for await (const piece of answer.body ?? []) pieces.push(piece)
      } catch {
        return { status: answer.status, whole: false, bytes: Buffer.concat(pieces) }
      }
      return { status: answer.status, whole: answer.ok, bytes: Buffer.concat(pieces) }
    },
    /** A token ends with the time it was made for. */
    forgetToken: () => {
      token = undefined
    },
    advance: async (by: string) => {
      const { status, body } = await call('POST', '/sandbox/clock/advance', { by })
      if (status !== 200)
        throw new Error(`the clock did not move: ${status} ${JSON.stringify(body)}`)
      token = undefined
    },
  }
}

/** `dragoman check` as an operator runs it. */
export const runCheck = (env: Env, ...options: string[]): Promise<Ran> =>
  runCommandLine(['check', ...options], env)
