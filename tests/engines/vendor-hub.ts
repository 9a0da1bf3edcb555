/**
 * A hub with a provider for every vendor: jobs are sent to all of them at once, and each tells what
 * the connector sees.
 */
import { expect } from 'vitest'
import { startHub, type TestHub } from '../hub.ts'
import { everyVendor, type VendorCase, type VendorName, vendorNames } from './every-vendor.ts'
import { sources, targets } from './phrases.ts'
import { type RunningVendor, startVendor } from './vendor.ts'

type JsonObject = Record<string, unknown>
type Request = {
  readonly requestId: string
  readonly statusCode: string
  readonly hasError: boolean
  readonly latestErrorMessage?: string
  readonly lastTry?: { readonly message: string }
}
export const connector = 'demo-connector'
export const admin = 'demo-admin'

export type VendorHub = {
  readonly hub: TestHub
  readonly vendors: Readonly<Record<VendorName, RunningVendor>>
  readonly providers: Readonly<Record<VendorName, string>>
  readonly call: <T = JsonObject>(
    as: string,
    method: string,
    path: string,
    body?: unknown,
  ) => Promise<{ status: number; body: T }>
  /** A job with these values for the provider; not worked on yet. */
  readonly submit: (
    providerId: string,
    values?: readonly string[],
    target?: string,
  ) => Promise<string>
  /** One line: `delivered`, `delivered otherwise: …`, `waits: …` or `error: …`. */
  readonly seen: (jobId: string) => Promise<string>
  readonly valuesOf: (jobId: string) => Promise<string[]>
  readonly close: () => Promise<void>
}

export async function startVendorHub(
  database: 'sqlite' | 'postgres',
  settings: JsonObject = {},
  names: readonly VendorName[] = vendorNames,
): Promise<VendorHub> {
  const hub = await startHub({ database })
  const call: VendorHub['call'] = (as, method, path, body) =>
    hub.call(method, `/v2${path}`, { as, ...(body !== undefined && { body }) })
  const started = await Promise.all(
    names.map(async (name) => {
      const { vendor, config, path = '' }: VendorCase = everyVendor[name]
      const running = await startVendor(vendor)
      const url = `${running.url}${path}`
      const body = { name, typeId: 'machine-translation', config: { ...config, url, ...settings } }
      const made = await call(admin, 'POST', '/providers', body)
      expect(made.status, JSON.stringify(made.body)).toBe(201)
      return { name, running, providerId: String(made.body.id) }
    }),
  )
  const byName = <T>(pick: (one: (typeof started)[number]) => T) =>
    Object.fromEntries(started.map((one) => [one.name, pick(one)])) as Record<VendorName, T>
  const submit: VendorHub['submit'] = async (providerId, values = sources, target = 'de-de') => {
    const jobId = String(
      (await call(connector, 'POST', '/jobs', { jobName: 'Vendors' })).body.jobId,
    )
    const added = await call(connector, 'POST', `/jobs/${jobId}/requests/add`, {
      requestName: 'kv',
      sourceNativeId: 's',
      sourceNativeLanguageCode: 'en-us',
      targetNativeLanguageCodes: [target],
      fields: values.map((value, at) => ({ key: `k${at}`, value })),
    })
    expect(added.status).toBe(201)
    const sent = await call(connector, 'PUT', `/jobs/${jobId}/submit`, { providerId })
    if (sent.status !== 200) throw new Error(JSON.stringify(sent.body))
    return jobId
  }
  const requestOf = async (jobId: string): Promise<Request> => {
    const { body } = await call<{ requests: Request[] }>(
      connector,
      'GET',
      `/jobs/${jobId}/requests`,
    )
    const [request] = body.requests
    if (!request) throw new Error('The job has no request.')
    return request
  }
  const valuesOf = async (jobId: string): Promise<string[]> => {
    const { requestId } = await requestOf(jobId)
    const path = `/jobs/${jobId}/requests/${requestId}/retrieve`
    const { body } = await call<{ translationContent: { targetContent: { value: string }[] }[] }>(
      connector,
      'GET',
      path,
    )
    return body.translationContent[0]?.targetContent.map(({ value }) => value) ?? []
  }
  const seen = async (jobId: string): Promise<string> => {
    const { statusCode, hasError, latestErrorMessage, lastTry } = await requestOf(jobId)
    if (hasError) return `error: ${latestErrorMessage}`
    if (statusCode !== 'REVIEW_TRANSLATION') return `waits: ${lastTry?.message}`
    const values = await valuesOf(jobId)
    return values.join('\n') === targets.join('\n')
      ? 'delivered'
      : `delivered otherwise: ${values.join(' | ')}`
  }
  return {
    hub,
    call,
    vendors: byName(({ running }) => running),
    providers: byName(({ providerId }) => providerId),
    submit,
    seen,
    valuesOf,
    close: async () => {
      await hub.close()
      await Promise.all(started.map(({ running }) => running.close()))
    },
  }
}
