/** Every scalar of a YAML stream that is a value, with its path, by the tokens of the library alone: nothing is resolved or built. */
import { CST, Parser } from 'yaml'
import { mustFitNesting } from './bounds.ts'
import { escapeId } from './define-format.ts'
import { FormatError } from './format-error.ts'

export type Scalar = {
  readonly path: readonly string[]
  readonly token: CST.FlowScalar | CST.BlockScalar
  readonly value: string
  /** Whether it stands in brackets. */
  readonly inFlow: boolean
  readonly tag: string | undefined
}

/** Not an alias. */
type FlowText = CST.FlowScalar & { readonly type: 'scalar' | 'single-quoted-scalar' | 'double-quoted-scalar' }
type Visit = {
  readonly token: CST.Token
  readonly path: readonly string[]
  readonly inFlow: boolean
  readonly tag: string | undefined
}

export function walkYaml(text: string, report: (scalar: Scalar, document: number) => void): void {
  let document = -1
  // A lone CR ends a line; the library knows it only as part of CRLF.
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

/** With a stack of its own, the last first: no depth overflows it. */
function walkValue(text: string, root: Visit, report: (scalar: Scalar) => void): void {
  const waiting: Visit[] = [root]
  for (let visit = waiting.pop(); visit; visit = waiting.pop()) {
    const { token, path, inFlow, tag } = visit
    if (CST.isCollection(token)) {
      mustFitNesting(path.length + 1)
      for (const child of childrenOf(text, token, path, inFlow).reverse()) waiting.push(child)
    } else if (token.type === 'block-scalar' || isFlowScalar(token)) {
      const { value } = resolve(text, token)
      report({ path, token, value, inFlow, tag })
    }
  }
}

const isFlowScalar = (token: CST.Token): token is FlowText =>
  token.type === 'scalar' || token.type === 'single-quoted-scalar' || token.type === 'double-quoted-scalar'

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
    if (key && !isPair && token.type === 'block-map' && !start.some(({ type }) => type === 'explicit-key-ind'))
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

function resolve(text: string, token: CST.FlowScalar | CST.BlockScalar): { value: string } {
  return CST.resolveAsScalar(token, true, (offset, _code, message) => {
    throw malformed(text, offset, message)
  })
}

function malformed(text: string, at: number, why: string): FormatError {
  const line = text.slice(0, at).split(/\r\n|\n/).length
  return new FormatError('MALFORMED', `The YAML is not well-formed: ${why.replace(/\.$/, '')} (line ${line}).`)
}
