/**
 * The hand-written scanners of the sources: functions that look at a text, or at bytes, again and
 * again in a loop. And which of them ran, by V8's own count of calls.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { join, relative } from 'node:path'
import { parseAst } from 'vite'

const packages = join(import.meta.dirname, '../../packages')
const looks = new Set(
  'charCodeAt codePointAt charAt indexOf lastIndexOf exec search match startsWith substring'.split(
    ' ',
  ),
)
const usual = new Set('text bytes raw head letters line'.split(' '))
const places = new Set('at end from to start next position index i'.split(' '))
const loops = new Set(['ForStatement', 'WhileStatement', 'DoWhileStatement'])

type Node = { readonly type: string; readonly [field: string]: unknown }

/** Each as `server/src/file.ts name`. */
export const listScanners = (): string[] =>
  ['server', 'text', 'contract', 'sdk', 'certify', 'docs', 'cli'].flatMap((name) => {
    const folder = join(packages, name, 'src')
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !file.includes('.test.'))
      .flatMap((file) => {
        const text = readFileSync(join(folder, file), 'utf8')
        return scannersIn(text).map(
          (scanner) => `${name}/src/${file.replaceAll('\\', '/')} ${scanner}`,
        )
      })
      .sort()
  })

/**
 * The names of functions with a loop in which a text is looked at; a function without a name
 * belongs to the one around it. What runs when a module is loaded sees no outside text.
 */
export function scannersIn(source: string): string[] {
  const found = new Set<string>()
  const program = parseAst(source, { lang: 'ts' }) as unknown as Node
  const isText = textsIn(program)
  const visit = (
    node: Node,
    parent: Node | undefined,
    name: string | undefined,
    inLoop: boolean,
  ): void => {
    const own = nameOf(node, parent)
    const isWalk = node.type === 'ForOfStatement' && node.await === false && isText(node.right)
    const within = own ?? (node.type.includes('Function') ? (name ?? '') : name)
    const looping = own === undefined && (inLoop || isWalk || loops.has(node.type))
    if (within !== undefined && (isWalk || (looping && isLook(node, parent, isText))))
      found.add(within)
    eachInside(node, (inner) => visit(inner, node, within, looping))
  }
  visit(program, undefined, undefined, false)
  return [...found]
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' &&
  value !== null &&
  typeof (value as { type?: unknown }).type === 'string'

function eachInside(node: Node, visit: (inner: Node) => void): void {
  for (const field in node) {
    const inner = node[field]
    if (Array.isArray(inner)) for (const one of inner.filter(isNode)) visit(one)
    else if (isNode(inner)) visit(inner)
  }
}

/**
 * Says whether an expression is a variable that is declared as a text or as bytes in this source,
 * or has a usual name of one.
 */
function textsIn(program: Node): (value: unknown) => boolean {
  const [texts, others] = [new Set<string>(), new Set<string>()]
  const visit = (node: Node): void => {
    const type = isNode(node.typeAnnotation) ? node.typeAnnotation.typeAnnotation : undefined
    if (node.type === 'Identifier' && isNode(type))
      (isTextType(type) ? texts : others).add(String(node.name))
    eachInside(node, visit)
  }
  visit(program)
  return (value) => {
    if (!isNode(value)) return false
    const name = String(
      isNode(value.property) && value.computed === false ? value.property.name : value.name,
    )
    return texts.has(name) || (usual.has(name) && !others.has(name))
  }
}

const isTextType = ({ type, typeName }: Node): boolean =>
  type === 'TSStringKeyword' ||
  (isNode(typeName) && ['Buffer', 'Uint8Array'].includes(String(typeName.name)))

/**
 * A call such as text.indexOf(…); text[at], where text is one or stands beside a literal, as in
 * text[at] === ' '; and a call with a text and a place in it, such as skipSpace(text, at). Lists
 * are walked by an index, too.
 */
function isLook(
  { type, callee, computed, object, property, arguments: given }: Node,
  parent: Node | undefined,
  isText: (value: unknown) => boolean,
): boolean {
  if (type === 'MemberExpression' && computed === true) {
    if (isText(object) && isNode(property) && property.type !== 'Literal') return true
    return (
      parent?.type === 'BinaryExpression' &&
      [parent.left, parent.right].some((one) => isNode(one) && one.type === 'Literal')
    )
  }
  if (type !== 'CallExpression' || !isNode(callee)) return false
  if (isNode(callee.property) && looks.has(String(callee.property.name))) return true
  const [first, ...rest] = Array.isArray(given) ? given : []
  return isText(first) && rest.some(isPlace)
}

/** A place in a text: at, from + 1. */
const isPlace = (value: unknown): boolean =>
  isNode(value) &&
  (value.type === 'Identifier'
    ? places.has(String(value.name))
    : value.type === 'BinaryExpression' && [value.left, value.right].some(isPlace))

function nameOf(node: Node, parent: Node | undefined): string | undefined {
  if (!node.type.includes('Function')) return undefined
  const named = isNode(node.id) ? node.id : isNode(parent?.id) ? parent.id : parent?.key
  return isNode(named) && named.type === 'Identifier' ? String(named.name) : undefined
}

/** What of our packages ran during the work, in the form of `listScanners`. */
export async function calledDuring(work: () => Promise<void>): Promise<Set<string>> {
  const session = new Session()
  session.connect()
  try {
    await session.post('Profiler.enable')
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
    await work()
    const { result } = await session.post('Profiler.takePreciseCoverage')
    return new Set(
      result.flatMap(({ url, functions }) => {
        const path = relative(packages, url.replace(/^file:\/\//, '')).replaceAll('\\', '/')
        const file = path.replace('/dist/', '/src/').replace(/\.js$/, '.ts')
        return functions
          .filter(({ ranges }) => (ranges[0]?.count ?? 0) > 0)
          .map(({ functionName }) => `${file} ${functionName}`)
      }),
    )
  } finally {
    session.disconnect()
  }
}
