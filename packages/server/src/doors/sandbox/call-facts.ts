/**
 * The facts in a call's bodies that a connector's obligations depend on; nothing else of the bodies
 * is kept. Pure.
 */
import type { Answered, SeenUpdate, Sent } from '@dragoman/certify'
import { isObject } from '../../process/parse.ts'
import { digest } from './recorded-calls.ts'

type Fields = Readonly<Record<string, unknown>>
const maxNames = 20
const maxListed = 200
const textsOf = (value: unknown): string[] =>
  [value].flat().filter((one): one is string => typeof one === 'string')

/** Undefined if the body states none of them. */
export function sentFacts(body: unknown): Sent | undefined {
  if (typeof body !== 'object' || body === null) return undefined
  const items = [body, isObject(body) ? (body.requests ?? body.requestsUpdate ?? []) : []]
    .flat()
    .filter(isObject)
  const of = (name: string): string[] =>
    [...new Set(items.flatMap((item) => textsOf(item[name])))].slice(0, maxListed)
  const names = [...of('jobName'), ...of('requestName')]
    .map((name) => ({ name: name.slice(0, 100), bytes: Buffer.byteLength(name) }))
    .sort((a, b) => b.bytes - a.bytes)
    .slice(0, maxNames)
  const languages = [...of('sourceNativeLanguageCode'), ...of('targetNativeLanguageCodes')]
  // Only at the top level, as the hub reads them.
  const stated = (...spellings: string[]): string | undefined =>
    isObject(body)
      ? spellings.flatMap((name) => textsOf(body[name])).find((text) => text.trim() !== '')
      : undefined
  const connectorName = stated('connectorName', 'ConnectorName')
  const connectorVersion = stated('connectorVersion', 'ConnectorVersion')
  const requestIds = [...of('requestIds'), ...of('requestId')]
  return {
    ...(connectorName !== undefined && { connectorName: connectorName.slice(0, 300) }),
    ...(connectorVersion !== undefined && { connectorVersion: connectorVersion.slice(0, 100) }),
    ...(names.length > 0 && { names }),
    ...(languages.length > 0 && { languages: [...new Set(languages)] }),
    ...(requestIds.length > 0 && { requestIds }),
  }
}

export function answeredFacts(body: unknown, location: string | undefined): Answered | undefined {
  const link = location === undefined ? {} : { link: linkDigest(location) }
  if (!isObject(body)) return location === undefined ? undefined : link
  const isPage = isObject(body.pagination)
  const items = isPage ? itemsOf(body) : []
  const next = isObject(body.pagination) ? body.pagination.navNext : undefined
  const listed = items.flatMap((item) => textsOf(item.requestId)).slice(0, maxListed)
  const [own] = textsOf(body.jobId)
  const updates = items.flatMap(updateOf)
  const facts: Answered = {
    ...link,
    ...(own !== undefined && { jobId: own }),
    ...(listed.length > 0 && { requestIds: listed }),
    ...(updates.length > 0 && { updates }),
    ...(isPage && { items: items.length }),
    ...(typeof next === 'string' && { next: digest(next) }),
    ...(typeof body.expires_in === 'number' && { expiresIn: body.expires_in }),
  }
  return Object.keys(facts).length > 0 ? facts : undefined
}

function itemsOf(page: Fields): Fields[] {
  const list = Object.entries(page).find(
    ([name, value]) => name !== '_links' && Array.isArray(value),
  )?.[1]
  return Array.isArray(list) ? list.filter(isObject) : []
}

function updateOf(item: Fields): SeenUpdate[] {
  const { updateId, jobId, requestIds, statusCode, hasError } = item
  if (typeof updateId !== 'string' || typeof jobId !== 'string') return []
  return [
    {
      updateId,
      jobId,
      requestIds: textsOf(requestIds),
      statusCode: String(statusCode),
      hasError: hasError === true,
    },
  ]
}

/**
 * Counts path and query alone, so that a redirect and the call that follows it match under any host
 * name.
 */
export function linkDigest(address: string): string {
  const { pathname, search } = new URL(address, 'http://hub')
  return digest(pathname + search)
}
