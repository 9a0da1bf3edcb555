/**
 * The hand-written scanners of the sources: functions that look at a text, or at bytes, again and again in a loop. And which of
 * them ran, by V8's own count of calls.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { join, relative } from 'node:path'
import { parseAst } from 'vite'

const packages = join(import.meta.dirname, '../../packages')
const looks = new Set(
  'charCodeAt codePointAt charAt indexOf lastIndexOf exec search match startsWith substring'.split(' '),
)
const loops = new Set(['ForStatement', 'WhileStatement', 'DoWhileStatement'])

type Node = { readonly type: string; readonly [field: string]: unknown }

/** Each as `server/src/file.ts name`. */
export const listScanners = (): string[] =>
  ['server', 'contract', 'sdk', 'cli'].flatMap((name) => {
    const folder = join(packages, name, 'src')
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !file.includes('.test.'))
      .flatMap((file) => {
        const text = readFileSync(join(folder, file), 'utf8')
        return scannersIn(text).map((scanner) => `${name}/src/${file.replaceAll('\\', '/')} ${scanner}`)
      })
      .sort()
  })

/** The names of functions with a loop in which a text is looked at; a function without a name belongs to the one around it. */
export function scannersIn(source: string): string[] {
  const found = new Set<string>()
  const visit = (node: Node, parent: Node | undefined, name: string, inLoop: boolean): void => {
    const own = nameOf(node, parent)
    const [within, looping] = [own ?? name, own === undefined && (inLoop || loops.has(node.type))]
    if (looping && isLook(node, parent)) found.add(within)
    for (const inner of Object.values(node).flat()) if (isNode(inner)) visit(inner, node, within, looping)
  }
  visit(parseAst(source, { lang: 'ts' }) as unknown as Node, undefined, '', false)
  return [...found]
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string'

/** A call such as text.indexOf(…), and text[at] beside a literal, as in text[at] === ' '. Lists are walked by an index, too. */
function isLook({ type, callee, computed }: Node, parent: Node | undefined): boolean {
  if (type === 'MemberExpression' && computed === true)
    return (
      parent?.type === 'BinaryExpression' &&
      [parent.left, parent.right].some((one) => isNode(one) && one.type === 'Literal')
    )
  if (type !== 'CallExpression' || !isNode(callee) || !isNode(callee.property)) return false
  return looks.has(String(callee.property.name))
}

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
