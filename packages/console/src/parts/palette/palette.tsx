/**
 * Ctrl K: any thing by its id or words of its name, with what of it matched, any page, any command
 * of the current page, pages of the documentation. Recently opened things come first while nothing
 * is typed.
 */
import type { FoundThing } from '@dragoman/contract/wire'
import { useDeferredValue, useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { allKeys } from '../../keys.ts'
import { Glyph } from '../../look/glyphs.tsx'
import { prefix } from '../../page-facts.ts'
import { useCall } from '../../queries.ts'
import type en from '../../words/en/palette.json'
import { useWords } from '../../words/words.ts'
import { Modal } from '../modal.tsx'
import { useDocPages } from './doc-pages.ts'
import css from './palette.module.css'
import { type Entry, entryOf, readRecent, remember, shownActs } from './palette-entries.ts'

type Page = Omit<Entry, 'group' | 'id'> & { readonly name: string; readonly href: string }
type Props = { readonly pages: readonly Page[]; readonly onClose: () => void }

/** Moving between rows is not a command. */
const notCommands = /^(g .|j|k|Ctrl K|Escape)$/
const order = ['found', 'recent', 'commands', 'pages', 'docPages'] as const

export function Palette({ pages, onClose }: Props) {
  const t = useWords<keyof typeof en>('palette')
  const [, go] = useLocation()
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const [isEntered, setEntered] = useState(false)
  const wanted = text.trim()
  const asked = useDeferredValue(wanted)
  const things = useCall('findThings', { query: { q: asked } }, { enabled: asked.length > 1 })
  // Registered by the page below, whose keys do not change while the palette is open.
  const [commands] = useState(() =>
    allKeys()
      .filter(({ keys }) => !notCommands.test(keys))
      .map(
        ({ keys, says, act }): Entry => ({
          group: 'commands',
          id: keys || says,
          glyph: 'play',
          title: says,
          ...(keys && { hint: keys }),
          act,
        }),
      ),
  )
  const [acts] = useState(() => shownActs(commands))
  const foundOf = (thing: FoundThing): Entry => ({
    ...entryOf('found', thing, t(thing.kind)),
    ...(thing.by !== 'name' && { why: t(`by.${thing.by}`, { text: thing.matched ?? '' }) }),
  })
  const docPages = useDocPages(asked)
  const docs: Entry = {
    group: 'pages',
    id: 'docs',
    glyph: 'file',
    title: t('docs'),
    act: () => location.assign(`${prefix}/docs`),
  }
  const fits = ({ title }: { readonly title: string }) =>
    title.toLowerCase().includes(wanted.toLowerCase())
  const all: readonly Entry[] = [
    ...(wanted.length > 1 ? (things.data?.things ?? []).map((thing) => foundOf(thing)) : []),
    ...(wanted === '' ? readRecent().map((thing) => entryOf('recent', thing, t(thing.kind))) : []),
    ...commands.filter(fits),
    ...acts.filter(fits),
    ...pages.map((page): Entry => ({ ...page, group: 'pages', id: page.name })).filter(fits),
    ...[docs].filter(fits),
    ...docPages,
  ]
  const found = order.flatMap((group) => all.filter((entry) => entry.group === group))
  const chosen = found[Math.min(at, found.length - 1)]
  const open = ({ href, act, thing }: Entry) => {
    onClose()
    if (thing) remember(thing)
    if (href) go(href)
    act?.()
  }
  const isLooking = wanted.length > 1 && (things.isFetching || asked !== wanted)
  // Enter may come before the results: it then opens the first one found.
  useEffect(() => {
    if (!isEntered || isLooking) return
    setEntered(false)
    if (chosen) open(chosen)
  })
  return (
    <Modal label={t('find')} size="palette" onClose={onClose}>
      <input
        className={css.input}
        // biome-ignore lint/a11y/noAutofocus: a person who presses Ctrl K wants to type.
        autoFocus
        data-autofocus
        role="combobox"
        aria-expanded="true"
        aria-controls="palette"
        aria-activedescendant={chosen && optionId(chosen)}
        aria-label={t('find')}
        placeholder={t('find')}
        spellCheck={false}
        autoComplete="off"
        value={text}
        onChange={(event) => {
          setText(event.target.value)
          setAt(0)
          setEntered(false)
        }}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing) return
          if (event.key === 'ArrowDown') setAt((at + 1) % Math.max(1, found.length))
          else if (event.key === 'ArrowUp')
            setAt((at - 1 + found.length) % Math.max(1, found.length))
          else if (event.key === 'Enter') setEntered(true)
          else return
          event.preventDefault()
        }}
      />
      <div id="palette" role="listbox" aria-label={t('find')} className={css.list}>
        {order.map((group) => (
          <Group
            key={group}
            title={t(group)}
            entries={found.filter((entry) => entry.group === group)}
            {...{ chosen, open }}
          />
        ))}
      </div>
      {found.length === 0 && (
        <p className={css.nothing}>
          {things.error ? (
            t('failed')
          ) : isLooking ? (
            t('looking')
          ) : (
            <bdi>{t('nothing', { text: wanted })}</bdi>
          )}
        </p>
      )}
      <span className="unseen" role="status">
        {wanted !== '' && !isLooking && t('count', { count: found.length })}
      </span>
      <p className={css.foot} aria-hidden="true">
        <kbd>↑</kbd> <kbd>↓</kbd> {t('toMove')} <kbd>Enter</kbd> {t('toOpen')} <kbd>Esc</kbd>{' '}
        {t('toClose')}
      </p>
    </Modal>
  )
}

const optionId = ({ group, id }: Entry): string => `palette-${group}-${id.replace(/[^\w-]/g, '_')}`

type GroupProps = {
  readonly title: string
  readonly entries: readonly Entry[]
  readonly chosen: Entry | undefined
  readonly open: (entry: Entry) => void
}

function Group({ title, entries, chosen, open }: GroupProps) {
  if (entries.length === 0) return null
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is not allowed in a list of options.
    <div role="group" aria-label={title}>
      <p className={css.group} aria-hidden="true">
        {title}
      </p>
      {entries.map((entry) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the field above handles the keys.
        <div
          key={entry.id}
          id={optionId(entry)}
          role="option"
          tabIndex={-1}
          aria-selected={entry === chosen}
          ref={
            entry === chosen ? (option) => option?.scrollIntoView({ block: 'nearest' }) : undefined
          }
          onClick={() => open(entry)}
        >
          <Glyph name={entry.glyph} />
          <bdi className={`${css.title} clip`}>{entry.title}</bdi>
          {entry.why && <bdi className={`${css.kind} clip`}>{entry.why}</bdi>}
          {entry.kind && (
            <span className={css.kind} dir="auto">
              {entry.kind}
            </span>
          )}
          {entry.hint && <span className={css.hint}>{entry.hint}</span>}
        </div>
      ))}
    </div>
  )
}
