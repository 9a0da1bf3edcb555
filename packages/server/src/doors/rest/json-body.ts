/**
 * Reads a JSON body strictly: UTF-8, bounded depth, no name twice in one object, no `__proto__`, no text that the stores
 * cannot keep (NUL, half of a surrogate pair). One pass over the text and one over the value, both linear.
 */
import { isUtf8 } from 'node:buffer'
import { HubError, limits } from '@dragoman/contract'

export function readJson(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) refuse('it is not UTF-8.')
  const text = bytes.toString('utf8')
  const names = scan(text)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    refuse(`it is not JSON: ${(error as Error).message}.`)
  }
  const found = { names: 0 }
  inspect(value, found, text.includes('\\u') || text.includes('\0'))
  // Every name stands before a colon: fewer names in the value than colons in the text means one stood twice.
  if (found.names < names) refuse('an object has the same name twice.')
  return value
}

/** Counts the names (colons outside strings) and refuses what is nested too deep, before anything recursive sees it. */
function scan(text: string): number {
  let depth = 0
  let names = 0
  for (let at = 0; at < text.length; at += 1) {
    switch (text.charCodeAt(at)) {
      case 0x22:
        at = endOfString(text, at)
        break
      case 0x3a:
        names += 1
        break
      case 0x5b:
      case 0x7b:
        depth += 1
        if (depth > limits.jsonDepth) refuse(`it is nested more than ${limits.jsonDepth} levels deep.`)
        break
      case 0x5d:
      case 0x7d:
        depth -= 1
    }
  }
  return names
}

function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1)
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end === -1 ? text.length : end
}

function isEscaped(text: string, at: number): boolean {
  let slashes = 0
  while (text.charCodeAt(at - 1 - slashes) === 0x5c) slashes += 1
  return slashes % 2 === 1
}

/** Texts can hold a NUL or a lone surrogate only where the body wrote an escape. */
function inspect(value: unknown, found: { names: number }, escapes: boolean): void {
  if (typeof value === 'string') {
    if (escapes) mustBeText(value)
  } else if (Array.isArray(value)) {
    for (const item of value) inspect(item, found, escapes)
  } else if (typeof value === 'object' && value !== null) {
    // What was parsed has no names but its own.
    for (const name in value) {
      found.names += 1
      if (name === '__proto__') refuse('the name __proto__ is not allowed.')
      if (escapes) mustBeText(name)
      inspect((value as Record<string, unknown>)[name], found, escapes)
    }
  }
}

function mustBeText(text: string): void {
  if (text.includes('\0')) refuse('a text holds the character NUL, which is not allowed.')
  if (!text.isWellFormed()) refuse('a text holds half of a surrogate pair, which is not a character.')
}

function refuse(because: string): never {
  throw new HubError('INVALID_REQUEST', { because })
}
