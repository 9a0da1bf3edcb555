/** What every page of the site at /docs is made from. */
import type { Call, Document } from './document.ts'

/** Stands for the hub's address in pages that are kept; a URL, so that code made from it is right. */
export const here = 'https://hub.invalid'

export type SiteContext = {
  readonly document: Document
  readonly prefix: string
  readonly base: string
  readonly isSandbox: boolean
}

export const pathOfCall = ({ operation }: Call): string => `/docs/calls/${operation.operationId}`
export const pathOfError = (code: string): string => `/docs/errors#${code}`
