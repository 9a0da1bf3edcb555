/** The layout of a page before sign-in: the name of the hub, and one card in the middle. */
import { type ReactNode, useEffect } from 'react'
import css from './front.module.css'

export function Front({
  title,
  children,
}: {
  readonly title: string
  readonly children: ReactNode
}) {
  useEffect(() => {
    document.title = `${title} · Dragoman`
  }, [title])
  return (
    <main className={css.front}>
      <div className={css.card}>
        <p className={css.brand}>
          <span className={css.mark} />
          <span>Dragoman</span>
        </p>
        <h1>{title}</h1>
        {children}
      </div>
    </main>
  )
}

/** A notice to read before continuing. */
export function Notice({
  tone,
  children,
}: {
  readonly tone: 'bad' | 'warn' | 'plain'
  readonly children: ReactNode
}) {
  return <div className={`${css.notice} ${css[tone]}`}>{children}</div>
}
