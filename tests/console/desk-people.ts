/**
 * A job for the desk, and people who work on it: translators, a reviewer and a provider manager,
 * each with a session.
 */
import { expect } from 'vitest'
import type { TestHub } from '../hub.ts'
import { priceList } from '../price-list.ts'
import { enter } from '../visitor.ts'

export type DeskPerson = Awaited<ReturnType<typeof enter>> & { readonly personId: string }
type JsonObject = Record<string, unknown>
type Content =
  | { readonly fields: Readonly<Record<string, string>> }
  | { readonly file: string | Uint8Array; readonly name: string }
export type DeskJob = { readonly jobId: string; readonly ids: readonly string[] }

const connector = 'demo-connector'

export type Desk = {
  readonly manual: string
  /** Someone with this role for the provider Manual, called by this name. */
  person(
    role: string,
    name: string,
    more?: { readonly languages?: string[]; readonly providers?: string[] },
  ): Promise<DeskPerson>
  job(
    jobName: string,
    contents: Readonly<Record<string, Content>>,
    more?: JsonObject,
  ): Promise<DeskJob>
}

export async function openDesk(hub: TestHub): Promise<Desk> {
  const must = async <T = JsonObject>(
    who: string,
    method: string,
    path: string,
    body?: unknown,
  ) => {
    const got = await hub.call<T>(method, `/v2${path}`, {
      as: who,
      ...(body !== undefined && { body }),
    })
    expect(got.status, `${method} ${path}: ${JSON.stringify(got.body).slice(0, 300)}`).toBeLessThan(
      300,
    )
    return got.body
  }
  await must('demo-admin', 'POST', '/settings/pricelists', priceList)
  const { providers } = await must<{ providers: { id: string; name: string }[] }>(
    connector,
    'GET',
    '/providers',
  )
  const manual = providers.find(({ name }) => name === 'Manual')?.id ?? ''
  return {
    manual,
    async person(role, name, more = {}) {
      const person = await enter(hub, ['viewer'], 'demo')
      const { personId } = person.session.person
      const sites = [
        {
          roles: [role],
          providers: more.providers ?? [manual],
          ...(more.languages && { languages: more.languages }),
        },
      ]
      await must('demo-admin', 'PATCH', `/people/${personId}`, { name, sites })
      // New roles bring a new token: taken here, so that it is not the first page of a browser that
      // gets it.
      await person.call('GET', '/session')
      return Object.assign(person, { personId })
    },
    async job(jobName, contents, { languages = ['de-de'], ...more } = {}) {
      const { jobId } = await must<{ jobId: string }>(connector, 'POST', '/jobs', {
        jobName,
        shouldQuote: true,
        ...more,
      })
      const ids: string[] = []
      for (const [requestName, content] of Object.entries(contents)) {
        const source =
          'fields' in content ? { fields: fieldsOf(content.fields) } : await sent(jobId, content)
        const { requests } = await must<{ requests: { requestId: string }[] }>(
          connector,
          'POST',
          `/jobs/${jobId}/requests/add`,
          {
            requestName,
            sourceNativeId: requestName,
            sourceNativeLanguageCode: 'en-us',
            targetNativeLanguageCodes: languages,
            ...source,
          },
        )
        ids.push(...requests.map(({ requestId }) => requestId))
      }
      await must(connector, 'PUT', `/jobs/${jobId}/submit`, { providerId: manual })
      await hub.advance('1s')
      return { jobId, ids }
    },
  }

  async function sent(jobId: string, { file, name }: Extract<Content, { readonly name: string }>) {
    const place = await must<Record<string, string>>(
      connector,
      'POST',
      `/jobs/${jobId}/sourcefiles?fileName=${name}`,
    )
    const form = new FormData()
    form.append('file', new Blob([file as BlobPart]), name)
    expect(
      (await fetch(String(place.fmsPostMultipartUrl), { method: 'POST', body: form })).status,
    ).toBe(201)
    return { fmsFileId: place.fmsFileId }
  }
}

const fieldsOf = (fields: Readonly<Record<string, string>>) =>
  Object.entries(fields).map(([key, value]) => ({ key, value }))
