/**
 * Parses the `filter` of job lists (contract, section 3). Hand-written, so that an error can give
 * the position. `or` binds weaker than `and`, `and` weaker than `not`; a quote inside a literal is
 * doubled.
 */
import { filterOperators, HubError, limits, parseTime } from '@dragoman/contract'
import { withoutCase } from '@dragoman/text/characters'
import { type Field, type Fields, fieldOf, filterFields } from './lists/filter-fields.ts'
import type { WorkOf } from './work-rows.ts'

export type Operator = (typeof filterOperators)[number]
type Value = string | number

export type Filter =
  | { is: 'and' | 'or'; parts: Filter[] }
  | { is: 'not'; part: Filter }
  | { is: 'term'; field: Field; operator: Operator; value: Value }
  | { is: 'in'; field: Field; values: Value[] }
  /** Case is ignored. */
  | { is: 'like'; field: Field; text: string; from: 'start' | 'anywhere' }
  | { is: 'code'; level?: number; key: string; operator: 'eq' | 'ne' }
  | { is: 'label'; name: string; operator: 'eq' | 'ne' }
  /** The name or the value of a label. Case is ignored. */
  | { is: 'label-like'; text: string; from: 'start' | 'anywhere' }
  | { is: 'label-value'; name: string; operator: Operator; value: string }
  /** Never of a caller: what the caller is limited to. */
  | { is: 'work'; of: WorkOf }

/** How a function compares a text field. */
const functions: Readonly<Record<string, 'start' | 'anywhere'>> = {
  contains: 'anywhere',
  startswith: 'start',
}

type Token = { kind: 'word' | 'literal' | '(' | ')' | ',' | 'end'; text: string; at: number }

/**
 * `bounded` is false for a filter the hub built itself from parts already checked against the
 * limits.
 */
export function parseFilter(text: string, bounded = true, fields: Fields = filterFields): Filter {
  if (bounded && text.length > limits.filterCharacters)
    refuse(
      `it has ${text.length} characters, at most ${limits.filterCharacters} are read`,
      limits.filterCharacters,
    )
  const tokens = tokenize(text)
  let next = 0
  let terms = 0
  const peek = (): Token => tokens[next] ?? { kind: 'end', text: '', at: text.length }
  const take = (): Token => {
    const token = peek()
    next += 1
    return token
  }
  const isWord = (word: string): boolean =>
    peek().kind === 'word' && peek().text.toLowerCase() === word

  function list(word: 'or' | 'and', part: (depth: number) => Filter, depth: number): Filter {
    const parts = [part(depth)]
    while (isWord(word)) {
      take()
      parts.push(part(depth))
    }
    return parts.length === 1 && parts[0] ? parts[0] : { is: word, parts }
  }
  const either = (depth: number): Filter => list('or', both, depth)
  const both = (depth: number): Filter => list('and', single, depth)

  function single(depth: number): Filter {
    if (isWord('not')) {
      deeper(depth, take().at, bounded)
      return { is: 'not', part: single(depth + 1) }
    }
    if (peek().kind === '(') {
      const open = take()
      deeper(depth, open.at, bounded)
      const inner = either(depth + 1)
      if (take().kind !== ')') refuse('a closing parenthesis is missing for the one', open.at)
      return inner
    }
    return term()
  }

  function term(): Filter {
    const name = take()
    if (name.kind !== 'word')
      refuse(
        `a field name is expected${name.kind === 'end' ? ', but the filter ends' : ''}`,
        name.at,
      )
    const from = functions[name.text.toLowerCase()]
    if (from && peek().kind === '(') return like(name, from)
    const sign = take()
    const operator = { ...sign, text: sign.text.toLowerCase() }
    if (operator.kind === 'word' && operator.text === 'in') return anyOf(name)
    if (operator.kind !== 'word' || !isOperator(operator.text))
      refuse(`one of ${filterOperators.join(', ')}, in is expected after ${name.text}`, operator.at)
    count(name)
    return comparison(name, operator as Token & { text: Operator }, literal(), fields)
  }

  function count({ at }: Token): void {
    terms += 1
    if (bounded && terms > limits.filterTerms)
      refuse(`there are more than ${limits.filterTerms} terms`, at)
  }

  function literal(): Token {
    const token = take()
    if (
      token.kind !== 'literal' &&
      !(token.kind === 'word' && (plain.test(token.text) || parseTime(token.text)))
    )
      refuse("a literal in single quotes is expected, such as 'text',", token.at)
    return token
  }

  function must(kind: '(' | ')' | ',', where: string): void {
    const token = take()
    if (token.kind !== kind) refuse(`"${kind}" is expected ${where}`, token.at)
  }

  /** `field in ('a', 'b')`, after the word `in`. Every value counts as a term. */
  function anyOf(name: Token): Filter {
    must('(', `after ${name.text} in`)
    const parts: Filter[] = []
    for (;;) {
      count(name)
      parts.push(comparison(name, { kind: 'word', text: 'eq', at: name.at }, literal(), fields))
      if (peek().kind !== ',') break
      take()
    }
    must(')', `after the last value of ${name.text} in`)
    const values = parts.map((part) =>
      part.is === 'term' && part.operator === 'eq'
        ? [part.value]
        : part.is === 'in'
          ? part.values
          : undefined,
    )
    const field = parts.map((part) =>
      part.is === 'term' || part.is === 'in' ? part.field : undefined,
    )[0]
    if (field && values.every((some) => some !== undefined))
      return { is: 'in', field, values: values.flat() as Value[] }
    return parts.length === 1 && parts[0] ? parts[0] : { is: 'or', parts }
  }

  /** `contains(field, 'x')`, after its name. */
  function like(name: Token, from: 'start' | 'anywhere'): Filter {
    const called = name.text.toLowerCase()
    must('(', `after ${called}`)
    const of = take()
    const isLabels = of.kind === 'word' && of.text === 'labels'
    const field = of.kind === 'word' ? fieldOf(of.text, fields) : undefined
    if (!isLabels && (field?.kind !== 'text' || field.choices))
      refuse(`${called} needs a text field: ${textFields(fields).join(', ')}, labels`, of.at)
    must(',', `after ${called}(${of.text}`)
    const value = take()
    if (value.kind !== 'literal')
      refuse("a literal in single quotes is expected, such as 'text',", value.at)
    must(')', `after the text of ${called}`)
    count(name)
    return field
      ? { is: 'like', field, text: value.text, from }
      : { is: 'label-like', text: value.text, from }
  }

  const filter = either(0)
  if (peek().kind !== 'end')
    refuse(`"${peek().text}" is not expected here; join terms with and, or`, peek().at)
  return filter
}

/** Literals that need no quotes. */
const plain = /^(?:true|false|-?\d{1,15}(?:\.\d{1,15})?)$/i

const isOperator = (text: string): text is Operator =>
  (filterOperators as readonly string[]).includes(text)

const textFields = (fields: Fields): string[] =>
  Object.keys(fields).filter((name) => fields[name]?.kind === 'text' && !fields[name].choices)

function comparison(
  name: Token,
  operator: Token & { text: Operator },
  literal: Token,
  fields: Fields,
): Filter {
  if (name.text === 'labels') {
    if (operator.text !== 'eq' && operator.text !== 'ne')
      refuse('labels can be asked with eq and ne only', operator.at)
    return { is: 'label', name: literal.text, operator: operator.text }
  }
  if (name.text.startsWith('labels.')) {
    if (name.text === 'labels.') refuse('a label name is expected after "labels."', name.at)
    return {
      is: 'label-value',
      name: name.text.slice('labels.'.length),
      operator: operator.text,
      value: literal.text,
    }
  }
  if (/^analysisCodes(\.|$)/.test(name.text)) return codeTerm(name, operator, literal)
  const field = fieldOf(name.text, fields)
  if (!field)
    refuse(
      `"${name.text}" is not a field; fields are ${Object.keys(fields).join(', ')}, labels, labels.NAME, analysisCodes, analysisCodes.LEVEL`,
      name.at,
    )
  const value = literalValue(name, field, operator, literal)
  if (!field.stored) return { is: 'term', field, operator: operator.text, value }
  mustBeEquality(name, operator)
  const part: Filter = { is: 'in', field, values: [...field.stored(literal.text)] }
  return operator.text === 'eq' ? part : { is: 'not', part }
}

function mustBeEquality({ text }: Token, operator: Token): void {
  if (operator.text !== 'eq' && operator.text !== 'ne')
    refuse(`${text} can be asked with eq and ne only`, operator.at)
}

/**
 * An analysis code of any level, or of the named level. Case is ignored, as in all analysis codes.
 */
function codeTerm(name: Token, operator: Token & { text: Operator }, literal: Token): Filter {
  if (operator.text !== 'eq' && operator.text !== 'ne')
    refuse('analysisCodes can be asked with eq and ne only', operator.at)
  const [, given = '1'] = /^analysisCodes(?:\.(.*))?$/s.exec(name.text) ?? []
  const level = Number(given)
  if (!/^\d{1,2}$/.test(given) || level < 1 || level > limits.analysisLevels)
    refuse(`a level from 1 to ${limits.analysisLevels} is expected after "analysisCodes."`, name.at)
  const key = withoutCase(literal.text)
  return { is: 'code', operator: operator.text, key, ...(name.text.includes('.') ? { level } : {}) }
}

function literalValue(name: Token, field: Field, operator: Token, literal: Token): Value {
  if (field.kind === 'time')
    return (
      parseTime(literal.text) ??
      refuse(
        `'${literal.text}' is not a date such as '2026-11-14' or '2026-11-14T10:00:00Z'`,
        literal.at,
      )
    )
  if (field.choices && !field.choices.includes(literal.text))
    refuse(
      `'${literal.text}' is not a value of ${name.text}; the values are ${field.choices.join(', ')}`,
      literal.at,
    )
  if (field.kind === 'text') return literal.text
  mustBeEquality(name, operator)
  const flag = literal.text.toLowerCase()
  if (flag !== 'true' && flag !== 'false') refuse(`${name.text} is true or false`, literal.at)
  return flag === 'true' ? 1 : 0
}

const opensList = /^(?:in|contains|startswith)$/i

function tokenize(text: string): Token[] {
  const tokens: Token[] = []
  let at = 0
  /**
   * Inside the parentheses of a list, where commas separate; elsewhere they may be part of a
   * label's name.
   */
  let isList = false
  while (at < text.length) {
    const letter = text.charAt(at)
    if (/\s/.test(letter)) at += 1
    else if (letter === '(' || letter === ')' || (isList && letter === ',')) {
      const before = tokens.at(-1)
      if (letter !== ',')
        isList = letter === '(' && before?.kind === 'word' && opensList.test(before.text)
      tokens.push({ kind: letter, text: letter, at })
      at += 1
    } else if (letter === "'") {
      const { value, end } = literalAt(text, at)
      tokens.push({ kind: 'literal', text: value, at })
      at = end
    } else {
      const word = (isList ? /^[^\s()',]+/ : /^[^\s()']+/).exec(text.slice(at))?.[0] ?? letter
      tokens.push({ kind: 'word', text: word, at })
      at += word.length
    }
  }
  return tokens
}

function literalAt(text: string, start: number): { value: string; end: number } {
  let value = ''
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] !== "'") value += text[at]
    else if (text[at + 1] === "'") {
      value += "'"
      at += 1
    } else return { value, end: at + 1 }
  }
  return refuse('the literal that begins here has no closing quote, looked for', start)
}

function deeper(depth: number, at: number, bounded: boolean): void {
  if (bounded && depth + 1 > limits.filterDepth)
    refuse(`parentheses and nots are nested more than ${limits.filterDepth} deep`, at)
}

/** Combines the filter with the plain query parameters. Undefined means all jobs. */
export function filterText(asked: {
  filter?: string
  statusCode?: readonly string[]
  labels?: readonly string[]
  providerId?: readonly string[]
  jobId?: readonly string[]
}): string | undefined {
  const { filter, statusCode = [], labels = [], providerId = [], jobId = [] } = asked
  if (statusCode.length + labels.length + providerId.length + jobId.length === 0) return filter
  // Parsed alone first, so that an error gives the position in the caller's own filter.
  if (filter) parseFilter(filter)
  const quoted = (value: string): string => `'${value.replaceAll("'", "''")}'`
  const anyOf = (field: string, values: readonly string[]): string[] =>
    values.length === 0
      ? []
      : [`(${values.map((value) => `${field} eq ${quoted(value)}`).join(' or ')})`]
  const listed = (field: string, values: readonly string[]): string[] =>
    values.length === 0 ? [] : [`${field} in (${values.map(quoted).join(', ')})`]
  return [
    ...(filter ? [`(${filter})`] : []),
    ...anyOf('statusCode', statusCode),
    ...anyOf('labels', labels),
    ...listed('providerId', providerId),
    ...listed('jobId', jobId),
  ].join(' and ')
}

/** Positions start at 1. */
function refuse(because: string, at: number): never {
  throw new HubError('INVALID_FILTER', { because, position: at + 1 })
}
