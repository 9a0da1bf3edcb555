/**
 * Parses the `filter` of job lists (contract, section 3). Hand-written, so that an error can give the position. `or` binds
 * weaker than `and`, `and` weaker than `not`; a quote inside a literal is doubled.
 */
import { HubError, limits, parseTime } from '@dragoman/contract'
import { withoutCase } from '../../text/without-case.ts'

export const operators = ['eq', 'ne', 'lt', 'le', 'gt', 'ge'] as const
export type Operator = (typeof operators)[number]

/** Fields that a filter may use. `column` is a column of the jobs table. */
export const filterFields = {
  statusCode: { kind: 'text', column: 'status' },
  providerId: { kind: 'text', column: 'provider_id', nullable: true },
  jobName: { kind: 'text', column: 'job_name' },
  hasError: { kind: 'flag', column: 'has_error' },
  poReference: { kind: 'text', column: 'po_reference', nullable: true },
  connectorName: { kind: 'text', column: 'connector_name', nullable: true },
  globalTrackingId: { kind: 'text', column: 'global_tracking_id', nullable: true },
  createdDate: { kind: 'time', column: 'created_at' },
  modifiedDate: { kind: 'time', column: 'modified_at' },
  submittedDate: { kind: 'time', column: 'submitted_at', nullable: true },
  dueDate: { kind: 'time', column: 'due_at', nullable: true },
  activityDate: { kind: 'time', column: 'activity_at' },
  estimatedArchivalDate: { kind: 'time', column: 'archival_at' },
} as const satisfies Record<string, { kind: 'text' | 'flag' | 'time'; column: string; nullable?: true }>

/** Aliases of fields (contract, section 3, Names). */
const aliases: Record<string, keyof typeof filterFields> = {
  status: 'statusCode',
  estArchivalDate: 'estimatedArchivalDate',
}

export type Field = (typeof filterFields)[keyof typeof filterFields]
export type Filter =
  | { is: 'and' | 'or'; parts: Filter[] }
  | { is: 'not'; part: Filter }
  | { is: 'term'; field: Field; operator: Operator; value: string | number }
  | { is: 'code'; level?: number; key: string; operator: 'eq' | 'ne' }
  | { is: 'label'; name: string; operator: 'eq' | 'ne' }
  | { is: 'label-value'; name: string; operator: Operator; value: string }

type Token = { kind: 'word' | 'literal' | '(' | ')' | 'end'; text: string; at: number }

/** `bounded` is false for a filter the hub built itself from parts already checked against the limits. */
export function parseFilter(text: string, bounded = true): Filter {
  if (bounded && text.length > limits.filterCharacters)
    refuse(`it has ${text.length} characters, at most ${limits.filterCharacters} are read`, limits.filterCharacters)
  const tokens = tokenize(text)
  let next = 0
  let terms = 0
  const peek = (): Token => tokens[next] ?? { kind: 'end', text: '', at: text.length }
  const take = (): Token => {
    const token = peek()
    next += 1
    return token
  }
  const isWord = (word: string): boolean => peek().kind === 'word' && peek().text.toLowerCase() === word

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
      refuse(`a field name is expected${name.kind === 'end' ? ', but the filter ends' : ''}`, name.at)
    const sign = take()
    const operator = { ...sign, text: sign.text.toLowerCase() }
    if (operator.kind !== 'word' || !isOperator(operator.text))
      refuse(`one of ${operators.join(', ')} is expected after ${name.text}`, operator.at)
    const literal = take()
    if (literal.kind !== 'literal' && !(literal.kind === 'word' && plain.test(literal.text)))
      refuse("a literal in single quotes is expected, such as 'text',", literal.at)
    terms += 1
    if (bounded && terms > limits.filterTerms) refuse(`there are more than ${limits.filterTerms} terms`, name.at)
    return comparison(name, operator as Token & { text: Operator }, literal)
  }

  const filter = either(0)
  if (peek().kind !== 'end') refuse(`"${peek().text}" is not expected here; join terms with and, or`, peek().at)
  return filter
}

/** Literals that need no quotes. */
const plain = /^(?:true|false|-?\d{1,15}(?:\.\d{1,15})?)$/i

const isOperator = (text: string): text is Operator => (operators as readonly string[]).includes(text)

function comparison(name: Token, operator: Token & { text: Operator }, literal: Token): Filter {
  if (name.text === 'labels') {
    if (operator.text !== 'eq' && operator.text !== 'ne') refuse('labels can be asked with eq and ne only', operator.at)
    return { is: 'label', name: literal.text, operator: operator.text }
  }
  if (name.text.startsWith('labels.')) {
    if (name.text === 'labels.') refuse('a label name is expected after "labels."', name.at)
    return { is: 'label-value', name: name.text.slice('labels.'.length), operator: operator.text, value: literal.text }
  }
  if (/^analysisCodes(\.|$)/.test(name.text)) return codeTerm(name, operator, literal)
  const field = fieldOf(name.text)
  if (!field)
    refuse(
      `"${name.text}" is not a field; fields are ${Object.keys(filterFields).join(', ')}, labels, labels.NAME, analysisCodes, analysisCodes.LEVEL`,
      name.at,
    )
  return { is: 'term', field, operator: operator.text, value: literalValue(field, operator, literal) }
}

/** An analysis code of any level, or of the named level. Case is ignored, as in all analysis codes. */
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

export function fieldOf(name: string): Field | undefined {
  const key = aliases[name] ?? name
  return Object.hasOwn(filterFields, key) ? filterFields[key as keyof typeof filterFields] : undefined
}

function literalValue(field: Field, operator: Token, literal: Token): string | number {
  if (field.kind === 'time')
    return (
      parseTime(literal.text) ??
      refuse(`'${literal.text}' is not a date such as '2026-11-14' or '2026-11-14T10:00:00Z'`, literal.at)
    )
  if (field.kind === 'text') return literal.text
  if (operator.text !== 'eq' && operator.text !== 'ne') refuse('hasError can be asked with eq and ne only', operator.at)
  const flag = literal.text.toLowerCase()
  if (flag !== 'true' && flag !== 'false') refuse('hasError is true or false', literal.at)
  return flag === 'true' ? 1 : 0
}

function tokenize(text: string): Token[] {
  const tokens: Token[] = []
  let at = 0
  while (at < text.length) {
    const letter = text.charAt(at)
    if (/\s/.test(letter)) at += 1
    else if (letter === '(' || letter === ')') {
      tokens.push({ kind: letter, text: letter, at })
      at += 1
    } else if (letter === "'") {
      const { value, end } = literalAt(text, at)
      tokens.push({ kind: 'literal', text: value, at })
      at = end
    } else {
      const word = /^[^\s()']+/.exec(text.slice(at))?.[0] ?? letter
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
}): string | undefined {
  const { filter, statusCode = [], labels = [] } = asked
  if (statusCode.length === 0 && labels.length === 0) return filter
  // Parsed alone first, so that an error gives the position in the caller's own filter.
  if (filter) parseFilter(filter)
  const anyOf = (field: string, values: readonly string[]): string[] =>
    values.length === 0
      ? []
      : [`(${values.map((value) => `${field} eq '${value.replaceAll("'", "''")}'`).join(' or ')})`]
  return [...(filter ? [`(${filter})`] : []), ...anyOf('statusCode', statusCode), ...anyOf('labels', labels)].join(
    ' and ',
  )
}

/** Positions start at 1. */
function refuse(because: string, at: number): never {
  throw new HubError('INVALID_FILTER', { because, position: at + 1 })
}
