/**
 * Measures how large and how deep an object of free shape is, without walking further than allowed.
 */
import { type Findings, tell } from './findings.ts'
import type { Node } from './schema-node.ts'

export function sizeCheck({
  maxJsonBytes = Number.POSITIVE_INFINITY,
  maxDepth = Number.POSITIVE_INFINITY,
}: Node) {
  return (value: object, findings: Findings): void => {
    if (isLarger(value, maxJsonBytes))
      tell(findings, `has more than ${maxJsonBytes} bytes`, { maxBytes: maxJsonBytes })
    else if (depthOf(value) > maxDepth)
      tell(findings, `is nested more than ${maxDepth} levels deep`)
  }
}

const isLarger = (value: object, most: number): boolean =>
  least(value, most) > most || Buffer.byteLength(JSON.stringify(value)) > most

/** A lower bound of the value's JSON in bytes; counting stops above `most`. */
function least(value: unknown, most: number): number {
  if (typeof value === 'string') return Buffer.byteLength(value) + 2
  if (typeof value !== 'object' || value === null) return 1
  let bytes = 2
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length && bytes <= most; at += 1)
      bytes += 1 + least(value[at], most - bytes)
    return bytes - 1
  }
  for (const name in value) {
    bytes +=
      Buffer.byteLength(name) + 4 + least((value as Record<string, unknown>)[name], most - bytes)
    if (bytes > most) break
  }
  return bytes - 1
}

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  let deepest = 0
  for (const name in value)
    deepest = Math.max(deepest, depthOf((value as Record<string, unknown>)[name]))
  return deepest + 1
}
