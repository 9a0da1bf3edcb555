/**
 * What every page is made from. A page is rendered once for all hubs: placeholders stand for what only the running hub knows, and
 * the server fills them in (doors/pages/stored-pages.ts). They are private-use characters, which none of our texts contain.
 */
import type { Call, Document } from './document.ts'
import { type Html, type HtmlValue, html, trusted } from './html.ts'

/** Stands for the hub's address; a URL, so that code made from it is valid. */
export const here = 'https://hub.invalid'
/** Stands for the path of the hub's public URL, which comes before every path. */
export const prefixMark = '\ue003'

export type SiteContext = { readonly document: Document; readonly prefix: string; readonly base: string }

/** One variant per profile; `production` defaults to `staging`. */
export function byProfile(sandbox: HtmlValue, staging: HtmlValue, production: HtmlValue = staging): Html {
  const [first, second, third] = [html`${sandbox}`, html`${staging}`, html`${production}`].map(({ markup }) => markup)
  return trusted(`\ue000${first}\ue001${second}\ue001${third}\ue002`)
}

export const pathOfCall = ({ operation }: Call): string => `/docs/calls/${operation.operationId}`
export const pathOfError = (code: string): string => `/docs/errors#${code}`
