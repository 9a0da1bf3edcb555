/**
 * The fields of a provider's config, generated from the JSON schema of its type. A secret is never
 * shown, only that it is set.
 */

import { Button, GlyphButton } from '../../parts/controls.tsx'
import {
  CheckField,
  ChoiceField,
  type Faults,
  Field,
  FieldRow,
  TextField,
} from '../../parts/fields.tsx'
import type en from '../../words/en/providers.json'
import { useWords } from '../../words/words.ts'
import css from './providers.module.css'

type Property = {
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly default?: unknown
  readonly description?: string
  readonly writeOnly?: boolean
  readonly minimum?: number
  readonly maximum?: number
  readonly title?: string
}
type Schema = {
  readonly properties?: Readonly<Record<string, Property>>
  readonly required?: readonly string[]
}

/** The values of the fields: text, a flag, or pairs of texts. Empty texts are left out. */
export type Draft = Readonly<
  Record<string, string | boolean | readonly (readonly [string, string])[]>
>

export const propertiesOf = (schema: unknown): [string, Property][] =>
  Object.entries((schema as Schema).properties ?? {})

export function draftOf(schema: unknown, config: Readonly<Record<string, unknown>>): Draft {
  return Object.fromEntries(
    propertiesOf(schema).map(([name, { type }]) => {
      const value = config[name]
      if (type === 'boolean') return [name, value === true]
      if (type === 'object') return [name, Object.entries((value ?? {}) as Record<string, string>)]
      return [name, value === undefined ? '' : String(value)]
    }),
  )
}

/**
 * The config in the form that the hub accepts. Text that is not a number stays text, so that the
 * hub says what is wrong with it.
 */
export function configOf(schema: unknown, draft: Draft): Record<string, unknown> {
  return Object.fromEntries(
    propertiesOf(schema).flatMap(([name, { type, default: usual }]): [string, unknown][] => {
      const value = draft[name]
      if (typeof value === 'boolean') return value === (usual ?? false) ? [] : [[name, value]]
      if (typeof value === 'object')
        return value.length > 0 ? [[name, Object.fromEntries(value)]] : []
      if (value === undefined || value === '') return []
      const number = type === 'integer' || type === 'number' ? Number(value) : Number.NaN
      return [[name, Number.isFinite(number) ? number : value]]
    }),
  )
}

export function ConfigFields({
  schema,
  draft,
  onChange,
  secrets,
  faults,
}: {
  readonly schema: unknown
  readonly draft: Draft
  readonly onChange: (draft: Draft) => void
  /** The names of secrets that are set. */
  readonly secrets: readonly string[]
  readonly faults: Faults
}) {
  const t = useWords<keyof typeof en>('providers')
  const required = (schema as Schema).required ?? []
  const all = propertiesOf(schema)
  if (all.length === 0) return <p className="mut">{t('noConfig')}</p>
  const field = ([name, property]: [string, Property]) => {
    const common = {
      label: property.title ?? name,
      help: property.description && <span lang="en">{property.description}</span>,
      fault: faults.get(`config/${name}`),
      required: required.includes(name),
    }
    const value = draft[name]
    const set = (next: Draft[string]) => onChange({ ...draft, [name]: next })
    if (typeof value === 'boolean')
      return (
        <CheckField
          key={name}
          label={common.label}
          help={common.help}
          checked={value}
          onChange={set}
        />
      )
    if (typeof value === 'object')
      return <Pairs key={name} {...common} value={value} onChange={set} />
    if (property.enum)
      return (
        <ChoiceField
          key={name}
          {...common}
          value={value ?? ''}
          onChange={set}
          choices={[
            ...(required.includes(name)
              ? []
              : [{ value: '', title: t('usual', { value: String(property.default ?? '') }) }]),
            ...property.enum.map((one) => ({ value: String(one), title: String(one) })),
          ]}
        />
      )
    if (property.writeOnly)
      return (
        <TextField
          key={name}
          {...common}
          kind="password"
          mono
          value={value ?? ''}
          onChange={set}
          placeholder={secrets.includes(name) ? t('secretKept') : ''}
        />
      )
    const isNumber = property.type === 'integer' || property.type === 'number'
    return (
      <TextField
        key={name}
        {...common}
        mono
        digits={isNumber}
        value={value ?? ''}
        onChange={set}
        placeholder={
          property.default === undefined ? '' : t('usual', { value: String(property.default) })
        }
      />
    )
  }
  // Required and long fields come first; the rest has defaults and is laid out side by side.
  const isMain = ([name, { type, writeOnly }]: [string, Property]) =>
    required.includes(name) || writeOnly === true || type === 'object'
  return (
    <>
      {all.filter(isMain).map(field)}
      <FieldRow>{all.filter((one) => !isMain(one)).map(field)}</FieldRow>
    </>
  )
}

type PairsProps = {
  readonly label: string
  readonly help?: React.ReactNode
  readonly fault?: string | undefined
  readonly value: readonly (readonly [string, string])[]
  readonly onChange: (value: readonly (readonly [string, string])[]) => void
}

/** A map of texts, one pair per line. */
function Pairs({ value, onChange, ...common }: PairsProps) {
  const t = useWords<keyof typeof en>('providers')
  const put = (at: number, pair: readonly [string, string]) =>
    onChange(value.map((one, index) => (index === at ? pair : one)))
  return (
    <Field {...common}>
      {({ id, ...given }) => (
        <fieldset id={id} aria-label={common.label} {...given} className={css.map}>
          {value.map(([key, text], at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a line is identified by its position; its key is being typed.
            <div key={at}>
              <input
                aria-label={t('mapKey', { at: at + 1 })}
                value={key}
                dir="ltr"
                onChange={(event) => put(at, [event.target.value, text])}
              />
              <span aria-hidden="true">=</span>
              <input
                aria-label={t('mapValue', { at: at + 1 })}
                value={text}
                dir="ltr"
                onChange={(event) => put(at, [key, event.target.value])}
              />
              <GlyphButton
                glyph="bin"
                label={t('mapRemove', { at: at + 1 })}
                onClick={() => onChange(value.filter((_, index) => index !== at))}
              />
            </div>
          ))}
          <Button small glyph="add" onClick={() => onChange([...value, ['', '']])}>
            {t('mapAdd')}
          </Button>
        </fieldset>
      )}
    </Field>
  )
}
