/**
 * A form over the schema of a call: what was typed, what is sent of it, and what is wrong with it,
 * at its field.
 */
import { useState } from 'react'
import { formTable } from '../../form-table.ts'
import type { CallInput, HubFailure } from '../../hub.ts'
import { type Faults, faultsOf } from '../fields.tsx'
import { bodyOf, type Draft, faultAt, type Value } from './body.ts'

type FormCall = keyof typeof formTable
type Named<D extends Draft, V> = { [K in keyof D]: D[K] extends V ? K : never }[keyof D] & string
type Body<N extends FormCall> = NonNullable<CallInput<N>['body']>

type Rules<D extends Draft> = {
  /** Faults that need no call, by field; they are shown once the person has tried to send. */
  readonly check?: (values: D) => Readonly<Record<string, string>>
  /** The fields of refusals that name none, by their codes. */
  readonly fieldOf?: Readonly<Record<string, string>>
}
type Act = { readonly isPending: boolean; readonly error: HubFailure | null }

export function useForm<N extends FormCall, D extends Draft>(
  call: N,
  start: () => D,
  /** The calls that the form makes: its state and its faults are theirs. */
  acts: readonly Act[],
  { check, fieldOf = {} }: Rules<D> = {},
) {
  const [values, setValues] = useState(start)
  const [isTried, setTried] = useState(false)
  const failure = acts.find(({ error }) => error)?.error ?? null
  const refused = refusedAt(failure, fieldOf)
  const own = check?.(values) ?? {}
  const faults: Faults = new Map([...(isTried ? Object.entries(own) : []), ...refused])
  const rows: Readonly<Record<string, string>> = formTable[call]
  const set = (some: Partial<D>): void => setValues((before) => ({ ...before, ...some }))
  const put = (name: string, value: Value): void => set({ [name]: value } as Partial<D>)
  const plain = (name: Named<D, string>) => ({
    value: values[name] as string,
    onChange: (value: string) => put(name, value),
    fault: faultAt(faults, name),
    announces: true,
  })
  return {
    values,
    set,
    faults,
    /** A choice, or a text that is not said to be required. */
    plain,
    text: (name: Named<D, string>) => ({
      ...plain(name),
      required: rows[name]?.endsWith('!') === true,
    }),
    flag: (name: Named<D, boolean>) => ({
      checked: values[name] === true,
      onChange: (on: boolean) => put(name, on),
    }),
    /** A checkbox for one of the values of a list. */
    one: (name: Named<D, readonly string[]>, item: string) => {
      const all = values[name] as readonly string[]
      return {
        checked: all.includes(item),
        onChange: (on: boolean) =>
          put(name, on ? [...all, item] : all.filter((other) => other !== item)),
      }
    },
    /** What is sent: the fields of the call, and more. Optional ones that are empty are left out. */
    body: <M extends FormCall = N>(more: object = {}, of?: M): Body<M> => ({
      ...(bodyOf(formTable[of ?? call], values) as Body<M>),
      ...more,
    }),
    /** Whether it can be sent; if not, its faults are shown. */
    isRight: (): boolean => {
      setTried(true)
      return Object.keys(own).length === 0
    },
    dialog: {
      busy: acts.some(({ isPending }) => isPending),
      failure: refused.size > 0 ? null : failure,
    },
  }
}

function refusedAt(failure: HubFailure | null, fieldOf: Rules<Draft>['fieldOf'] = {}): Faults {
  const field = failure ? fieldOf[failure.code] : undefined
  return failure && field ? new Map([[field, failure.message]]) : faultsOf(failure)
}
