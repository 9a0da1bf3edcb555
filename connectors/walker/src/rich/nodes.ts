/** Rich text of Lexical (Payload) and of Strapi: trees of nodes, of which runs of inline ones are texts. */
import { isObject, type Members, own, type RichSchema, type Schema, step } from '../schema.ts'
import { decode, encode, type Nodes } from './marks.ts'

/** Given the text at a path; returns what stands there instead, or undefined to leave it. */
export type TakeRich = (text: string, path: string) => string | undefined
export type WalkInside = (value: unknown, schema: Schema, path: string) => void

type Tree = Nodes & {
  isInline(node: Members): boolean
  /** Nothing inside is text, such as a listing of code. */
  isCode(node: Members): boolean
}

const codeFormat = 16
const formatOf = (node: Members): number => (typeof node.format === 'number' ? node.format : 0)

export const lexicalTree: Tree = {
  isText: ({ type }) => type === 'text',
  isPlain: (node) => formatOf(node) === 0 && (node.style ?? '') === '',
  isKept: (node) => (formatOf(node) & codeFormat) !== 0,
  plain: (text) => ({
    detail: 0,
    format: 0,
    mode: 'normal',
    style: '',
    text,
    type: 'text',
    version: 1,
  }),
  isInline: ({ type }) =>
    ['text', 'linebreak', 'tab', 'link', 'autolink', 'inlineBlock'].includes(String(type)),
  isCode: ({ type }) => type === 'code' || type === 'code-highlight',
}

export const strapiTree: Tree = {
  isText: ({ type }) => type === 'text',
  isPlain: (node) => Object.keys(node).every((name) => name === 'type' || name === 'text'),
  isKept: (node) => node.code === true,
  plain: (text) => ({ type: 'text', text }),
  isInline: ({ type }) => type === 'text' || type === 'link',
  isCode: ({ type }) => type === 'code',
  // The editor wants a text before, between and after links.
  finish: (children) => {
    const made: Members[] = []
    for (const child of children) {
      if (child.type === 'link' && made.at(-1)?.type !== 'text')
        made.push({ type: 'text', text: '' })
      made.push(child)
    }
    if (made.at(-1)?.type === 'link') made.push({ type: 'text', text: '' })
    return made
  },
}

/** Changes the nodes in place; the caller gives a copy. */
export type Visit = {
  readonly tree: Tree
  readonly schema: RichSchema
  readonly take: TakeRich
  readonly inside: WalkInside
}

export function visitChildren(parent: Members, path: string, visit: Visit): void {
  const { tree, take } = visit
  const children = own(parent, 'children')
  if (!Array.isArray(children) || tree.isCode(parent)) return
  const made: unknown[] = []
  let run: Members[] = []
  let start = 0
  const flush = () => {
    if (run.length === 0) return
    const text = encode(run, tree)
    const given = text.trim() === '' ? undefined : take(text, step(step(path, 'children'), start))
    made.push(...(given === undefined || given === text ? run : decode(given, run, tree)))
    run = []
  }
  for (const [at, child] of children.entries()) {
    if (isObject(child) && tree.isInline(child)) {
      if (run.length === 0) start = at
      visitBlock(child, step(step(path, 'children'), at), visit)
      run.push(child)
      continue
    }
    flush()
    if (isObject(child)) {
      const here = step(step(path, 'children'), at)
      visitBlock(child, here, visit)
      visitChildren(child, here, visit)
    }
    made.push(child)
  }
  flush()
  parent.children = made
}

/** A block in rich text has fields of its own, which the schema names by its blockType. */
function visitBlock(node: Members, path: string, { schema, inside }: Visit): void {
  const fields = own(node, 'fields')
  if (!/^(inlineB|b)lock$/.test(String(node.type)) || !isObject(fields)) return
  const block = own(schema.blocks ?? {}, String(fields.blockType)) as Schema | undefined
  if (block) inside(fields, block, step(path, 'fields'))
}
