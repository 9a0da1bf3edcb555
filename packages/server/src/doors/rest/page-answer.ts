/** A page in the form that every deployed client finds its own spelling in (contract, section 3, Pages). */
type Paged = { readonly items: readonly unknown[]; readonly next?: string }

/**
 * The body as text. The items are written out once and stand in it twice, which is why this is not left to a serialiser
 * of objects. `url` is the path and query of the call.
 */
export function pageText(name: string, page: Paged, url: string, format: 'full' | 'plain'): string {
  const items = JSON.stringify(page.items)
  const key = JSON.stringify(name)
  const next = page.next === undefined ? undefined : JSON.stringify(page.next)
  const pagination = next ? `{"navNext":${next}}` : '{}'
  if (format === 'plain') return `{"pagination":${pagination},${key}:${items}}`
  const self = JSON.stringify({ href: url })
  const links = page.next === undefined ? `{"self":${self}}` : `{"self":${self},"next":${nextLink(url, page.next)}}`
  const tail = next ? `,"next":${next}` : ''
  return `{"pagination":${pagination},${key}:${items},"_embedded":{${key}:${items}},"_links":${links}${tail}}`
}

function nextLink(url: string, next: string): string {
  const [path = '', query = ''] = url.split('?', 2)
  const parameters = new URLSearchParams(query)
  parameters.delete('next')
  parameters.set('navNext', next)
  return JSON.stringify({ href: `${path}?${parameters}` })
}
