/** The frame of every dialog: the browser's own, which keeps the focus inside, closes by Esc and gives the focus back. */
import { type ReactNode, useEffect, useId, useRef } from 'react'
import { createPortal } from 'react-dom'
import type en from '../words/en/parts.json'
import { useWords } from '../words/words.ts'
import { GlyphButton } from './controls.tsx'
import css from './modal.module.css'

type ModalProps = {
  /** The heading; without one the dialog has a `label`. */
  readonly title?: string
  readonly label?: string
  readonly size?: 'wide' | 'palette'
  /** Without it the dialog stays until its question is answered. */
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
    // biome-ignore lint/a11y/useKeyWithClickEvents: Esc does what a click beside the dialog does.
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
        // Told late, when the page has taken the dialog away.
        if (!frame.current) return
        // A browser lets a page refuse Esc once: a dialog whose question is still open comes back.
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
