/**
 * The frame of every dialog: the browser's own element, which keeps the focus inside, closes on Esc
 * and returns the focus.
 */
import { type ReactNode, useEffect, useId, useRef } from 'react'
import { createPortal } from 'react-dom'
import type en from '../words/en/parts.json'
import { useWords } from '../words/words.ts'
import { GlyphButton } from './controls.tsx'
import css from './modal.module.css'

type ModalProps = {
  /** The heading; a dialog without one has a `label`. */
  readonly title?: string
  readonly label?: string
  readonly size?: 'wide' | 'palette'
  /** Without it, the dialog stays open until its question is answered. */
  readonly onClose?: () => void
  readonly children: ReactNode
}

export function Modal({ title, label, size, onClose, children }: ModalProps) {
  const t = useWords<keyof typeof en>('parts')
  const frame = useRef<HTMLDialogElement | null>(null)
  const headingId = useId()
  useEffect(() => {
    const dialog = frame.current
    dialog?.showModal()
    dialog?.querySelector<HTMLElement>('[data-autofocus]')?.focus()
    return () => {
      frame.current = null
      dialog?.close()
    }
  }, [])
  return createPortal(
    // biome-ignore lint/a11y/useKeyWithClickEvents: Esc does the same as a click outside the dialog.
    <dialog
      ref={frame}
      className={size ? `${css.modal} ${css[size]}` : css.modal}
      aria-label={label}
      aria-labelledby={title && headingId}
      onCancel={(event) => {
        event.preventDefault()
        onClose?.()
      }}
      onClose={() => {
        // The event may arrive after the page has removed the dialog.
        if (!frame.current) return
        // Browsers let a page refuse Esc only once: a dialog whose question is still open is shown
        // again.
        onClose?.()
        setTimeout(() => frame.current && !frame.current.open && frame.current.showModal())
      }}
      onClick={(event) => {
        if (event.target === frame.current) onClose?.()
      }}
    >
      <div className={css.inside}>
        {title && (
          <header className={css.head}>
            <h2 id={headingId}>{title}</h2>
            {onClose && <GlyphButton glyph="close" label={t('close')} onClick={onClose} />}
          </header>
        )}
        {children}
      </div>
    </dialog>,
    document.body,
  )
}
