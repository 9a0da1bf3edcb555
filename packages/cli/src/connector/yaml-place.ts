/**
 * YAML with positions: its value, and errors that begin with the `file:line:column` of any part of
 * it.
 */
import { basename } from 'node:path'
import { UsageError } from '../command.ts'

export type Located = {
  readonly value: unknown
  /** The error at this path of keys, with its position. */
  fault(path: readonly (string | number)[], says: string): UsageError
}

export async function locate(text: string, file: string): Promise<Located> {
  const { isMap, isPair, isNode, LineCounter, parseDocument } = await import('yaml')
  const lineCounter = new LineCounter()
  const document = parseDocument(text, { lineCounter, prettyErrors: false })
  const at = (offset: number, says: string) => {
    const { line, col } = lineCounter.linePos(offset)
    return new UsageError(`${basename(file)}:${Math.max(1, line)}:${Math.max(1, col)}: ${says}`)
  }
  const [broken] = document.errors
  if (broken) throw at(broken.pos[0], `${broken.message.replace(/\.?$/, '.')}`)
  const offsetOf = (path: readonly (string | number)[]): number => {
    const key = path.at(-1)
    const parent = path.length === 1 ? document.contents : document.getIn(path.slice(0, -1), true)
    // In a pair, the error's position is that of the key.
    if (isMap(parent)) {
      const pair = parent.items.find(
        (one) => isPair(one) && isNode(one.key) && one.key.toJSON() === key,
      )
      if (pair && isNode(pair.key)) return pair.key.range?.[0] ?? 0
    }
    const node = document.getIn(path, true)
    return isNode(node) ? (node.range?.[0] ?? 0) : 0
  }
  return {
    value: document.toJS(),
    fault: (path, says) => at(path.length === 0 ? 0 : offsetOf(path), says),
  }
}
