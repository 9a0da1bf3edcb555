/**
 * The layout of a page: title, facts, actions; tabs; the content; and, beside it, the inspector of
 * the selected thing.
 */
import { type ReactNode, useEffect, useRef } from 'react'
import { Link } from 'wouter'
import { useKeys } from '../keys.ts'
import type en from '../words/en/parts.json'
import { useWords } from '../words/words.ts'
import { GlyphButton } from './controls.tsx'
import { useLeftView } from './left/use-left-view.ts'
import css from './page.module.css'

type PageProps = {
  readonly title: ReactNode
  /** The title of the browser tab, if `title` is not plain text. */
  readonly tabTitle?: string
  /**
   * The breadcrumb: `{ href, text }` of the parent page, and what this page belongs to if that is
   * not its title.
   */
  readonly above?: {
    readonly href: string
    readonly text: string
    readonly of?: { readonly href: string; readonly text: string } | undefined
  }
  /** Pills beside the title. */
  readonly beside?: ReactNode
  readonly acts?: ReactNode
  /** Below the title: facts, the state bar, tabs. */
  readonly head?: ReactNode
  readonly inspector?: ReactNode
  /**
   * The content scrolls by itself, like a grid. On a small screen the page scrolls too, unless it
   * fills the `screen`.
   */
  readonly fills?: boolean | 'screen'
  readonly children: ReactNode
}

export function Page({
  title,
  tabTitle,
  above,
  beside,
  acts,
  head,
  inspector,
  fills,
  children,
}: PageProps) {
  const name = tabTitle ?? (typeof title === 'string' ? title : '')
  useEffect(() => {
    document.title = name ? `${name} · Dragoman` : 'Dragoman'
  }, [name])
  const frame = useRef<HTMLDivElement>(null)
  const content = useRef<HTMLDivElement>(null)
  useLeftView('page', frame)
  useLeftView('content', content)
  return (
    <div className={fills === 'screen' ? `${css.page} ${css.screen}` : css.page} ref={frame}>
      <header className={css.header}>
        {above && (
          <p className="meta dim">
            <Link href={above.href}>{above.text}</Link> /{' '}
            <bdi>{above.of ? <Link href={above.of.href}>{above.of.text}</Link> : name}</bdi>
          </p>
        )}
        <div className={css.titles}>
          <h1>{typeof title === 'string' ? <bdi>{title}</bdi> : title}</h1>
          {beside}
          {acts && (
            <div className={css.acts} data-acts>
              {acts}
            </div>
          )}
        </div>
        {head}
      </header>
      <div className={css.columns}>
        <div className={fills ? `${css.content} ${css.fills}` : css.content} ref={content}>
          {children}
        </div>
        {inspector}
      </div>
    </div>
  )
}

/**
 * The selected thing, to the right of the list; on a narrow screen a sheet over it. Esc closes it.
 */
export function Inspector({
  label,
  title,
  acts,
  onClose,
  wide,
  children,
}: {
  readonly label: string
  readonly title: ReactNode
  readonly acts?: ReactNode
  readonly onClose: () => void
  /** Two texts fit side by side. */
  readonly wide?: boolean
  readonly children: ReactNode
}) {
  const t = useWords<keyof typeof en>('parts')
  const frame = useRef<HTMLElement>(null)
  useKeys([{ keys: 'Escape', says: t('closeInspector'), act: onClose }])
  return (
    <aside
      className={wide ? `${css.inspector} ${css.wide}` : css.inspector}
      aria-label={label}
      ref={frame}
    >
      <div className={css.inspectorHead}>
        <h2 className={css.inspectorTitle}>{title}</h2>
        <div className={css.acts} data-acts>
          {acts}
          <GlyphButton glyph="close" data-close label={t('closeInspector')} onClick={onClose} />
        </div>
      </div>
      {children}
    </aside>
  )
}

/** A bordered part of an inspector or a page. */
export function Panel({
  title,
  beside,
  tone,
  children,
}: {
  readonly title?: ReactNode
  readonly beside?: ReactNode
  readonly tone?: 'bad' | 'warn' | 'good'
  readonly children: ReactNode
}) {
  return (
    <section className={tone ? `${css.panel} ${css[tone]}` : css.panel}>
      {title && (
        <div className={css.panelHead}>
          <h3>{title}</h3>
          {beside}
        </div>
      )}
      {children}
    </section>
  )
}

type Fact = { readonly name: string; readonly value: ReactNode }

/** Short facts in a row: the name above, the value below. */
export function Facts({ facts }: { readonly facts: readonly (Fact | false | undefined)[] }) {
  return (
    <dl className={css.facts}>
      {facts.flatMap((fact) =>
        fact ? (
          <div key={fact.name} className={css.fact}>
            <dt>{fact.name}</dt>
            <dd>{fact.value}</dd>
          </div>
        ) : (
          []
        ),
      )}
    </dl>
  )
}

export type Tab = {
  readonly name: string
  readonly href: string
  readonly title: string
  readonly count?: ReactNode
  readonly isBad?: boolean
}

/** Tabs with a URL each. */
export function Tabs({
  label,
  tabs,
  at,
}: {
  readonly label: string
  readonly tabs: readonly Tab[]
  readonly at: string
}) {
  return (
    <nav className={css.tabs} aria-label={label}>
      {tabs.map(({ name, href, title, count, isBad }) => (
        <Link key={name} href={href} aria-current={name === at ? 'page' : undefined}>
          {title}
          {count !== undefined && <em className={isBad ? css.badCount : undefined}>{count}</em>}
        </Link>
      ))}
    </nav>
  )
}

/** Preformatted text: bodies, headers, commands. It can be focused, because it scrolls. */
export function Code({ text, label }: { readonly text: string; readonly label: string }) {
  return (
    <section aria-label={label}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard. */}
      <pre className={css.code} tabIndex={0} dir="ltr">
        {text}
      </pre>
    </section>
  )
}
