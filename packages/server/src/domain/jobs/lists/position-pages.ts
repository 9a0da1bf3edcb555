/** Pages of a job's requests or other items, ordered by position. */
import { limits } from '@dragoman/contract'
import type { Hub } from '../../../hub.ts'
import { openCursor, type Page, sealCursor } from '../../../store/page.ts'

/** Where a page starts: after a position, with the filter stored in its cursor. */
export type PageStart = { readonly after?: number; readonly filter?: string }
/** The name of a list, stored in its cursors. */
export type ListOfSite = { readonly siteId: string; readonly list: string }
export type Paging = { readonly navNext?: string; readonly pageSize?: number }

export function readCursor(hub: Hub, { siteId, list }: ListOfSite, asked: Paging): PageStart {
  if (!asked.navNext) return {}
  const { key, filter } = openCursor(hub.vault, siteId, list, asked.navNext)
  return { after: Number(key[0]), ...(filter === undefined ? {} : { filter }) }
}

export const pageSizeOf = (asked: Paging): number => asked.pageSize ?? limits.pageItems

/**
 * One page of rows ordered by position. `rows` has one row more than the page if another page
 * follows.
 */
export function toPage<R extends { position: number }, T>(
  hub: Hub,
  { siteId, list }: ListOfSite,
  asked: Paging,
  found: {
    readonly rows: readonly R[]
    readonly describe: (row: R) => T
    readonly filter?: string | undefined
  },
): Page<T> {
  const { rows, describe, filter } = found
  const page = rows.slice(0, pageSizeOf(asked))
  const items = page.map(describe)
  const last = page.at(-1)
  if (rows.length === page.length || !last) return { items }
  const next = { list, key: [last.position], ...(filter === undefined ? {} : { filter }) }
  return { items, next: sealCursor(hub.vault, siteId, next) }
}
