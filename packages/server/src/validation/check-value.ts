/**
 * Compiles a schema into a check. It is our own, so that no value can make it collect or walk more
 * than it reports: lengths are checked before items, and it stops after the last finding that is
 * reported. It also normalises the spelling of each field and drops null ones (contract, section
 * 3).
 */

import { isObject } from '../process/parse.ts'
import { sizeCheck } from './check-size.ts'
import { textCheck } from './check-text.ts'
import { type Findings, isFull, openFindings, placeInside, tell } from './findings.ts'
import { mustBeKnown, type Node } from './schema-node.ts'

export type Check = (value: unknown, findings: Findings) => void
export type Checker = {
  readonly check: Check
  /** The same, pausing after every item of a list. */
  readonly steps?: (value: unknown, findings: Findings) => Generator<void>
}

export function checkerOf(node: Node): Checker {
  mustBeKnown(node)
  if (node.anyOf) return { check: eitherCheck(node.anyOf) }
  if (node.type === 'array') return listChecker(node)
  if (node.type === 'object') return objectChecker(node)
  return { check: node.type === 'string' ? stringCheck(node) : scalarCheck(node) }
}

function stringCheck(node: Node): Check {
  const check = textCheck(node)
  return (value, findings) => {
    if (typeof value === 'string') check(value, findings)
    // A null where a code belongs is a wrong code.
    else if (node.language && value === null)
      tell(findings, 'must be a language code, not null', { language: null })
    else tell(findings, 'must be string')
  }
}

function scalarCheck({
  type,
  minimum = Number.NEGATIVE_INFINITY,
  maximum = Number.POSITIVE_INFINITY,
}: Node): Check {
  return (value, findings) => {
    if (!isOf(type, value)) return tell(findings, `must be ${type}`)
    if (Number(value) < minimum) tell(findings, `must be >= ${minimum}`)
    if (Number(value) > maximum) tell(findings, `must be <= ${maximum}`)
  }
}

function isOf(type: string | undefined, value: unknown): boolean {
  if (type === 'array') return Array.isArray(value)
  if (type === 'object') return isObject(value)
  if (type === 'integer') return Number.isInteger(value)
  if (type === 'null') return value === null
  return typeof value === type && (type !== 'number' || Number.isFinite(value))
}

/**
 * Of several alternatives, the first whose type matches is the intended one: its findings are the
 * useful ones.
 */
function eitherCheck(forms: readonly Node[]): Check {
  const checks = forms.map((form) => ({ form, check: checkerOf(form).check }))
  const types = [...new Set(forms.map(({ type }) => type ?? 'another value'))].join(' or ')
  return (value, findings) => {
    let first: Findings | undefined
    for (const { form, check } of checks) {
      if (!isOf(form.type, value)) continue
      const own = openFindings(findings.most)
      check(value, own)
      if (own.list.length === 0) return
      first ??= own
    }
    if (!first) tell(findings, `must be ${types}`)
    for (const { message, ...more } of first?.list ?? []) tell(findings, message, more)
  }
}

const many = ({ length }: readonly unknown[]): string =>
  length === 1 ? '1 item' : `${length} items`
const are = (count: number): string => (count === 1 ? 'is' : 'are')

function listChecker({ items, minItems = 0, maxItems = Number.POSITIVE_INFINITY }: Node): Checker {
  const check = items ? checkerOf(items).check : () => {}
  const isRight = (value: unknown, findings: Findings): value is unknown[] => {
    if (value === null && items?.language)
      tell(findings, 'must be a list of language codes such as ["de-DE"], not null')
    else if (!Array.isArray(value)) tell(findings, 'must be array')
    else if (value.length > maxItems)
      tell(findings, `has ${many(value)}; at most ${maxItems} ${are(maxItems)} allowed`)
    else if (value.length < minItems)
      tell(findings, `has ${many(value)}; at least ${minItems} ${are(minItems)} required`)
    else return true
    return false
  }
  const checkItem = (list: readonly unknown[], at: number, findings: Findings) => {
    const before = findings.list.length
    check(list[at], findings)
    if (findings.list.length > before) placeInside(findings, before, `[${at}]`)
  }
  return {
    check: (value, findings) => {
      if (isRight(value, findings))
        for (let at = 0; at < value.length && !isFull(findings); at += 1)
          checkItem(value, at, findings)
    },
    steps: function* (value, findings) {
      if (isRight(value, findings))
        for (let at = 0; at < value.length && !isFull(findings); at += 1) {
          checkItem(value, at, findings)
          yield
        }
    },
  }
}

type Field = Checker & {
  readonly name: string
  readonly mayBeNull: boolean
  readonly isNeeded: boolean
}

function objectChecker(node: Node): Checker {
  const aliases = Object.entries(node.aliases ?? {})
  const fields = Object.entries(node.properties ?? {}).map(
    ([name, inner]): Field => ({
      name,
      mayBeNull: inner.denyNull !== true,
      isNeeded: node.required?.includes(name) ?? false,
      ...checkerOf(inner),
    }),
  )
  const size =
    node.maxJsonBytes === undefined && node.maxDepth === undefined ? undefined : sizeCheck(node)
  const names =
    typeof node.additionalProperties === 'object'
      ? namesCheck(node, node.additionalProperties)
      : undefined
  const isRight = (value: unknown, findings: Findings): value is Record<string, unknown> => {
    if (!isObject(value)) {
      tell(findings, 'must be object')
      return false
    }
    for (const [other, ours] of aliases)
      if (value[other] !== undefined) foldSpelling(value, other, ours, findings)
    if (node.additionalProperties === false) mustBeNamed(value, fields, findings)
    size?.(value, findings)
    names?.(value, findings)
    return true
  }
  return {
    check: (value, findings) => {
      if (!isRight(value, findings)) return
      for (const field of fields) {
        const inner = given(value, field, findings)
        if (inner === undefined) continue
        const before = findings.list.length
        field.check(inner, findings)
        if (findings.list.length > before) placeInside(findings, before, field.name)
      }
    },
    steps: function* (value, findings) {
      if (!isRight(value, findings)) return
      for (const field of fields) {
        const inner = given(value, field, findings)
        if (inner === undefined) continue
        const before = findings.list.length
        if (field.steps) yield* field.steps(inner, findings)
        else field.check(inner, findings)
        if (findings.list.length > before) placeInside(findings, before, field.name)
      }
    },
  }
}

function mustBeNamed(
  value: Record<string, unknown>,
  fields: readonly Field[],
  findings: Findings,
): void {
  const other = Object.keys(value).find((name) => !fields.some((field) => field.name === name))
  if (other !== undefined)
    tell(
      findings,
      `has no field "${other.slice(0, 100)}"; the fields are ${fields.map(({ name }) => name).join(', ')}`,
    )
}

/** The value of a field; null counts as absent and is removed. */
function given(
  fields: Record<string, unknown>,
  { name, mayBeNull, isNeeded }: Field,
  findings: Findings,
): unknown {
  const value = fields[name]
  if (value !== undefined && (value !== null || !mayBeNull)) return value
  if (value === null) delete fields[name]
  if (isNeeded) tell(findings, 'is missing', { path: name })
  return undefined
}

/** An object with free names. */
function namesCheck(
  { maxProperties = Number.POSITIVE_INFINITY, propertyNames = {} }: Node,
  inner: Node,
) {
  const checkName = checkerOf({ ...propertyNames, type: 'string' }).check
  const { check } = checkerOf(inner)
  return (value: Record<string, unknown>, findings: Findings): void => {
    const all = Object.keys(value)
    const isRight = all.length <= maxProperties
    if (!isRight) tell(findings, `has ${all.length} keys; at most ${maxProperties} are allowed`)
    for (const name of isRight ? all : []) {
      const before = findings.list.length
      checkName(name, findings)
      check(value[name], findings)
      if (findings.list.length > before) placeInside(findings, before, name)
    }
  }
}

function foldSpelling(
  fields: Record<string, unknown>,
  other: string,
  ours: string,
  findings: Findings,
): void {
  const value = fields[other]
  delete fields[other]
  if (value === null) return
  const known = fields[ours] ?? undefined
  if (known !== undefined && !isSame(known, value))
    tell(findings, `has another value than ${other}; send one of them`, { path: ours })
  else fields[ours] = value
}

function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true
  if (Array.isArray(one))
    return (
      Array.isArray(other) &&
      one.length === other.length &&
      one.every((item, at) => isSame(item, other[at]))
    )
  if (!isObject(one) || !isObject(other)) return false
  const names = Object.keys(one)
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(other, name) && isSame(one[name], other[name]))
  )
}
