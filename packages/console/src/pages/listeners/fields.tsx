/** Fields of the form, each with its error below it. */
import { type ReactNode, useId } from 'react'
import css from './listeners.module.css'

type FieldProps<T> = {
  readonly name: string
  readonly value: T
  readonly onSet: (value: T) => void
}
type Faulty = { readonly fault?: string | undefined }

export function Text({
  name,
  value,
  fault,
  kind = 'text',
  list,
  first,
  onSet,
}: FieldProps<string> &
  Faulty & {
    readonly kind?: 'text' | 'url'
    readonly list?: readonly string[]
    readonly first?: true
  }) {
  const id = useId()
  return (
    <div className={css.field}>
      <label htmlFor={id}>{name}</label>
      <input
        id={id}
        type="text"
        inputMode={kind}
        dir="ltr"
        value={value}
        maxLength={2_000}
        spellCheck={false}
        autoComplete="off"
        data-autofocus={first}
        list={list && `${id}-list`}
        placeholder={kind === 'url' ? 'https://' : undefined}
        aria-invalid={fault !== undefined || undefined}
        aria-describedby={fault === undefined ? undefined : `${id}-fault`}
        onChange={(event) => onSet(event.target.value)}
      />
      {list && (
        <datalist id={`${id}-list`}>
          {list.map((one) => (
            <option key={one} value={one} />
          ))}
        </datalist>
      )}
      <Fault id={`${id}-fault`} says={fault} />
    </div>
  )
}

export function Choice({
  name,
  value,
  options,
  fault,
  onSet,
}: FieldProps<string> &
  Faulty & { readonly options: readonly (readonly [value: string, word: string])[] }) {
  const id = useId()
  return (
    <div className={css.field}>
      <label htmlFor={id}>{name}</label>
      <select
        id={id}
        value={value}
        aria-invalid={fault !== undefined || undefined}
        aria-describedby={fault === undefined ? undefined : `${id}-fault`}
        onChange={(event) => onSet(event.target.value)}
      >
        {options.map(([one, word]) => (
          <option key={one} value={one}>
            {word}
          </option>
        ))}
      </select>
      <Fault id={`${id}-fault`} says={fault} />
    </div>
  )
}

function Fault({ id, says }: { readonly id: string; readonly says: string | undefined }) {
  if (says === undefined) return null
  return (
    <p id={id} className={css.fault} role="alert">
      <bdi>{says}</bdi>
    </p>
  )
}

export function Check({ name, value, onSet }: FieldProps<boolean>) {
  return (
    <label className={css.check}>
      <input type="checkbox" checked={value} onChange={(event) => onSet(event.target.checked)} />
      {name}
    </label>
  )
}

export function Group({
  name,
  says,
  children,
}: {
  readonly name: string
  readonly says: string
  readonly children: ReactNode
}) {
  return (
    <fieldset className={css.group}>
      <legend>{name}</legend>
      <div className={css.checks}>{children}</div>
      <p className="meta dim">{says}</p>
    </fieldset>
  )
}
