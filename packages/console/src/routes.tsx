/**
 * Every page: its URL, its place in the navigation, its key, its texts and who may see it. Pages
 * load when first opened.
 */
import type { Role } from '@dragoman/contract/wire'
import { type ComponentType, lazy } from 'react'
import type { GlyphName } from './look/glyphs.tsx'
import { orMissing } from './missing-file.ts'
import { hasForm } from './paths.ts'
import { type Language, loadWords } from './words/words.ts'

export type PageName =
  | 'jobs'
  | 'job'
  | 'new-job'
  | 'work'
  | 'workbench'
  | 'team'
  | 'reports'
  | 'deliveries'
  | 'listeners'
  | 'calls'
  | 'health'
  | 'sandbox'
  | 'providers'
  | 'routing'
  | 'terms'
  | 'memory'
  | 'prices'
  | 'codes'
  | 'access'
  | 'me'

type Load = () => Promise<{ default: ComponentType }>
export type Route = {
  readonly name: PageName
  readonly path: string
  readonly load: Load
  /** Its place in the navigation. */
  readonly nav?: {
    readonly group: 'work' | 'operate' | 'setUp'
    readonly glyph: GlyphName
    readonly href: string
    readonly key?: string
    /** At the foot of a phone; the others are behind "More". */
    readonly onPhone?: true
  }
  /** Other texts that it uses. */
  readonly words?: readonly string[]
  readonly roles?: readonly Role[]
  /** The navigation has it only for those who may make one of these calls. */
  readonly needs?: readonly string[]
  readonly only?: 'sandbox'
  /** Shown to an operator without a site, because it is about the whole hub. */
  readonly ofHub?: true
}

export const routes: readonly Route[] = [
  {
    name: 'new-job',
    path: '/jobs/new',
    load: () => import('./pages/new-job/new-job.tsx'),
    roles: ['manager'],
  },
  {
    name: 'job',
    path: '/jobs/:jobId/:tab?',
    load: () => import('./pages/job/job.tsx'),
    words: ['delivery', 'review', 'checks', 'comments'],
  },
  {
    name: 'jobs',
    needs: ['listJobs'],
    path: '/',
    load: () => import('./pages/jobs/jobs.tsx'),
    nav: { group: 'work', glyph: 'jobs', href: '/', key: 'j', onPhone: true },
  },
  {
    name: 'workbench',
    path: '/work/:providerId/:jobId/:assetTaskId',
    load: () => import('./pages/workbench/workbench.tsx'),
    words: ['review', 'checks', 'comments'],
  },
  {
    name: 'team',
    path: '/work/team',
    load: () => import('./pages/team/team.tsx'),
    roles: ['translator', 'provider-manager'],
  },
  {
    name: 'work',
    needs: ['claimAssetTask', 'approveRequests'],
    path: '/work',
    load: () => import('./pages/work/work.tsx'),
    nav: { group: 'work', glyph: 'work', href: '/work', key: 'w', onPhone: true },
  },
  {
    name: 'reports',
    needs: ['findReport'],
    path: '/reports/:report?',
    load: () => import('./pages/reports/reports.tsx'),
    nav: { group: 'work', glyph: 'reports', href: '/reports', key: 'r' },
  },
  {
    name: 'deliveries',
    needs: ['listSiteDeliveries'],
    path: '/deliveries/:deliveryId?',
    load: () => import('./pages/deliveries/deliveries.tsx'),
    words: ['delivery'],
    nav: { group: 'operate', glyph: 'delivery', href: '/deliveries', key: 'd', onPhone: true },
  },
  {
    name: 'listeners',
    needs: ['listListeners'],
    path: '/listeners/:listenerId?',
    load: () => import('./pages/listeners/listeners.tsx'),
    words: ['delivery'],
    nav: { group: 'operate', glyph: 'listeners', href: '/listeners', key: 'l' },
  },
  {
    name: 'calls',
    needs: ['listCalls'],
    path: '/calls/:traceId?',
    load: () => import('./pages/calls/calls.tsx'),
    nav: { group: 'operate', glyph: 'call', href: '/calls', key: 'c' },
  },
  {
    name: 'health',
    needs: ['listFindings'],
    path: '/health/:part?',
    load: () => import('./pages/health/health.tsx'),
    words: ['audit'],
    nav: { group: 'operate', glyph: 'health', href: '/health', key: 'h', onPhone: true },
    ofHub: true,
  },
  {
    name: 'sandbox',
    path: '/sandbox',
    load: () => import('./pages/sandbox/sandbox.tsx'),
    nav: { group: 'operate', glyph: 'sandbox', href: '/sandbox', key: 's' },
    only: 'sandbox',
  },
  {
    name: 'providers',
    needs: ['listProviders'],
    path: '/providers/:providerId?',
    load: () => import('./pages/providers/providers.tsx'),
    nav: { group: 'setUp', glyph: 'providers', href: '/providers', key: 'p' },
  },
  {
    name: 'routing',
    needs: ['findRouting'],
    path: '/routing',
    load: () => import('./pages/routing/routing.tsx'),
    nav: { group: 'setUp', glyph: 'routing', href: '/routing', key: 'o' },
  },
  {
    name: 'prices',
    needs: ['listPriceLists'],
    path: '/prices/:priceListId?',
    load: () => import('./pages/prices/prices.tsx'),
    nav: { group: 'setUp', glyph: 'prices', href: '/prices', key: 'm' },
  },
  {
    name: 'terms',
    needs: ['listTerms'],
    path: '/terms',
    load: () => import('./pages/terms/terms.tsx'),
    nav: { group: 'setUp', glyph: 'docs', href: '/terms', key: 't' },
  },
  {
    name: 'memory',
    needs: ['listMemoryUnits'],
    path: '/memory',
    load: () => import('./pages/memory/memory.tsx'),
    nav: { group: 'setUp', glyph: 'copy', href: '/memory', key: 'y' },
  },
  { name: 'codes', path: '/codes', load: () => import('./pages/codes/codes.tsx') },
  {
    name: 'access',
    needs: ['listClients'],
    path: '/access/:part?',
    load: () => import('./pages/access/access.tsx'),
    words: ['audit'],
    nav: { group: 'setUp', glyph: 'access', href: '/access', key: 'a' },
    ofHub: true,
  },
  { name: 'me', path: '/me', load: () => import('./pages/me/me.tsx'), ofHub: true },
]

/** A page is loaded together with its texts. */
export async function loadPage(route: Route, language: Language): ReturnType<Load> {
  const [page] = await orMissing(
    Promise.all([route.load(), loadWords(language, route.name, ...(route.words ?? []))]),
  )
  return page
}

export const lazyPage = (route: Route, language: Language) => lazy(() => loadPage(route, language))

/** The page for a URL. */
export const routeAt = (path: string): Route | undefined =>
  routes.find((route) => hasForm(route.path, path))
