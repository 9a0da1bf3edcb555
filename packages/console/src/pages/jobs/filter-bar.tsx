/**
 * Edits the filter: chips for the common ones, and a field for plain words or the contract's filter
 * language, which it completes. The filter sent to the hub is shown below; if the hub refuses it,
 * the reason is shown at the field.
 */
import { isJobFilter } from '@dragoman/contract/wire'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useKeys } from '../../keys.ts'
import { Glyph } from '../../look/glyphs.tsx'
import { Button, Chip, Chips, Copy } from '../../parts/controls.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Menu } from '../../parts/menu.tsx'
import { useProviders } from '../../parts/provider-names.ts'
import { useCall } from '../../queries.ts'
import type { Search } from '../../search.ts'
import { useSession } from '../../session.tsx'
import type en from '../../words/en/jobs.json'
import { useWords } from '../../words/words.ts'
import { completionsOf } from './completions.ts'
import { type Chosen, type Mark, queryOf, toggled, views } from './filters.ts'
import css from './jobs.module.css'
import { isSame, useSaved } from './saved.ts'

type BarProps = {
  readonly chosen: Chosen
  readonly change: (some: Search) => void
  readonly filter: string
}
const chips: readonly Mark[] = ['late', 'errors', 'mine']

export function FilterBar({ chosen, change, filter }: BarProps) {
  const t = useWords<keyof typeof en>('jobs')
  return (
    <div className={css.bar}>
      <div className={css.line}>
        <FilterField text={chosen.text} onText={(text) => change({ filter: text })} />
        <Chips label={t('filters')}>
          {views.map((view) => (
            <Chip
              key={view}
              pressed={chosen.view === view}
              onPress={() => change({ view: view === 'open' ? undefined : view, order: undefined })}
            >
              {t(`view.${view}`)}
            </Chip>
          ))}
          <span className={css.between} />
          {chips.map((mark) => (
            <Chip
              key={mark}
              pressed={chosen.is.includes(mark)}
              onPress={() => change({ is: toggled(chosen.is, mark) })}
            >
              {t(`chip.${mark}` as 'chip.late')}
            </Chip>
          ))}
        </Chips>
        <SavedFilters chosen={chosen} change={change} />
      </div>
      {filter && (
        <p className={css.sent}>
          <span>{t('sent')}</span>
          <code dir="ltr" title={filter}>
            {filter}
          </code>
          <Copy text={filter} label={t('copyFilter')} />
        </p>
      )}
    </div>
  )
}

/**
 * The hub checks only what was typed, so that its error position matches; the field keeps the text
 * until Enter.
 */
function FilterField({
  text,
  onText,
}: {
  readonly text: string
  readonly onText: (text: string) => void
}) {
  const t = useWords<keyof typeof en>('jobs')
  const field = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState(text)
  const { all: providers } = useProviders()
  useEffect(() => setTyped(text), [text])
  const judged = useCall(
    'listJobs',
    { query: { filter: text, pageSize: 1 } },
    { enabled: isJobFilter(text), keepOld: false },
  )
  const fault = judged.error?.code === 'INVALID_FILTER' ? judged.error.message : undefined
  useKeys([{ keys: '/', says: t('toFilter'), act: () => field.current?.focus() }])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onText(typed.trim())
  }
  return (
    <form className={css.filter} onSubmit={submit} aria-label={t('filter')}>
      <Glyph name="filter" size={14} />
      <input
        ref={field}
        dir={isJobFilter(typed) ? 'ltr' : 'auto'}
        list="filter-completions"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        onBlur={() => typed.trim() !== text && onText(typed.trim())}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return
          if (text) onText('')
          field.current?.blur()
        }}
        placeholder={t('placeholder')}
        aria-label={t('filter')}
        aria-invalid={fault !== undefined}
        aria-describedby={fault && 'filter-fault'}
        spellCheck={false}
        autoComplete="off"
      />
      <datalist id="filter-completions">
        {completionsOf(typed, providers).map((one) => (
          <option key={one.text} value={one.text} label={one.label} />
        ))}
      </datalist>
      <kbd>/</kbd>
      {fault && (
        <p id="filter-fault" role="alert" className={css.fault}>
          <Glyph name="error" size={14} />
          <bdi>{fault}</bdi>
        </p>
      )}
    </form>
  )
}

function SavedFilters({ chosen, change }: Omit<BarProps, 'filter'>) {
  const t = useWords<keyof typeof en>('jobs')
  const { person } = useSession()
  const { saved, save, remove } = useSaved(person.personId)
  const [name, setName] = useState<string>()
  const query = queryOf(chosen)
  const current = saved.find((one) => isSame(one.query, query))
  const empty = {
    view: undefined,
    is: undefined,
    filter: undefined,
    order: undefined,
    as: undefined,
  }
  return (
    <>
      <Menu
        label={t('saved')}
        glyph="down"
        kind="plain"
        note={t('savedNote')}
        items={[
          ...saved.map((one) => ({
            name: `saved:${one.name}`,
            title: <bdi>{one.name}</bdi>,
            glyph: one === current ? ('tick' as const) : ('filter' as const),
            act: () => change({ ...empty, ...one.query }),
          })),
          { name: 'save', title: t('save'), glyph: 'add' as const, act: () => setName('') },
          ...(current
            ? [
                {
                  name: 'remove',
                  title: t('removeSaved', { name: current.name }),
                  glyph: 'bin' as const,
                  act: () => remove(current.name),
                },
              ]
            : []),
        ]}
      >
        {current ? <bdi>{current.name}</bdi> : t('saved')}
      </Menu>
      {!isSame(query, {}) && (
        <Button small kind="quiet" glyph="close" onClick={() => change(empty)}>
          {t('clear')}
        </Button>
      )}
      {name !== undefined && (
        <Dialog
          title={t('save')}
          act={t('saveAct')}
          refusal={name.trim() ? undefined : t('nameNeeded')}
          onClose={() => setName(undefined)}
          onAct={() => {
            save(name.trim(), query)
            setName(undefined)
          }}
        >
          <label className={css.name}>
            <span>{t('savedName')}</span>
            <input
              data-autofocus
              maxLength={60}
              value={name}
              onChange={(event) => setName(event.target.value)}
            />
          </label>
          <p className="meta dim">{t('savedNote')}</p>
        </Dialog>
      )}
    </>
  )
}
