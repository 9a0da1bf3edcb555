/**
 * The regular expressions of a source file: its literals, and where one is put together with `new
 * RegExp`.
 */
export type FoundRegex = {
  readonly line: number
  /** Without its slashes; the text of the arguments where `built`. */
  readonly source: string
  readonly flags: string
  readonly built: boolean
}

/** After one of these a slash begins a regular expression; after anything else it divides. */
const beginners = new Set([
  ...'(,=:[!&|?{};<>+-*%~^',
  'return',
  'typeof',
  'case',
  'in',
  'of',
  'do',
  'else',
  'void',
  'yield',
  'await',
])

export function findRegexes(text: string): FoundRegex[] {
  const found: FoundRegex[] = []
  const lineAt = (at: number): number => text.slice(0, at).split('\n').length
  /**
   * The braces of templates that we are inside of; each is the depth of braces at which it ends.
   */
  const templates: number[] = []
  let depth = 0
  let before = ''
  for (let at = 0; at < text.length; ) {
    const two = text.slice(at, at + 2)
    const one = text.charAt(at)
    if (/\s/.test(one)) at += 1
    else if (two === '//') at = endOf(text, '\n', at)
    else if (two === '/*') at = endOf(text, '*/', at)
    else if (one === '"' || one === "'") {
      at = endOfQuoted(text, at)
      before = 'text'
    } else if (one === '`' || (one === '}' && templates.at(-1) === depth)) {
      if (one === '}') templates.pop()
      const end = endOfTemplate(text, at + 1)
      if (end.inside) templates.push(depth)
      at = end.at
      before = end.inside ? '(' : 'text'
    } else if (one === '/' && beginners.has(before)) {
      const end = endOfRegex(text, at)
      const flags = /^[a-z]*/.exec(text.slice(end))?.[0] ?? ''
      found.push({ line: lineAt(at), source: text.slice(at + 1, end - 1), flags, built: false })
      at = end + flags.length
      before = 'text'
    } else if (/[\w$]/.test(one)) {
      const word = /^[\w$]+/.exec(text.slice(at, at + 200))?.[0] ?? one
      if (word === 'RegExp' && text.charAt(at + word.length) === '(')
        found.push({
          line: lineAt(at),
          source: callAt(text, at),
          flags: '',
          built: true,
        })
      at += word.length
      before = word
    } else {
      if (one === '{') depth += 1
      if (one === '}') depth -= 1
      at += 1
      before = one
    }
  }
  return found
}

/** The first line of a call, with the lines of its arguments where it has its own for each. */
function callAt(text: string, from: number): string {
  const first = text.slice(from, endOf(text, '\n', from)).trim()
  return first.endsWith('(') ? text.slice(from, endOf(text, '\n  )', from)).trim() : first
}

function endOf(text: string, mark: string, from: number): number {
  const at = text.indexOf(mark, from)
  return at < 0 ? text.length : at + mark.length
}

function endOfQuoted(text: string, start: number): number {
  let at = start + 1
  while (at < text.length && text[at] !== text[start]) at += text[at] === '\\' ? 2 : 1
  return at + 1
}

/** To its end, or to the brace of an expression inside. */
function endOfTemplate(text: string, start: number): { at: number; inside: boolean } {
  let at = start
  while (at < text.length) {
    if (text[at] === '`') return { at: at + 1, inside: false }
    if (text.startsWith('${', at)) return { at: at + 2, inside: true }
    at += text[at] === '\\' ? 2 : 1
  }
  return { at, inside: false }
}

function endOfRegex(text: string, start: number): number {
  let inClass = false
  let at = start + 1
  while (at < text.length && (inClass || text[at] !== '/')) {
    if (text[at] === '[') inClass = true
    if (text[at] === ']') inClass = false
    at += text[at] === '\\' ? 2 : 1
  }
  return at + 1
}
