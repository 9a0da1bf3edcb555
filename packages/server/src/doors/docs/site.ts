/** Every page of the site at /docs by its path, the search index, and the pictures of the guides. */
import type { Config } from '../../config/config.ts'
import { pathPrefix } from '../../config/path-prefix.ts'
import { html } from '../pages/html.ts'
import { callPage } from './call-page.ts'
import { here, pathOfCall, type SiteContext } from './context.ts'
import { type Call, groupsOf, readDocument } from './document.ts'
import { errorsPage } from './errors-page.ts'
import { findPicture, guidePage, listGuides, listPictures } from './guides.ts'
import { layOut, type NavigationGroup, type Page } from './layout.ts'
import { overviewPage } from './overview-page.ts'
import { schemaPage, schemasPage } from './schema-pages.ts'
import { searchIndex } from './search-index.ts'
import { findSiteFiles } from './site-files.ts'

const searchPath = '/docs/search.json'

export type Served = {
  readonly content: string | Buffer
  readonly type: string
  readonly status: number
}

/** Texts hold `here` in place of the hub's address. */
export type Site = { has(path: string): boolean; find(path: string): Served | undefined; missing(): Served }

export function openSite(config: Config): Site {
  const document = readDocument()
  const groups = groupsOf(document)
  const guides = listGuides()
  const prefix = pathPrefix(config)
  const context: SiteContext = { document, prefix, base: here, isSandbox: config.profile === 'sandbox' }
  const navigation = navigationOf(groups, guides)
  const frame = { prefix, files: findSiteFiles(), navigation, profile: config.profile }
  const served = (page: Page, status = 200): Served => ({
    content: layOut(frame, page),
    type: 'text/html; charset=utf-8',
    status,
  })

  const makers = new Map<string, () => Page>([
    ['/docs', () => overviewPage(context, groups, guides)],
    ['/docs/errors', () => errorsPage(context, groups)],
    ['/docs/schemas', () => schemasPage(context)],
    ...Object.keys(document.components.schemas).map(
      (name) => [`/docs/schemas/${name}`, () => schemaPage(context, name)] as const,
    ),
    ...groups.flatMap((group) =>
      group.calls.map((call) => [pathOfCall(call), () => callPage(context, group, call)] as const),
    ),
    ...guides.map((guide) => [guide.path, () => guidePage(context, guide)] as const),
  ])

  return {
    has: (path) => makers.has(path) || path === searchPath || listPictures().includes(path),
    find(path) {
      const make = makers.get(path)
      if (make) return served(make())
      if (path === searchPath)
        return {
          content: JSON.stringify(searchIndex(context, groups, guides)),
          type: 'application/json; charset=utf-8',
          status: 200,
        }
      const picture = findPicture(path)
      return picture && { content: picture, type: 'image/png', status: 200 }
    },
    missing: () => served(missingPage(prefix), 404),
  }
}

function navigationOf(groups: ReturnType<typeof groupsOf>, guides: ReturnType<typeof listGuides>): NavigationGroup[] {
  const shelves = [...new Set(guides.flatMap(({ shelf }) => shelf ?? []))]
  return [
    {
      label: 'Start',
      kind: 'top',
      items: [
        { label: 'Overview', path: '/docs' },
        { label: 'Errors', path: '/docs/errors' },
        { label: 'Schemas', path: '/docs/schemas' },
      ],
    },
    ...shelves.map(
      (shelf): NavigationGroup => ({
        label: shelf,
        kind: 'guides',
        items: guides.filter((guide) => guide.shelf === shelf).map(({ title, path }) => ({ label: title, path })),
      }),
    ),
    ...groups.map(
      ({ label, calls }): NavigationGroup => ({
        label,
        kind: 'calls',
        items: calls.map((call) => ({
          label: shortOf(call),
          path: pathOfCall(call),
          method: call.method,
          old: call.operation.deprecated === true,
        })),
      }),
    ),
  ]
}

const shortOf = ({ operation }: Call): string => operation.summary.split(/[:;]/, 1)[0] ?? ''

const missingPage = (prefix: string): Page => ({
  title: 'Not found',
  path: '',
  main: html`<h1>There is no such page</h1>
<p class="lead">The address may be mistyped, or from another version of the hub.</p>
<p>Search for a call, a field, an error, a setting or a guide, or start from the <a href="${prefix}/docs">overview</a>.</p>
<p><button type="button" class="find" data-search hidden><span>Search the docs</span><kbd>/</kbd></button></p>`,
})
