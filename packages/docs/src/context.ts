/**
 * What every page is made from. A page is written once for every hub: marks stand for what only the running hub knows, and the server
 * fills them in (doors/pages/stored-pages.ts). They are characters for private use, which no text of ours has.
 */
import type { Call, Document } from './document.ts'
import { type Html, type HtmlValue, html, trusted } from './html.ts'

/** The hub's address; a URL, so that code made from it is right. */
export const here = 'https://hub.invalid'
/** The path of the hub's public URL, which comes before every path. */
export const prefixMark = '\ue003'

export type SiteContext = { readonly document: Document; readonly prefix: string; readonly base: string }

/** Each in its profile; the last one given also in the profiles after it. */
export function byProfile(sandbox: HtmlValue, staging: HtmlValue, production: HtmlValue = staging): Html {
  const [first, second, third] = [html`${sandbox}`, html`${staging}`, html`${production}`].map(({ markup }) => markup)
  return trusted(`\ue000${first}\ue001${second}\ue001${third}\ue002`)
}

export const pathOfCall = ({ operation }: Call): string => `/docs/calls/${operation.operationId}`
export const pathOfError = (code: string): string => `/docs/errors#${code}`
