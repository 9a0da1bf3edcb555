/**
 * Chooses one language or several: type a name or a code, Enter adds it, Backspace removes the last
 * one. The site's own come first.
 */
import { languages } from '@dragoman/contract/wire'
import { type KeyboardEvent, useId, useMemo, useState } from 'react'
import { Glyph } from '../../look/glyphs.tsx'
import { useWriters } from '../../times.ts'
import type en from '../../words/en/new-job.json'
import { useWords } from '../../words/words.ts'
import { offer, search, type Use } from './language-order.ts'
import css from './new-job.module.css'

type LanguagesProps = {
  readonly label: string
  readonly chosen: readonly string[]
  readonly most: number
  /** Not offered: the source language among the targets. */
  readonly without?: readonly string[]
  readonly use: Use
  readonly onChange: (codes: readonly string[]) => void
}
const shownAtOnce = 50

export function Languages({ label, chosen, most, without = [], use, onChange }: LanguagesProps) {
  const t = useWords<keyof typeof en>('new-job')
  const writers = useWriters()
  const id = useId()
  const [text, setText] = useState('')
  const [isOpen, setOpen] = useState(false)
  const [at, setAt] = useState(0)
  const all = useMemo(() => offer(languages, use, writers.language), [use, writers])
  const found = search(
    all.filter(({ code }) => !chosen.includes(code) && !without.includes(code)),
    text,
  ).slice(0, shownAtOnce)
  const take = (code: string) => {
    onChange(most === 1 ? [code] : [...chosen, code].slice(0, most))
    setText('')
    setAt(0)
    setOpen(most > 1)
  }
  const onKey = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey) return
    const last = chosen.at(-1)
    if (event.key === 'ArrowDown') {
      setOpen(true)
      setAt(isOpen ? Math.min(found.length - 1, at + 1) : 0)
    } else if (event.key === 'ArrowUp') setAt(Math.max(0, at - 1))
    else if (event.key === 'Enter' && isOpen && found[at]) take(found[at].code)
    else if (event.key === 'Escape' && isOpen) setOpen(false)
    else if (event.key === 'Backspace' && !text && last) return onChange(chosen.slice(0, -1))
    else return
    event.preventDefault()
  }
  const hasRoom = most > 1 || chosen.length === 0
  return (
    <div className={css.field}>
      <label htmlFor={id}>{label}</label>
      <div className={css.tags}>
        {chosen.map((code) => (
          <span key={code} className={css.tag}>
            <bdi>{writers.language(code)}</bdi>
            <code dir="ltr">{code}</code>
            <button
              type="button"
              aria-label={t('removeLanguage', { name: writers.language(code) })}
              onClick={() => onChange(chosen.filter((one) => one !== code))}
            >
              <Glyph name="close" size={12} />
            </button>
          </span>
        ))}
        <input
          id={id}
          role="combobox"
          aria-expanded={isOpen}
          aria-controls={`${id}-list`}
          aria-activedescendant={isOpen && found[at] ? `${id}-${found[at].code}` : undefined}
          aria-autocomplete="list"
          autoComplete="off"
          value={text}
          placeholder={hasRoom ? t('searchLanguage') : t('changeLanguage')}
          onChange={(event) => {
            setText(event.target.value)
            setAt(0)
            setOpen(true)
          }}
          onFocus={() => setOpen(most > 1 || chosen.length === 0)}
          onClick={() => setOpen(true)}
          onBlur={() => setOpen(false)}
          onKeyDown={onKey}
        />
      </div>
      <div
        id={`${id}-list`}
        role="listbox"
        aria-label={label}
        className={css.options}
        hidden={!isOpen}
      >
        {isOpen &&
          found.map(({ code, name, plain }, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the field above handles the keys.
            <div
              key={code}
              id={`${id}-${code}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === at}
              ref={(element) => {
                if (index === at) element?.scrollIntoView({ block: 'nearest' })
              }}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => take(code)}
            >
              <bdi>{plain ?? name}</bdi>
              {plain && <bdi className="dim">{name}</bdi>}
              <code dir="ltr">{code}</code>
            </div>
          ))}
      </div>
    </div>
  )
}
