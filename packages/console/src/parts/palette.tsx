/** Ctrl K: go to a page, or to a thing by its id. */
import { Modal } from '@mantine/core'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { Glyph, type GlyphName } from '../look/glyphs.tsx'
import type en from '../words/en/shell.json'
import { useWords } from '../words/words.ts'
import css from './palette.module.css'

type Entry = { readonly name: string; readonly href: string; readonly glyph: GlyphName; readonly title: string }

export function Palette({ pages, onClose }: { readonly pages: readonly Entry[]; readonly onClose: () => void }) {
  const t = useWords<keyof typeof en>('shell')
  const [, go] = useLocation()
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const found = pages.filter(({ title }) => title.toLowerCase().includes(text.trim().toLowerCase()))
  const open = (href: string) => {
    onClose()
    go(href)
  }
  return (
    <Modal opened onClose={onClose} withCloseButton={false} size="lg" padding={0} aria-label={t('find')}>
      <input
        className={css.input}
        // biome-ignore lint/a11y/noAutofocus: a person who presses Ctrl K wants to type.
        autoFocus
        role="combobox"
        aria-expanded="true"
        aria-controls="palette"
        aria-activedescendant={found[at] && `palette-${found[at].name}`}
        aria-label={t('find')}
        placeholder={t('find')}
        value={text}
        onChange={(event) => {
          setText(event.target.value)
          setAt(0)
        }}
        onKeyDown={(event) => {
          if (event.key === 'ArrowDown') setAt(Math.min(found.length - 1, at + 1))
          else if (event.key === 'ArrowUp') setAt(Math.max(0, at - 1))
          else if (event.key === 'Enter' && found[at]) open(found[at].href)
          else return
          event.preventDefault()
        }}
      />
      <div id="palette" role="listbox" aria-label={t('find')} className={css.list}>
        {found.map(({ name, href, glyph, title }, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field above takes the keys.
          <div
            key={name}
            id={`palette-${name}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === at}
            onClick={() => open(href)}
          >
            <Glyph name={glyph} />
            {title}
          </div>
        ))}
      </div>
    </Modal>
  )
}
