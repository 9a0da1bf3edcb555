/** Jobs whose work goes out as packages and comes back: shared by the tests of packages. */
import { expect } from 'vitest'
import { openZip, readEntryBytes } from '../packages/text/src/formats/zip/zip-read.ts'
import { type Packed, pack } from './formats/pack.ts'
import type { TestHub } from './hub.ts'

type JsonObject = Record<string, unknown>
export type Source =
  | { readonly name: string; readonly file: string | Uint8Array }
  | { readonly fields: Record<string, string> }
export type Entries = Map<string, Buffer>
export type Refused = {
  status: number
  body: JsonObject & { problems?: { file: string; segmentId?: string; problem: string }[] }
}

export function packagesOf(hub: TestHub) {
  const call = <T = JsonObject>(who: string, method: string, path: string, body?: unknown) =>
    hub.call<T>(method, `/v2${path}`, { as: who, ...(body !== undefined && { body }) })

  const providers = async () => {
    const { body } = await call<{ providers: { id: string; name: string }[] }>(
      'demo-connector',
      'GET',
      '/providers',
    )
    return body.providers.find(({ name }) => name === 'Manual')?.id ?? ''
  }

  /** A job that its provider has, with a request for each source and language. */
  const sent = async (sources: readonly Source[], languages: readonly string[] = ['de-de']) => {
    const as = 'demo-connector'
    const manual = await providers()
    const { jobId } = (await call(as, 'POST', '/jobs', { jobName: 'Package' })).body
    const ids: string[] = []
    for (const [at, source] of sources.entries()) {
      let content: JsonObject
      if ('name' in source) {
        const { body } = await call(
          as,
          'POST',
          `/jobs/${jobId}/sourcefiles?fileName=${encodeURIComponent(source.name)}`,
        )
        const form = new FormData()
        form.append('file', new Blob([source.file as string]), source.name)
        expect(
          (await fetch(String(body.fmsPostMultipartUrl), { method: 'POST', body: form })).status,
        ).toBe(201)
        content = { fmsFileId: body.fmsFileId }
      } else
        content = { fields: Object.entries(source.fields).map(([key, value]) => ({ key, value })) }
      const { body } = await call<{ requests: { requestId: string }[] }>(
        as,
        'POST',
        `/jobs/${jobId}/requests/add`,
        {
          ...{
            requestName: `text ${at + 1}`,
            sourceNativeId: `${at + 1}`,
            sourceNativeLanguageCode: 'en-us',
          },
          targetNativeLanguageCodes: languages,
          ...content,
        },
      )
      ids.push(...(body.requests ?? []).map(({ requestId }) => requestId))
    }
    expect((await call(as, 'PUT', `/jobs/${jobId}/submit`, { providerId: manual })).status).toBe(
      200,
    )
    await hub.advance('1s')
    const job = `/providers/${manual}/jobs/${jobId}`
    return {
      jobId: String(jobId),
      ids,
      job,
      task: (id: string) => `${job}/assetTasks/${id}`,
      path: `${job}/package`,
    }
  }

  const download = async (
    path: string,
    query = '',
    headers?: Record<string, string>,
  ): Promise<Entries> => {
    const authorization = `Bearer ${await hub.token('demo-provider')}`
    const answer = await fetch(`${hub.url}/v2${path}${query}`, {
      headers: headers ?? { authorization },
    })
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/zip'])
    return unpack(new Uint8Array(await answer.arrayBuffer()))
  }

  const deliver = async (
    path: string,
    zip: Uint8Array,
    query = '',
    more: Record<string, string> = {},
  ): Promise<Refused> => {
    const headers = {
      authorization: `Bearer ${await hub.token('demo-provider')}`,
      'content-type': 'application/zip',
      ...more,
    }
    const answer = await fetch(`${hub.url}/v2${path}${query}`, {
      method: 'POST',
      headers,
      body: zip as BodyInit,
    })
    return { status: answer.status, body: (await answer.json()) as JsonObject }
  }

  const translationOf = async (jobId: string, id: string): Promise<string> => {
    const { headers } = await call(
      'demo-connector',
      'GET',
      `/jobs/${jobId}/requests/${id}/retrievefile`,
    )
    return (await fetch(String(headers.get('location')))).text()
  }
  const statusOf = async (task: string) =>
    (await call('demo-provider', 'GET', task)).body.statusCode

  return { call, sent, download, deliver, translationOf, statusOf }
}

export function unpack(bytes: Uint8Array): Entries {
  const zip = openZip(bytes)
  return new Map(zip.entries.map((entry) => [entry.name, Buffer.from(readEntryBytes(zip, entry))]))
}

export const packed = (
  entries: ReadonlyMap<string, string | Uint8Array>,
  more: readonly Packed[] = [],
): Uint8Array => pack([...[...entries].map(([name, content]) => ({ name, content })), ...more])

/** With some files changed; undefined leaves a file out. */
export function edited(
  entries: Entries,
  edit: (text: string, name: string) => string | Uint8Array | undefined,
): Map<string, string | Uint8Array> {
  const out = new Map<string, string | Uint8Array>()
  for (const [name, content] of entries) {
    const text = edit(content.toString(), name)
    if (text !== undefined) out.set(name, text)
  }
  return out
}

/** Replaces the targets of XLIFF by their source text. */
export const translated = (text: string, words: Readonly<Record<string, string>>): string =>
  text.replace(
    /(<target[^>]*>)([\s\S]*?)(<\/target>)/g,
    (all, open: string, target: string, close: string) => {
      const found = words[target]
      return found === undefined ? all : open + found + close
    },
  )
