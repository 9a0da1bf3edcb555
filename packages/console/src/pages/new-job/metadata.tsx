/**
 * A form for the metadata of the job, generated from the provider's JSON schema. What it cannot
 * show as a field is typed as JSON. The hub validates.
 */
import { useId, useState } from 'react'
import type en from '../../words/en/new-job.json'
import { useWords } from '../../words/words.ts'
import css from './new-job.module.css'

type Metadata = Readonly<Record<string, unknown>>
type Schema = Readonly<Record<string, unknown>>
const isObject = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

type MetadataProps = {
  readonly schema: Schema
  readonly value: Metadata
  readonly onChange: (value: Metadata) => void
}

export function MetadataForm({ schema, value, onChange }: MetadataProps) {
  const t = useWords<keyof typeof en>('new-job')
  const properties = isObject(schema.properties) ? Object.entries(schema.properties) : []
  const required = new Set(Array.isArray(schema.required) ? schema.required : [])
  const set = (name: string, inner: unknown) => {
    const rest = Object.entries(value).filter(([key]) => key !== name)
    onChange(Object.fromEntries(inner === undefined ? rest : [...rest, [name, inner]]))
  }
  if (properties.length === 0)
    return (
      <JsonField
        label={t('metadata')}
        value={Object.keys(value).length > 0 ? value : undefined}
        onChange={(all) => onChange(isObject(all) ? all : {})}
      />
    )
  return (
    <>
      {properties.map(([name, inner]) => (
        <Property
          key={name}
          name={name}
          schema={isObject(inner) ? inner : {}}
          isRequired={required.has(name)}
          value={Object.hasOwn(value, name) ? value[name] : undefined}
          onChange={(one) => set(name, one)}
        />
      ))}
    </>
  )
}

type PropertyProps = {
  readonly name: string
  readonly schema: Schema
  readonly isRequired: boolean
  readonly value: unknown
  readonly onChange: (value: unknown) => void
}

function Property({ name, schema, isRequired, value, onChange }: PropertyProps) {
  const t = useWords<keyof typeof en>('new-job')
  const id = useId()
  const title = textOf(schema.title) || name
  const says = textOf(schema.description)
  const label = isRequired ? t('requiredField', { name: title }) : title
  const choices = Array.isArray(schema.enum) ? schema.enum : undefined
  const kind = textOf(schema.type)
  if (!choices && kind === 'boolean')
    return (
      <label className={css.check}>
        <input
          type="checkbox"
          checked={value === true}
          onChange={({ target }) => onChange(target.checked)}
        />
        <bdi>{label}</bdi>
      </label>
    )
  if (!choices && kind !== 'string' && kind !== 'number' && kind !== 'integer')
    return <JsonField label={label} says={says} value={value} onChange={onChange} />
  const isNumber = kind === 'number' || kind === 'integer'
  const read = (text: string): unknown => (text === '' ? undefined : isNumber ? Number(text) : text)
  return (
    <div className={css.field}>
      <label htmlFor={id}>
        <bdi>{label}</bdi>
      </label>
      {choices ? (
        <select
          id={id}
          className={css.input}
          value={choices.indexOf(value)}
          onChange={({ target }) => onChange(choices[Number(target.value)])}
        >
          <option value={-1}>–</option>
          {choices.map((one, index) => (
            <option key={JSON.stringify(one)} value={index}>
              {typeof one === 'string' ? one : JSON.stringify(one)}
            </option>
          ))}
        </select>
      ) : (
        <input
          id={id}
          className={css.input}
          type={isNumber ? 'number' : textOf(schema.format) === 'date' ? 'date' : 'text'}
          step={kind === 'integer' ? 1 : isNumber ? 'any' : undefined}
          value={value === undefined ? '' : String(value)}
          onChange={({ target }) => onChange(read(target.value))}
        />
      )}
      {says && (
        <p className="meta dim">
          <bdi>{says}</bdi>
        </p>
      )}
    </div>
  )
}

type JsonProps = {
  readonly label: string
  readonly says?: string
  readonly value: unknown
  readonly onChange: (value: unknown) => void
}

/** Keeps what is typed; passes it on while it is valid JSON. */
function JsonField({ label, says, value, onChange }: JsonProps) {
  const t = useWords<keyof typeof en>('new-job')
  const id = useId()
  const [text, setText] = useState(() =>
    value === undefined ? '' : JSON.stringify(value, null, 2),
  )
  const parsed = parse(text)
  return (
    <div className={css.field}>
      <label htmlFor={id}>
        <bdi>{label}</bdi>
      </label>
      <textarea
        id={id}
        dir="ltr"
        rows={3}
        className={`${css.input} mono`}
        value={text}
        aria-invalid={parsed === undefined && text.trim() !== ''}
        onChange={({ target }) => {
          setText(target.value)
          const found = parse(target.value)
          if (found !== undefined || target.value.trim() === '') onChange(found?.value)
        }}
      />
      <p className={parsed === undefined && text.trim() ? css.fault : 'meta dim'}>
        {parsed === undefined && text.trim() ? t('notJson') : <bdi>{says ?? t('json')}</bdi>}
      </p>
    </div>
  )
}

function parse(text: string): { readonly value: unknown } | undefined {
  try {
    return text.trim() === '' ? undefined : { value: JSON.parse(text) }
  } catch {
    return undefined
  }
}
