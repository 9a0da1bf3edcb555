/** What surrounds every page: the top bar, the navigation, and the keys that work everywhere. */
import type { Role } from '@dragoman/contract/wire'
import { Suspense, useEffect, useMemo, useState } from 'react'
import { Link, Redirect, Route, Switch, useLocation } from 'wouter'
import { useNow } from './clock.ts'
import { docsOfPage } from './docs-of-page.ts'
import { useKeys } from './keys.ts'
import { Glyph } from './look/glyphs.tsx'
import { Nav } from './nav.tsx'
import { prefix } from './page-facts.ts'
import { Caught } from './parts/caught.tsx'
import { ButtonLink } from './parts/controls.tsx'
import { StaleBar } from './parts/live.tsx'
import { KeyList } from './parts/palette/key-list.tsx'
import { Palette } from './parts/palette/palette.tsx'
import { Empty, Loading } from './parts/said.tsx'
import { SiteSwitch } from './parts/site-switch.tsx'
import { lazyPage, routeAt, routes } from './routes.tsx'
import { useRoles, useSession } from './session.tsx'
import css from './shell.module.css'
import { startLive } from './stream.ts'
import { useWriters } from './times.ts'
import type en from './words/en/shell.json'
import { useLanguage, useWords } from './words/words.ts'

type Key = keyof typeof en

export function Shell() {
  const t = useWords<Key>('shell')
  const language = useLanguage()
  const session = useSession()
  const [path, go] = useLocation()
  const [open, setOpen] = useState<'palette' | 'keys' | undefined>()
  const present = routes.filter(({ only }) => only === undefined || only === session.profile)
  const pages = useMemo(
    () => routes.map((route) => ({ ...route, Page: lazyPage(route, language) })),
    [language],
  )
  // An operator without a role in a site sees the pages about the hub.
  const isHubs = session.siteId === ''
  const may = ({ needs }: { readonly needs?: readonly string[] }) =>
    needs === undefined || needs.some((call) => session.allowed.includes(call))
  const home = homeOf(useRoles(), isHubs)
  // Who opens the console lands where their work is; later, the page of jobs is just a page.
  const [isLanding, setLanding] = useState(path === '/' && location.search === '')
  useEffect(() => {
    if (isLanding && home !== '/') go(home, { replace: true })
    setLanding(false)
  }, [isLanding, home, go])
  const inNav = present
    .filter(may)
    .flatMap((route) =>
      route.nav ? [{ ...route, ...route.nav, title: t(`nav.${route.name}` as Key) }] : [],
    )

  useKeys([
    { keys: 'Ctrl K', says: t('find'), everywhere: true, act: () => setOpen('palette') },
    { keys: '?', says: t('allKeys'), act: () => setOpen('keys') },
    { keys: '/', says: t('toFilter'), act: toFilter },
    ...inNav.flatMap(({ key, href, title }) =>
      key ? [{ keys: `g ${key}`, says: t('openPage', { page: title }), act: () => go(href) }] : [],
    ),
  ])
  // Not again when the session is read again: the stream has moved on from its position.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another person or site is another stream.
  useEffect(() => startLive(session), [session.siteId, session.person.personId])
  return (
    <div className={css.shell} data-profile={session.profile}>
      <a className={css.skip} href="#content">
        {t('skip')}
      </a>
      <header className={css.top}>
        <Link href={home} className={css.brand}>
          <span className={css.mark} />
          <span>Dragoman</span>
        </Link>
        <button type="button" className={css.find} onClick={() => setOpen('palette')}>
          <Glyph name="find" />
          <span className={css.findWords}>{t('find')}</span>
          <kbd>Ctrl K</kbd>
        </button>
        <span className={css.gap} />
        <DocsLink path={path} />
        {session.profile === 'sandbox' && <SandboxClock />}
        <SiteSwitch />
        <Link href="/me" className={css.me} title={t('me', { name: session.person.name })}>
          <span aria-hidden="true">{initials(session.person.name)}</span>
          <span className="unseen">{t('me', { name: session.person.name })}</span>
        </Link>
      </header>
      <Nav pages={inNav} />
      <main className={css.main} id="content" tabIndex={-1}>
        <StaleBar />
        <Caught at={path}>
          <Suspense fallback={<Loading rows={8} />}>
            <Switch>
              {isHubs && (
                <Route path="/">
                  <Redirect to="/health" replace />
                </Route>
              )}
              {pages.map(({ name, path: pattern, ofHub, Page }) => (
                <Route key={name} path={pattern}>
                  {isHubs && !ofHub ? <NoSite /> : <Page />}
                </Route>
              ))}
              <Route>
                <Empty title={t('notFound')}>
                  <p>{t('notFoundBody')}</p>
                  <ButtonLink href="/">{t('toJobs')}</ButtonLink>
                </Empty>
              </Route>
            </Switch>
          </Suspense>
        </Caught>
      </main>
      {open === 'palette' && <Palette onClose={() => setOpen(undefined)} pages={inNav} />}
      {open === 'keys' && <KeyList title={t('allKeys')} onClose={() => setOpen(undefined)} />}
    </div>
  )
}

/** Links to the documentation of the page, in a new tab, so that what is on the page stays. */
function DocsLink({ path }: { readonly path: string }) {
  const t = useWords<Key>('shell')
  const route = routeAt(path)
  const to = route ? `/docs/${docsOfPage[route.name]}` : '/docs'
  return (
    <a
      className={css.docs}
      href={prefix + to}
      target="_blank"
      rel="noreferrer"
      title={t('docsOfPage')}
    >
      <Glyph name="docs" />
      <span>{t('docs')}</span>
    </a>
  )
}

function NoSite() {
  const t = useWords<Key>('shell')
  return (
    <Empty glyph="lock" title={t('noSite')}>
      <p>{t('noSiteBody')}</p>
      <ButtonLink href="/health">{t('toHealth')}</ButtonLink>
    </Empty>
  )
}

/** The field that filters the page. */
const toFilter = (): void =>
  document.querySelector<HTMLElement>('main [data-filter], main input[type=search]')?.focus()

/** Every page of the sandbox shows it, so that nobody mistakes simulated time for real time. */
function SandboxClock() {
  const t = useWords<Key>('shell')
  const writers = useWriters()
  const now = useNow()
  const said = t('sandboxClock', {
    time: `${writers.dateYear(now)}, ${writers.shortClock(now)} ${writers.zoneName(now)}`,
  })
  return (
    <Link
      href="/sandbox"
      className={css.clock}
      title={`${said}, ${new Date(now).toISOString()}`}
      aria-label={said}
    >
      <Glyph name="clock" size={14} />
      <span>{said}</span>
    </Link>
  )
}

/** Translators and reviewers work, managers look after jobs, an operator after the hub. */
function homeOf(roles: readonly Role[], isHubs: boolean): string {
  if (isHubs) return '/health'
  if (roles.some((role) => ofJobs.includes(role))) return '/'
  return roles.some((role) => ofWork.includes(role)) ? '/work' : '/'
}
const ofJobs: readonly Role[] = ['admin', 'manager', 'developer', 'viewer']
const ofWork: readonly Role[] = ['translator', 'reviewer', 'provider-manager']

const initials = (name: string): string =>
  name
    .split(/\s+/)
    .map(([first = '']) => first.toUpperCase())
    .slice(0, 2)
    .join('')
