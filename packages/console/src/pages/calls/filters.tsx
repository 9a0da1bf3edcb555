/**
 * The filters of the call log. They are kept in the URL; a field updates it on Enter or when it
 * loses the focus.
 */
import { errorCodes, type LoggedCall } from '@dragoman/contract/wire'
import { useEffect, useRef, useState } from 'react'
import { useKeys } from '../../keys.ts'
import { Button } from '../../parts/controls.tsx'
import type { UrlFilter } from '../../parts/list/url-filter.ts'
import type { Search } from '../../search.ts'
import type en from '../../words/en/calls.json'
import { useWords } from '../../words/words.ts'
import { localOf, timeOf, zone } from '../../zone.ts'
import css from './calls.module.css'
import type { CallsFilter } from './tail.ts'

export const filterNames = ['status', 'code', 'client', 'route', 'job', 'since', 'until'] as const
type FilterName = (typeof filterNames)[number]
const widths: Readonly<Record<string, string | undefined>> = {
  route: css.route,
  since: css.since,
  until: css.until,
}
const classes = ['failed', '4xx', '5xx'] as const

/** The query of the call for the filters in the URL. */
export function filterOf({
  status,
  code,
  client,
  route,
  job,
  since,
  until,
  console: own,
}: Search): CallsFilter {
  const isClass = (classes as readonly (string | undefined)[]).includes(status)
  return {
    ...(status &&
      (isClass
        ? { statusClass: status as (typeof classes)[number] }
        : { statusCode: status as never })),
    ...(code && { code }),
    ...(client && { client }),
    ...(route && { route }),
    ...(job && { jobId: job }),
    ...(since && { since }),
    ...(until && { until }),
    // Whoever filters by them asks for them.
    ...(!(own || client === 'console' || route?.startsWith('/console/')) && {
      without: 'console' as const,
    }),
  }
}

export function Filters({
  filter: { search, change, isSet, clear },
  calls,
}: {
  readonly filter: UrlFilter
  readonly calls: readonly LoggedCall[]
}) {
  const t = useWords<keyof typeof en>('calls')
  const first = useRef<HTMLInputElement>(null)
  const [isOpen, setOpen] = useState(false)
  useKeys([
    {
      keys: '/',
      says: t('filter'),
      act: () => {
        setOpen(true)
        requestAnimationFrame(() => first.current?.focus())
      },
    },
  ])
  const seen = (of: (call: LoggedCall) => string | undefined) =>
    [...new Set(calls.map(of))].filter((one) => one !== undefined).slice(0, 50)
  const offers: Readonly<Partial<Record<FilterName, readonly string[]>>> = {
    status: [...classes, '400', '401', '403', '404', '409', '429'],
    code: errorCodes,
    client: seen(({ clientId }) => clientId),
    route: seen(({ route }) => (route === '*' ? undefined : route)),
  }
  const given = filterNames.filter((name) => search[name])
  return (
    <search className={css.filters} data-open={isOpen} aria-label={t('filter')}>
      <div className={css.toggle}>
        <Button small glyph="filter" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {given.length > 0 ? t('filtersOn', { count: given.length }) : t('filter')}
        </Button>
      </div>
      <div className={css.fields}>
        {filterNames.map((name) => (
          <Field
            key={name}
            name={name}
            title={isTime(name) ? t(`filter.${name}`, { zone: zone() }) : t(`filter.${name}`)}
            value={search[name] ?? ''}
            offers={offers[name]}
            onChange={(value) => change({ [name]: value })}
            {...(name === 'status' && { inputRef: first })}
          />
        ))}
        {isSet && (
          <Button small kind="quiet" glyph="close" onClick={clear}>
            {t('clear')}
          </Button>
        )}
      </div>
    </search>
  )
}

const isTime = (name: FilterName): name is 'since' | 'until' => name === 'since' || name === 'until'

function Field({
  name,
  title,
  value,
  offers,
  onChange,
  inputRef,
}: {
  readonly name: FilterName
  readonly title: string
  readonly value: string
  readonly offers: readonly string[] | undefined
  readonly onChange: (value: string) => void
  readonly inputRef?: React.Ref<HTMLInputElement>
}) {
  const shown = isTime(name) && !Number.isNaN(Date.parse(value)) ? localOf(value) : value
  const [text, setText] = useState(shown)
  useEffect(() => setText(shown), [shown])
  const commit = () => {
    if (text !== shown) onChange(isTime(name) && text ? timeOf(text) : text.trim())
  }
  return (
    <label className={`${css.field} ${widths[name] ?? ''}`}>
      <span className="clip" title={title}>
        {title}
      </span>
      <input
        ref={inputRef}
        type={isTime(name) ? 'datetime-local' : 'text'}
        value={text}
        spellCheck={false}
        autoComplete="off"
        dir="ltr"
        {...(offers && { list: `offers-${name}` })}
        onChange={(event) => setText(event.target.value)}
        onBlur={commit}
        onKeyDown={(event) => {
          if (event.key === 'Enter') commit()
          if (event.key === 'Escape') event.currentTarget.blur()
        }}
      />
      {offers && (
        <datalist id={`offers-${name}`}>
          {offers.map((one) => (
            <option key={one} value={one} />
          ))}
        </datalist>
      )}
    </label>
  )
}
