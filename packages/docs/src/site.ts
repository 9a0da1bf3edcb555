/** The site at /docs and the start page, as files that every hub can serve. */

import { callPage } from './call-page.ts'
import { changesPage, newsOf } from './changes/changes-page.ts'
import { here, pathOfCall, prefixMark, type SiteContext } from './context.ts'
import { type Call, type Document, groupsOf } from './document.ts'
import { errorsPage } from './errors-page.ts'
import { homePolicy } from './frame.ts'
import { guidePage, listGuides, readPictures } from './guides.ts'
import { homePage } from './home.ts'
import { html } from './html.ts'
import { docsPolicy, layOut, type NavigationGroup, type Page } from './layout.ts'
import { overviewPage } from './overview-page.ts'
import { openapi } from './reference/index.ts'
import { schemaPage, schemasPage } from './schema-pages.ts'
import { guideIndex, type Settings, searchIndex } from './search-index.ts'
import { filePage, shownFiles } from './shown-files.ts'
import { findSiteFiles } from './site-files.ts'

/** What the site is made from, besides the contract and the folder docs/. */
export type SiteSources = { readonly settings: Settings; readonly version: string }

/**
 * A file by its path in the site's folder; placeholders mark what the hub fills in (context.ts).
 */
type SiteFile = { readonly file: string; readonly content: string | Buffer }

/**
 * Every file of the site: the pages, the search index, the pictures, and `site.json`, which maps
 * each path to its file.
 */
export function* renderSite({ settings, version }: SiteSources): Generator<SiteFile> {
  const document = openapi() as unknown as Document
  const groups = groupsOf(document)
  const guides = listGuides()
  const context: SiteContext = { document, prefix: prefixMark, base: here, news: newsOf(document) }
  const frame = {
    prefix: prefixMark,
    files: findSiteFiles(),
    navigation: navigationOf(groups, guides),
  }
  const paths: Record<string, string> = {}
  const made = (path: string, file: string, content: string | Buffer): SiteFile => {
    paths[path] = file
    return { file, content }
  }
  const page = (path: string, content: Page): SiteFile =>
    made(
      path,
      `${path === '/docs' ? 'overview' : path.slice('/docs/'.length)}.html`,
      layOut(frame, content),
    )

  yield page('/docs', overviewPage(context, groups, guides))
  yield page('/docs/errors', errorsPage(context, groups))
  yield page('/docs/changes', changesPage(context, groups))
  yield page('/docs/schemas', schemasPage(context))
  for (const name of Object.keys(document.components.schemas))
    yield page(`/docs/schemas/${name}`, schemaPage(context, name))
  for (const group of groups)
    for (const call of group.calls) yield page(pathOfCall(call), callPage(context, group, call))
  for (const guide of guides) yield page(guide.path, guidePage(context, guide))
  for (const file of shownFiles) {
    const shown = filePage(file)
    yield page(shown.path, shown)
  }
  yield made(
    '/docs/search.json',
    'search.json',
    JSON.stringify(searchIndex(context, groups, guides, settings)),
  )
  yield made('/docs/search-guides.json', 'search-guides.json', JSON.stringify(guideIndex(guides)))
  for (const [path, bytes] of readPictures()) yield made(path, path.slice('/docs/'.length), bytes)
  yield { file: 'missing.html', content: layOut(frame, missingPage(prefixMark)) }
  yield { file: 'home.html', content: homePage(prefixMark, here, version) }
  yield {
    file: 'site.json',
    content: JSON.stringify({ paths, policies: { docs: docsPolicy, home: homePolicy } }),
  }
}

function navigationOf(
  groups: ReturnType<typeof groupsOf>,
  guides: ReturnType<typeof listGuides>,
): NavigationGroup[] {
  const shelves = [...new Set(guides.flatMap(({ shelf }) => shelf ?? []))]
  return [
    {
      label: 'Start',
      kind: 'top',
      items: [
        { label: 'Overview', path: '/docs' },
        { label: 'Errors', path: '/docs/errors' },
        { label: 'Schemas', path: '/docs/schemas' },
        { label: 'Changes', path: '/docs/changes' },
      ],
    },
    ...shelves.map(
      (shelf): NavigationGroup => ({
        label: shelf,
        kind: 'guides',
        items: guides
          .filter((guide) => guide.shelf === shelf)
          .map(({ title, path }) => ({ label: title, path })),
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
