/** The filter as form fields; their values are kept in the URL. */
import { hubNow } from '../../clock.ts'
import { Chip, Chips, GlyphButton } from '../../parts/controls.tsx'
import { useDeliveryWords } from '../../parts/deliveries/delivery-words.ts'
import type { UrlFilter } from '../../parts/list/url-filter.ts'
import type { SeenListener } from '../../parts/seen-listeners.ts'
import type { Search } from '../../search.ts'
import { localOf, timeOf, zone } from '../../zone.ts'
import css from './deliveries.module.css'
import { useDeliveriesWords } from './words.ts'

type FilterBarProps = {
  readonly filter: UrlFilter
  readonly listeners: readonly SeenListener[]
}

export function FilterBar({ filter, listeners }: FilterBarProps) {
  const { search, change: onChange, isSet, clear } = filter
  const t = useDeliveriesWords()
  const d = useDeliveryWords()
  const { state = '', listener = '', code = '', error, job = '', since, until } = search
  const states = [
    ['', t('anyState')],
    ['PENDING', t('statePending')],
    ['DELIVERED', d('state.delivered')],
    ['PARKED', d('state.parked')],
  ] as const
  return (
    <search className={css.filter}>
      <Chips label={t('state')}>
        {states.map(([value, word]) => (
          <Chip key={value} pressed={state === value} onPress={() => onChange({ state: value })}>
            {word}
          </Chip>
        ))}
      </Chips>
      <label className={css.field}>
        <span className="unseen">{t('listener')}</span>
        <select value={listener} onChange={(event) => onChange({ listener: event.target.value })}>
          <option value="">{t('anyListener')}</option>
          {listeners.map(({ listenerId, host, side, clientId }) => (
            <option key={listenerId} value={listenerId}>
              {`${host} (${clientId ?? t(side)})`}
            </option>
          ))}
        </select>
      </label>
      <Text
        name={t('responseCode')}
        value={code}
        width={css.short}
        digits
        onSet={(text) => onChange({ code: text })}
      />
      <Text
        name={t('job')}
        id="delivery-job"
        value={job}
        width={css.id}
        onSet={(text) => onChange({ job: text })}
      />
      <Period since={since} until={until} onChange={onChange} />
      {error && (
        <span className={css.error}>
          <bdi>{error}</bdi>
          <GlyphButton
            glyph="close"
            label={t('clearError')}
            onClick={() => onChange({ error: '' })}
          />
        </span>
      )}
      {isSet && (
        <button type="button" className={css.clear} onClick={clear}>
          {t('clearFilter')}
        </button>
      )}
    </search>
  )
}

type FieldProps = { readonly name: string; readonly onSet: (text: string) => void }

/** Takes effect on Enter, or when it loses the focus. */
function Text({
  name,
  id,
  value,
  width,
  digits,
  onSet,
}: FieldProps & {
  readonly id?: string
  readonly value: string
  readonly width: string | undefined
  readonly digits?: true
}) {
  return (
    <label className={css.field}>
      <span className="unseen">{name}</span>
      <input
        key={value}
        id={id}
        className={width}
        defaultValue={value}
        placeholder={name}
        spellCheck={false}
        autoComplete="off"
        {...(digits && { inputMode: 'numeric' as const, pattern: '[1-9][0-9][0-9]', maxLength: 3 })}
        onBlur={(event) => event.target.value !== value && onSet(event.target.value.trim())}
        onKeyDown={(event) => event.key === 'Enter' && onSet(event.currentTarget.value.trim())}
      />
    </label>
  )
}

const hourMs = 3_600_000
const periods = { hour: hourMs, day: 24 * hourMs, week: 168 * hourMs } as const

type PeriodProps = Pick<Search, 'since' | 'until'> & { readonly onChange: (change: Search) => void }

/** Presets by name; "between" shows two times. */
function Period({ since, until, onChange }: PeriodProps) {
  const t = useDeliveriesWords()
  const isSet = Boolean(since || until)
  const choose = (name: string) => {
    const back = name === 'between' ? periods.day : periods[name as keyof typeof periods]
    onChange({ since: back ? new Date(hubNow() - back).toISOString() : '', until: '' })
  }
  return (
    <>
      <label className={css.field}>
        <span className="unseen">{t('period')}</span>
        <select value={isSet ? 'between' : ''} onChange={(event) => choose(event.target.value)}>
          <option value="">{t('anyTime')}</option>
          <option value="hour">{t('lastHour')}</option>
          <option value="day">{t('lastDay')}</option>
          <option value="week">{t('lastWeek')}</option>
          <option value="between">{t('between')}</option>
        </select>
      </label>
      {isSet && (
        <span className={css.times}>
          <Time
            name={`${t('from')} (${zone()})`}
            value={since}
            onSet={(text) => onChange({ since: text })}
          />
          <Time
            name={`${t('until')} (${zone()})`}
            value={until}
            onSet={(text) => onChange({ until: text })}
          />
        </span>
      )}
    </>
  )
}

/** The field has the time of the person's zone; the URL has UTC. */
function Time({ name, value, onSet }: FieldProps & { readonly value: string | undefined }) {
  return (
    <label className={css.field}>
      <span className={css.label}>{name}</span>
      <input
        type="datetime-local"
        value={value && !Number.isNaN(Date.parse(value)) ? localOf(value) : ''}
        onChange={(event) => onSet(event.target.value && timeOf(event.target.value))}
      />
    </label>
  )
}
