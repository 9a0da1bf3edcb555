/** Form fields: label, control, help below it, and the error that the hub found. Plain elements. */
import { type ReactNode, useId } from 'react'
import type { HubFailure } from '../hub.ts'
import { Glyph } from '../look/glyphs.tsx'
import type en from '../words/en/parts.json'
import { useWords } from '../words/words.ts'
import css from './fields.module.css'

type Common = {
  readonly label: string
  readonly help?: ReactNode
  readonly fault?: string | undefined
  readonly required?: boolean
  /** The fault is read out when it appears: it is the answer to an attempt to send. */
  readonly announces?: boolean
}
type FieldProps = {
  readonly id: string
  readonly 'aria-describedby'?: string
  readonly 'aria-invalid'?: true
  readonly 'aria-required'?: true
}

/** Any control with its label; `children` gets the attributes that connect both. */
export function Field({
  label,
  help,
  fault,
  required,
  announces,
  children,
}: Common & { readonly children: (given: FieldProps) => ReactNode }) {
  const t = useWords<keyof typeof en>('parts')
  const id = useId()
  const told = [help && `${id}-help`, fault && `${id}-fault`].filter(Boolean).join(' ')
  return (
    <div className={css.field}>
      <label htmlFor={id} className={css.label}>
        {label}
        {required && <span className={css.needed}> {t('required')}</span>}
      </label>
      {children({
        id,
        ...(told && { 'aria-describedby': told }),
        ...(fault && { 'aria-invalid': true }),
        ...(required && { 'aria-required': true }),
      })}
      {help && (
        <p id={`${id}-help`} className={css.help}>
          {help}
        </p>
      )}
      {fault && (
        <p id={`${id}-fault`} className={css.fault} role={announces ? 'alert' : undefined}>
          <Glyph name="error" size={14} />
          <bdi>{fault}</bdi>
        </p>
      )}
    </div>
  )
}

type TextProps = Common & {
  readonly value: string
  readonly onChange: (value: string) => void
  readonly kind?: 'text' | 'date' | 'password' | 'email' | 'search'
  readonly digits?: boolean
  readonly mono?: boolean
  readonly placeholder?: string
  /** Allows more than one line. */
  readonly rows?: number
  readonly autoFocus?: boolean
  readonly suggestions?: readonly string[]
  readonly name?: string
  /** What the browser may autofill; nothing by default. */
  readonly autoComplete?: string
  readonly maxLength?: number
  /** Which keys a phone shows. */
  readonly inputMode?: 'url'
}

export function TextField({
  value,
  onChange,
  kind = 'text',
  digits,
  mono,
  placeholder,
  rows,
  ...rest
}: TextProps) {
  const { autoFocus, suggestions, name, autoComplete, maxLength, inputMode, ...common } = rest
  const list = useId()
  const shared = {
    className: [css.input, mono && css.mono].filter(Boolean).join(' '),
    value,
    placeholder,
    spellCheck: !mono,
    // The dialog sets the focus here when it opens.
    'data-autofocus': autoFocus || undefined,
    autoFocus,
    name,
    maxLength,
    inputMode,
    ...(mono && { dir: 'ltr' }),
  }
  return (
    <Field {...common}>
      {(given) =>
        rows ? (
          <textarea
            {...shared}
            {...given}
            rows={rows}
            onChange={(event) => onChange(event.target.value)}
          />
        ) : (
          <>
            <input
              {...shared}
              {...given}
              type={kind}
              {...(digits && { inputMode: 'decimal' })}
              {...(suggestions && { list })}
              autoComplete={autoComplete ?? (kind === 'password' ? 'new-password' : 'off')}
              onChange={(event) => onChange(event.target.value)}
            />
            {suggestions && (
              <datalist id={list}>
                {suggestions.map((one) => (
                  <option key={one} value={one} />
                ))}
              </datalist>
            )}
          </>
        )
      }
    </Field>
  )
}

export type Choice = { readonly value: string; readonly title: string; readonly lang?: string }

export function ChoiceField({
  value,
  onChange,
  choices,
  ...common
}: Common & {
  readonly value: string
  readonly onChange: (value: string) => void
  readonly choices: readonly Choice[]
}) {
  return (
    <Field {...common}>
      {(given) => (
        <select
          {...given}
          className={css.input}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        >
          {choices.map((choice) => (
            <option key={choice.value} value={choice.value} lang={choice.lang}>
              {choice.title}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}

export function CheckField({
  label,
  help,
  checked,
  disabled,
  onChange,
}: {
  readonly label: string
  readonly help?: ReactNode
  readonly checked: boolean
  readonly disabled?: boolean
  readonly onChange: (checked: boolean) => void
}) {
  const id = useId()
  return (
    <div className={css.check}>
      <input
        type="checkbox"
        id={id}
        checked={checked}
        disabled={disabled}
        {...(help !== undefined && { 'aria-describedby': `${id}-help` })}
        onChange={(event) => onChange(event.target.checked)}
      />
      <div>
        <label htmlFor={id}>{label}</label>
        {help !== undefined && (
          <p id={`${id}-help`} className={css.help}>
            {help}
          </p>
        )}
      </div>
    </div>
  )
}

/** Several checkboxes under one legend. */
export function Group({
  legend,
  children,
}: {
  readonly legend: string
  readonly children: ReactNode
}) {
  return (
    <fieldset className={css.group}>
      <legend className={css.label}>{legend}</legend>
      {children}
    </fieldset>
  )
}

/** Fields side by side, as many as fit. */
export function FieldRow({ children }: { readonly children: ReactNode }) {
  return <div className={css.row}>{children}</div>
}

export type Faults = ReadonlyMap<string, string>

/** The errors of a refused call by their path, as the hub names it. */
export const faultsOf = (failure: HubFailure | null | undefined): Faults =>
  new Map((failure?.details ?? []).map(({ path, message }) => [path, message]))
