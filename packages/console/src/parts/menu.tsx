/**
 * A button that opens a list of actions. The list is above everything, so that no scrolling frame
 * cuts it off. Arrow keys move, Esc closes.
 */
import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { Glyph, type GlyphName } from '../look/glyphs.tsx'
import { Button } from './controls.tsx'
import css from './menu.module.css'

type MenuItem = {
  readonly name: string
  readonly title: ReactNode
  readonly act: () => void
  readonly glyph?: GlyphName
  /** Why it is disabled. */
  readonly refusal?: string | undefined
}

type MenuProps = {
  /** The name of the button; visually hidden if there are no children. */
  readonly label: string
  readonly items: readonly MenuItem[]
  /** A remark below the items. */
  readonly note?: string
  readonly glyph?: GlyphName
  readonly kind?: 'plain' | 'quiet'
  readonly children?: ReactNode
}

export function Menu({ label, items, note, glyph = 'more', kind = 'quiet', children }: MenuProps) {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLSpanElement>(null)
  const [isOpen, setOpen] = useState(false)
  const toggle = () => {
    const frame = list.current
    if (!frame) return
    if (isOpen) return frame.hidePopover()
    flushSync(() => setOpen(true))
    frame.showPopover()
    place(frame, button.current as HTMLElement)
    frame.querySelector<HTMLElement>('[role=menuitem]')?.focus()
  }
  const close = () => {
    list.current?.hidePopover()
    button.current?.querySelector('button')?.focus()
  }
  const onKey = (event: KeyboardEvent) => {
    const all = [...(list.current?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])]
    const at = all.indexOf(document.activeElement as HTMLElement)
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: all.length - 1 }[event.key]
    if (to !== undefined) all.at(to % all.length)?.focus()
    else if (event.key === 'Escape' || event.key === 'Tab') close()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <span ref={button}>
      <Button
        small
        kind={kind}
        glyph={glyph}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={id}
        aria-label={children ? undefined : label}
        title={label}
        onClick={toggle}
      >
        {children}
      </Button>
      <div
        id={id}
        ref={list}
        popover="auto"
        role="menu"
        tabIndex={-1}
        aria-label={label}
        className={css.menu}
        onToggle={(event) => setOpen((event.nativeEvent as ToggleEvent).newState === 'open')}
        onKeyDown={onKey}
      >
        {isOpen &&
          items.map(({ name, title, act, glyph: own, refusal }) => (
            <button
              key={name}
              type="button"
              role="menuitem"
              className={css.item}
              tabIndex={-1}
              aria-disabled={refusal !== undefined || undefined}
              title={refusal}
              onClick={() => {
                if (refusal !== undefined) return
                close()
                act()
              }}
            >
              {own && <Glyph name={own} size={14} />}
              <span>
                {title}
                {refusal && <span className={css.refusal}>{refusal}</span>}
              </span>
            </button>
          ))}
        {note && <p className={css.note}>{note}</p>}
      </div>
    </span>
  )
}

/** Below the button, or above it if there is no room. */
function place(frame: HTMLElement, button: HTMLElement): void {
  const at = button.getBoundingClientRect()
  const { offsetHeight: high, offsetWidth: wide } = frame
  const isRtl = getComputedStyle(button).direction === 'rtl'
  const begin = isRtl ? innerWidth - at.right : at.left
  frame.style.insetBlockStart = `${at.bottom + high + 8 > innerHeight ? Math.max(8, at.top - high - 4) : at.bottom + 4}px`
  frame.style.insetInlineStart = `${Math.max(8, Math.min(begin, innerWidth - wide - 8))}px`
}
