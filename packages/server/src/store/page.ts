/**
 * Keyset pagination: a page begins after the last row of the previous one, so no row is lost or
 * repeated while others write, and page 10,000 costs the same as page 1. A cursor holds that last
 * row's key, the list, and the filter and order it was made with; it is signed, so a changed or
 * foreign one is refused.
 */
import { HubError, limits } from '@dragoman/contract'
import type { Expression, ExpressionBuilder, SelectQueryBuilder, SqlBool } from 'kysely'
import { isSameText } from './same-text.ts'
import type { Tables } from './tables.ts'
import type { Vault } from './vault.ts'

export type OrderTerm = {
  readonly column: string
  readonly descending: boolean
  readonly nullable?: boolean
}
/** An order by these columns, the lowest first. */
export const ascending = (...columns: readonly string[]): OrderTerm[] =>
  columns.map((column) => ({ column, descending: false }))

export type Key = readonly (string | number | null)[]
export type Page<T> = { readonly items: T[]; readonly next?: string }

/**
 * What a cursor holds: the list's name, the key of the last row, and the caller's filter and order.
 */
export type Cursor = {
  readonly list: string
  readonly key: Key
  readonly filter?: string
  readonly orderBy?: string
}

const macBytes = 16

export function sealCursor(vault: Vault, siteId: string, cursor: Cursor): string {
  const body = Buffer.from(
    JSON.stringify([cursor.list, cursor.key, cursor.filter, cursor.orderBy]),
  ).toString('base64url')
  return `${body}.${mac(vault, siteId, body)}`
}

/** Opens a cursor made for this site and list. */
export function openCursor(vault: Vault, siteId: string, list: string, text: string): Cursor {
  if (text.length > limits.cursorCharacters)
    refuse(`it has more than ${limits.cursorCharacters} characters.`)
  const [body = '', signature = '', rest] = text.split('.')
  const right = mac(vault, siteId, body)
  // Compares text, not bytes: base64 can spell the same bytes in several ways.
  if (rest !== undefined || !isSameText(signature, right))
    refuse('it is damaged, or does not belong to this list.')
  const [name, key, filter, orderBy] = JSON.parse(Buffer.from(body, 'base64url').toString()) as [
    string,
    Key,
    string?,
    string?,
  ]
  if (name !== list) refuse(`it belongs to the list ${name}.`)
  return {
    list: name,
    key,
    ...(filter == null ? {} : { filter }),
    ...(orderBy == null ? {} : { orderBy }),
  }
}

/** A filter or order that is sent with a cursor must be the cursor's own. */
export function mustMatch(cursor: Cursor, sent: Pick<Cursor, 'filter' | 'orderBy'>): Cursor {
  for (const part of ['filter', 'orderBy'] as const)
    if (sent[part] !== undefined && sent[part] !== (cursor[part] ?? ''))
      refuse(`it was created with another ${part}.`)
  return cursor
}

const mac = (vault: Vault, siteId: string, body: string): string =>
  vault.sign('cursor', `${siteId}\n${body}`).subarray(0, macBytes).toString('base64url')

function refuse(because: string): never {
  throw new HubError('INVALID_CURSOR', { because })
}

type Query<T extends keyof Tables, O> = SelectQueryBuilder<Tables, T, O>

/** Orders by the terms, null values last, and begins after `key`. The last term must be unique. */
export function pageAfter<T extends keyof Tables, O>(
  query: Query<T, O>,
  terms: readonly OrderTerm[],
  key?: Key,
): Query<T, O> {
  // Column names come from our own tables of terms, never from a caller.
  type Any = SelectQueryBuilder<Record<string, Record<string, unknown>>, string, O>
  let ordered = query as unknown as Any
  for (const term of terms) {
    ordered = ordered.orderBy(term.column, (order) => {
      const directed = term.descending ? order.desc() : order.asc()
      return term.nullable ? directed.nullsLast() : directed
    })
  }
  if (key) ordered = ordered.where((eb) => after(eb as AnyBuilder, terms, key))
  return ordered as unknown as Query<T, O>
}

type AnyBuilder = ExpressionBuilder<Record<string, Record<string, unknown>>, string>

function after(eb: AnyBuilder, terms: readonly OrderTerm[], key: Key): Expression<SqlBool> {
  const ways = terms.map((term, at) => {
    const same = terms.slice(0, at).map((before, i) => equals(eb, before, key[i] ?? null))
    return eb.and([...same, beyond(eb, term, key[at] ?? null)])
  })
  const [first] = terms
  const lead = key[0]
  // The bound on the first column is redundant, but lets both databases start in the middle of the
  // index.
  if (first && !first.nullable && lead !== null && lead !== undefined)
    return eb.and([eb(first.column, first.descending ? '<=' : '>=', lead), eb.or(ways)])
  return eb.or(ways)
}

const equals = (
  eb: AnyBuilder,
  term: OrderTerm,
  value: string | number | null,
): Expression<SqlBool> =>
  value === null ? eb(term.column, 'is', null) : eb(term.column, '=', value)

function beyond(
  eb: AnyBuilder,
  term: OrderTerm,
  value: string | number | null,
): Expression<SqlBool> {
  if (value === null) return eb.lit(false) as unknown as Expression<SqlBool>
  const further = eb(term.column, term.descending ? '<' : '>', value)
  return term.nullable ? eb.or([further, eb(term.column, 'is', null)]) : further
}
