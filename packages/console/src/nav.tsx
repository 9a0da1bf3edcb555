/**
 * The navigation: beside the page, or at the foot of a narrow screen, where "More" opens what has
 * no place there.
 */
import { useId } from 'react'
import { Link, useLocation } from 'wouter'
import { Glyph, type GlyphName } from './look/glyphs.tsx'
import { useNarrow } from './parts/narrow.ts'
import { useCall } from './queries.ts'
import css from './shell.module.css'
import { useLive } from './stream.ts'
import { useWriters } from './times.ts'
import type en from './words/en/shell.json'
import { useWords } from './words/words.ts'

type Key = keyof typeof en
const groups = ['work', 'operate', 'setUp'] as const

type NavPage = {
  readonly name: string
  readonly href: string
  readonly glyph: GlyphName
  readonly group: (typeof groups)[number]
  readonly title: string
  readonly onPhone?: true
}

export function Nav({ pages }: { readonly pages: readonly NavPage[] }) {
  const t = useWords<Key>('shell')
  const isNarrow = useNarrow()
  return (
    <nav className={css.nav} aria-label={t('main')}>
      {isNarrow ? (
        <>
          {pages.map((page) => page.onPhone && <NavLink key={page.name} page={page} />)}
          <More pages={pages.filter(({ onPhone }) => !onPhone)} />
        </>
      ) : (
        groups.map((group) => (
          <div key={group} className={css.group}>
            {group !== 'work' && <p>{t(group)}</p>}
            {pages.map((page) => page.group === group && <NavLink key={page.name} page={page} />)}
          </div>
        ))
      )}
    </nav>
  )
}

function NavLink({ page: { name, href, glyph, title } }: { readonly page: NavPage }) {
  const isAt = useIsAt()
  return (
    <Link href={href} aria-current={isAt(href) ? 'page' : undefined}>
      <Glyph name={glyph} />
      <span className={css.name}>{title}</span>
      <NavCount of={name} />
    </Link>
  )
}

function More({ pages }: { readonly pages: readonly NavPage[] }) {
  const t = useWords<Key>('shell')
  const id = useId()
  const isAt = useIsAt()
  return (
    <>
      <button
        type="button"
        popoverTarget={id}
        data-current={pages.some(({ href }) => isAt(href)) || undefined}
      >
        <Glyph name="more" />
        <span className={css.name}>{t('more')}</span>
      </button>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a link in it closes it, with a key as well. */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: as above. */}
      <div
        id={id}
        popover="auto"
        className={css.more}
        onClick={({ currentTarget }) => currentTarget.hidePopover()}
      >
        {pages.map((page) => (
          <NavLink key={page.name} page={page} />
        ))}
      </div>
    </>
  )
}

function useIsAt(): (href: string) => boolean {
  const [path] = useLocation()
  return (href) => {
    if (href === '/') return path === '/' || path.startsWith('/jobs')
    // Codes are a tab of the prices.
    return path.startsWith(href) || (href === '/prices' && path.startsWith('/codes'))
  }
}

const counted = {
  jobs: 'openJobs',
  work: 'work',
  deliveries: 'failingDeliveries',
  health: 'findings',
} as const

/** How many items of a page need attention. */
function NavCount({ of }: { readonly of: string }) {
  const t = useWords<Key>('shell')
  const writers = useWriters()
  const { data } = useCall('countOpen')
  useLive('countOpen')
  const name = counted[of as keyof typeof counted]
  const many = name && data?.[name]
  if (!name || !many) return null
  const written = writers.number(many) + (data?.atLeast.includes(name) ? '+' : '')
  return (
    <>
      <em className={of === 'jobs' || of === 'work' ? undefined : css.bad} aria-hidden="true">
        {written}
      </em>
      <span className="unseen">, {t(name, { count: written })}</span>
    </>
  )
}
