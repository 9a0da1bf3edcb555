/**
 * What every page is made from. A page is rendered once for all hubs: placeholders stand for what
 * only the running hub knows, and the server fills them in (doors/pages/stored-pages.ts). They are
 * private-use characters, which none of our texts contain.
 */
import type { Change } from './changes/compare-schemas.ts'
import type { Call, Document, Schema } from './document.ts'
import { type Html, type HtmlValue, html, trusted } from './html.ts'

/** Stands for the hub's address; a URL, so that code made from it is valid. */
export const here = 'https://hub.invalid'
/** Stands for the path of the hub's public URL, which comes before every path. */
export const prefixMark = '\ue003'

/** What changed since the last release. */
export type News = {
  readonly since: string
  readonly changes: readonly Change[]
  /** New fields and parameters, by their schema in the document. */
  readonly fields: ReadonlySet<Schema>
  /** New calls, such as `POST /v2/jobs`. */
  readonly calls: ReadonlySet<string>
}

export type SiteContext = {
  readonly document: Document
  readonly prefix: string
  readonly base: string
  readonly news: News
}

/** One variant per profile; `production` defaults to `staging`. */
export function byProfile(
  sandbox: HtmlValue,
  staging: HtmlValue,
  production: HtmlValue = staging,
): Html {
  const [first, second, third] = [html`${sandbox}`, html`${staging}`, html`${production}`].map(
    ({ markup }) => markup,
  )
  return trusted(`\ue000${first}\ue001${second}\ue001${third}\ue002`)
}

export const isNew = ({ news }: SiteContext, { method, path }: Call): boolean =>
  news.calls.has(`${method} ${path}`)
export const pathOfCall = ({ operation }: Call): string => `/docs/calls/${operation.operationId}`
export const pathOfError = (code: string): string => `/docs/errors#${code}`
