/**
 * Every scalar of a YAML stream that is a value, with its path, from the tokens of the library: no
 * alias is followed, no object built.
 */
import { CST, Parser } from 'yaml'
import { mustFitNesting } from '../bounds.ts'
import { escapeId } from '../define-format.ts'
import { FormatError } from '../format-error.ts'
import { lineNumber } from '../lines.ts'
import type { FlowStyle } from './yaml-spell.ts'

export type Scalar = {
  readonly path: readonly string[]
  readonly style: FlowStyle | 'literal' | 'folded'
  /** With its quotes; of a block its lines, without the header. */
  readonly start: number
  readonly end: number
  readonly value: string
  /** Whether it is in brackets. */
  readonly inFlow: boolean
  readonly tag: string | undefined
}

/** Not an alias. */
type FlowText = CST.FlowScalar & {
  readonly type: 'scalar' | 'single-quoted-scalar' | 'double-quoted-scalar'
}
type Visit = {
  readonly token: CST.Token
  readonly path: readonly string[]
  readonly inFlow: boolean
  readonly tag: string | undefined
}

export function walkYaml(text: string, report: (scalar: Scalar, document: number) => void): void {
  let document = -1
  // A lone CR ends a line, but the library only knows CRLF.
  for (const top of new Parser().parse(text.replace(/\r(?!\n)/g, '\n'))) {
    if (top.type === 'error') throw malformed(text, top.offset, top.message)
    if (top.type !== 'document') continue
    document += 1
    if (top.value)
      walkValue(text, { token: top.value, path: [], inFlow: false, tag: tagOf(top.start) }, (one) =>
        report(one, document),
      )
  }
}

/** Depth first with a stack of its own, so that no depth overflows the call stack. */
function walkValue(text: string, root: Visit, report: (scalar: Scalar) => void): void {
  const waiting: Visit[] = [root]
  for (let visit = waiting.pop(); visit; visit = waiting.pop()) {
    const { token, path, inFlow, tag } = visit
    if (CST.isCollection(token)) {
      mustFitNesting(path.length + 1)
      for (const child of childrenOf(text, token, path, inFlow).reverse()) waiting.push(child)
    } else if (token.type === 'block-scalar' || isFlowScalar(token)) {
      const { value } = resolve(text, token)
      report({ path, ...placeOf(token), value, inFlow, tag })
    }
  }
}

const styles = {
  scalar: 'plain',
  'single-quoted-scalar': 'single',
  'double-quoted-scalar': 'double',
} as const

function placeOf(token: FlowText | CST.BlockScalar): Pick<Scalar, 'style' | 'start' | 'end'> {
  const { source } = token
  if (token.type !== 'block-scalar')
    return { style: styles[token.type], start: token.offset, end: token.offset + source.length }
  const props = token.props.map((one) => ('source' in one ? one.source : ''))
  const start = token.offset + props.join('').length
  const style = props.some((one) => one.startsWith('>')) ? 'folded' : 'literal'
  return { style, start, end: start + source.length }
}

const isFlowScalar = (token: CST.Token): token is FlowText =>
  token.type === 'scalar' ||
  token.type === 'single-quoted-scalar' ||
  token.type === 'double-quoted-scalar'

function childrenOf(
  text: string,
  token: CST.BlockMap | CST.BlockSequence | CST.FlowCollection,
  path: readonly string[],
  inFlow: boolean,
): Visit[] {
  const isFlow = token.type === 'flow-collection'
  if (isFlow && token.end.at(0)?.source !== (token.start.source === '{' ? '}' : ']'))
    throw malformed(text, token.offset, 'a bracket is never closed')
  const isSequence = token.type === 'block-seq' || (isFlow && token.start.source === '[')
  const children: Visit[] = []
  token.items.forEach((item, index) => {
    const { start, key, sep, value } = item as CST.BlockMap['items'][number]
    const isPair = sep?.some(({ type }) => type === 'map-value-ind') === true
    const base = isSequence ? [...path, String(index)] : path
    if (
      key &&
      !isPair &&
      token.type === 'block-map' &&
      !start.some(({ type }) => type === 'explicit-key-ind')
    )
      throw malformed(text, 'offset' in key ? key.offset : token.offset, 'a key has no colon')
    const one = isPair ? value : isSequence ? (value ?? key) : value
    if (!one) return
    const name = isPair ? [...base, escapeId(nameOf(text, key, index))] : base
    const tag = tagOf(isPair ? sep : start)
    children.push({ token: one, path: name, inFlow: inFlow || isFlow, tag })
  })
  return children
}

const nameOf = (text: string, key: CST.Token | null | undefined, index: number): string => {
  if (!key || !('source' in key) || key.type === 'block-scalar') return String(index)
  return isFlowScalar(key) ? resolve(text, key).value : key.source
}

const tagOf = (tokens: readonly CST.SourceToken[] | undefined): string | undefined =>
  tokens?.find(({ type }) => type === 'tag')?.source

/**
 * The scalars of a collection in brackets that is all of a line, but for a comment. Undefined if it
 * is anything else. `offset` is where the line stands in its file, `path` where the collection
 * does.
 */
export function walkBrackets(
  line: string,
  offset: number,
  path: readonly string[],
): Scalar[] | undefined {
  const found: Scalar[] = []
  try {
    const [top, ...others] = new Parser().parse(line)
    if (top?.type !== 'document' || others.length > 0 || top.value?.type !== 'flow-collection')
      return undefined
    walkValue(line, { token: top.value, path, inFlow: false, tag: undefined }, (one) =>
      found.push({ ...one, start: one.start + offset, end: one.end + offset }),
    )
  } catch (error) {
    if (error instanceof FormatError && error.code === 'MALFORMED') return undefined
    throw error
  }
  return found
}

const needsResolving = { plain: /[\t\r\n]/, single: /['\t\r\n]/, double: /["\\\t\r\n]/ }
const types = {
  plain: 'scalar',
  single: 'single-quoted-scalar',
  double: 'double-quoted-scalar',
} as const

/** What a plain or quoted scalar says; undefined if it is malformed. */
export function resolveFlow(style: FlowStyle, source: string): string | undefined {
  const inner = style === 'plain' ? source : source.slice(1, -1)
  if (!needsResolving[style].test(inner)) return inner
  return resolveQuietly({ type: types[style], offset: 0, indent: 0, source })
}

/** What the lines of a block scalar say; undefined if they are malformed. */
export function resolveBlock(header: string, source: string): string | undefined {
  const place = { offset: 0, indent: 0 }
  const props: CST.Token[] = [
    { ...place, type: 'block-scalar-header', source: header },
    { ...place, type: 'newline', source: '\n' },
  ]
  return resolveQuietly({ ...place, type: 'block-scalar', props, source })
}

function resolveQuietly(token: FlowText | CST.BlockScalar): string | undefined {
  let isMalformed = false
  const { value } = CST.resolveAsScalar(token, true, () => {
    isMalformed = true
  })
  return isMalformed ? undefined : value
}

function resolve(text: string, token: CST.FlowScalar | CST.BlockScalar): { value: string } {
  return CST.resolveAsScalar(token, true, (offset, _code, message) => {
    throw malformed(text, offset, message)
  })
}

function malformed(text: string, at: number, why: string): FormatError {
  return new FormatError(
    'MALFORMED',
    `The YAML is not well-formed: ${why.replace(/\.$/, '')} (line ${lineNumber(text, at)}).`,
  )
}
