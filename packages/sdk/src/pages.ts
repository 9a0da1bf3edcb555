/**
 * The items of a page and the next cursor, in any of the wire's spellings: `pagination.navNext`,
 * `next` or `_links.next`; items under their name or under `_embedded`. An empty cursor counts as
 * none; an empty page may have one.
 */
type Page = {
  readonly pagination?: { readonly navNext?: unknown }
  readonly next?: unknown
  readonly _embedded?: Readonly<Record<string, unknown>>
  readonly _links?: { readonly next?: { readonly href?: unknown } }
  readonly [name: string]: unknown
}

export function itemsOf(page: unknown, name: string): unknown[] {
  const { [name]: plain, _embedded } = asPage(page)
  const items = plain ?? _embedded?.[name]
  return Array.isArray(items) ? items : []
}

export function nextOf(page: unknown): string | undefined {
  const { pagination, next, _links } = asPage(page)
  return textOf(pagination?.navNext) ?? textOf(next) ?? cursorIn(textOf(_links?.next?.href))
}

function cursorIn(href: string | undefined): string | undefined {
  if (href === undefined) return undefined
  const parameters = new URL(href, 'http://hub').searchParams
  return textOf(parameters.get('navNext')) ?? textOf(parameters.get('next'))
}

const asPage = (page: unknown): Page =>
  typeof page === 'object' && page !== null ? (page as Page) : {}
const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined
