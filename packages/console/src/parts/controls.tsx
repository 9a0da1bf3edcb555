/**
 * Buttons, links that look like buttons, chips and copy. Plain elements: fast in long lists, and no
 * styles of a library to load.
 */
import { type ButtonHTMLAttributes, type ReactNode, useState } from 'react'
import { Link } from 'wouter'
import { Glyph, type GlyphName } from '../look/glyphs.tsx'
import type en from '../words/en/parts.json'
import { useWords } from '../words/words.ts'
import css from './controls.module.css'

type ButtonProps = ButtonHTMLAttributes<HTMLButtonElement> & {
  /** `main` once per page; `quiet` without a border; `danger` for what cannot be undone. */
  readonly kind?: 'main' | 'plain' | 'quiet' | 'danger'
  readonly small?: boolean
  readonly glyph?: GlyphName
  /** Why it is disabled. It stays in the tab order, so that everyone can read the reason. */
  readonly refusal?: string | undefined
  readonly busy?: boolean
}

export function Button({
  kind = 'plain',
  small,
  glyph,
  refusal,
  busy,
  children,
  onClick,
  className,
  ...rest
}: ButtonProps) {
  const off = refusal !== undefined || busy
  return (
    <button
      type="button"
      {...rest}
      className={[css.button, css[kind], small && css.small, className].filter(Boolean).join(' ')}
      aria-disabled={off || undefined}
      title={refusal ?? rest.title}
      onClick={off ? (event) => event.preventDefault() : onClick}
    >
      {glyph && <Glyph name={glyph} size={small ? 14 : 16} />}
      {children}
      {refusal && <span className="unseen">: {refusal}</span>}
    </button>
  )
}

/** A button with only a glyph; `label` is its accessible name. */
export function GlyphButton({
  glyph,
  label,
  ...rest
}: Omit<ButtonProps, 'children'> & { readonly glyph: GlyphName; readonly label: string }) {
  return (
    <Button
      kind="quiet"
      small
      {...rest}
      glyph={glyph}
      aria-label={label}
      title={rest.title ?? label}
    />
  )
}

export function ButtonLink({
  href,
  kind = 'plain',
  small,
  glyph,
  children,
}: {
  readonly href: string
  readonly kind?: 'main' | 'plain' | 'quiet'
  readonly small?: boolean
  readonly glyph?: GlyphName
  readonly children: ReactNode
}) {
  return (
    <Link
      href={href}
      className={[css.button, css[kind], small && css.small].filter(Boolean).join(' ')}
    >
      {glyph && <Glyph name={glyph} size={small ? 14 : 16} />}
      {children}
    </Link>
  )
}

/** One of several filters; pressed or not. */
export function Chip({
  pressed,
  onPress,
  children,
}: {
  readonly pressed: boolean
  readonly onPress: () => void
  readonly children: ReactNode
}) {
  return (
    <button type="button" className={css.chip} aria-pressed={pressed} onClick={onPress}>
      {children}
    </button>
  )
}

export function Chips({
  label,
  children,
}: {
  readonly label: string
  readonly children: ReactNode
}) {
  return (
    <fieldset className={css.chips} aria-label={label}>
      {children}
    </fieldset>
  )
}

/** Copies the text to the clipboard and says so. */
export function Copy({
  text,
  label,
  small = true,
  children,
}: {
  readonly text: string
  /** What is copied, for a button without text. */
  readonly label: string
  readonly small?: boolean
  readonly children?: ReactNode
}) {
  const t = useWords<keyof typeof en>('parts')
  const [done, setDone] = useState(false)
  const copy = async () => {
    await navigator.clipboard.writeText(text)
    setDone(true)
    setTimeout(() => setDone(false), 1_500)
  }
  return (
    <>
      <Button
        kind="quiet"
        small={small}
        glyph={done ? 'tick' : 'copy'}
        title={label}
        aria-label={children ? undefined : label}
        onClick={() => void copy()}
      >
        {children}
      </Button>
      <span className="unseen" role="status">
        {done ? t('copied') : ''}
      </span>
    </>
  )
}
