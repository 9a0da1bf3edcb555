/** YAML scalars: which plain ones are text, and how to write a text in the style of its scalar. */

/** What YAML 1.1 or 1.2 does not read as a string: null, booleans, numbers, times, merges. */
const special =
  /^(?:~|null|true|false|yes|no|on|off|y|n|=|<<|\.nan|[-+]?\.inf|[-+]?0x[\da-f_]+|[-+]?0o?[0-7_]+|[-+]?0b[01_]+|[-+]?\d[\d_]*(?::\d{1,2})*(?:\.[\d_]*)?(?:e[-+]?\d+)?|[-+]?\.\d[\d_]*(?:e[-+]?\d+)?|\d{4}-\d\d?-\d\d?(?:[t ].*)?)$/i

/** A longer scalar is neither a number nor a time. */
const isSpecial = (text: string): boolean =>
  text === '' || (text.length <= 64 && special.test(text))

export const isText = (plain: string): boolean => !isSpecial(plain)

/**
 * What only double quotes can hold: controls, line ends of YAML 1.1, byte order marks, lone
 * surrogates.
 */
const needsEscape = /[\p{Cc}\u2028\u2029\ufeff\ufffe\uffff\p{Cs}]/u

/**
 * Letters, digits, blanks and marks without a meaning in YAML, from a letter to a letter or a mark:
 * like most texts.
 */
const isPlainest = /^[A-Za-z\u00c0-\u167f][\w\u00c0-\u167f .,;!?()/'"%$+*=<>-]*(?<! )$/

function isPlainSafe(text: string, inFlow: boolean): boolean {
  if (!inFlow && isPlainest.test(text)) return !isSpecial(text)
  if (isSpecial(text) || needsEscape.test(text) || text.trim() !== text) return false
  if (/^(?:[,[\]{}#&*!|>'"%@`]|[-?:](?:\s|$)|---|\.\.\.)/.test(text)) return false
  if (/:(?:\s|$)|\s#/.test(text)) return false
  return !inFlow || !(/[,[\]{}]/.test(text) || /^[-?:]/.test(text) || text.includes(':'))
}

export type FlowStyle = 'plain' | 'single' | 'double'

/** Writes a text on one line, in the style of the source if that can hold it. */
export function spellFlow(text: string, style: FlowStyle, inFlow: boolean): string {
  if (style === 'plain' && isPlainSafe(text, inFlow)) return text
  if (style === 'single' && !needsEscape.test(text)) return `'${text.replaceAll("'", "''")}'`
  return `"${text.replace(/["\\]|[\p{Cc}\u2028\u2029\ufeff\ufffe\uffff\p{Cs}]/gu, escapeOne)}"`
}

const letters: Record<string, string> = {
  '"': '\\"',
  '\\': '\\\\',
  '\n': '\\n',
  '\t': '\\t',
  '\r': '\\r',
}
function escapeOne(character: string): string {
  const code = character.charCodeAt(0)
  return letters[character] ?? (code < 256 ? `\\x${hex(code, 2)}` : `\\u${hex(code, 4)}`)
}
const hex = (code: number, digits: number): string =>
  code.toString(16).toUpperCase().padStart(digits, '0')

/**
 * The lines of a block, each with its indentation. A folded block needs an empty line for each line
 * end, except next to a line that starts with a blank.
 */
export function spellBlock(text: string, { folds, indent, eol }: BlockStyle): string {
  const lines = text.trim().split(/\r\n|\r|\n/)
  let written = ''
  let last = lines[0] ?? ''
  let gap = 0
  lines.forEach((line, at) => {
    if (at > 0) gap += 1
    if (line.trim() === '') return
    const isLoose = /^\s/.test(line) || /^\s/.test(last)
    if (at > 0) written += eol.repeat(folds && !isLoose ? gap + 1 : gap) + indent
    written += line.trimEnd()
    last = line
    gap = 0
  })
  return written
}

export type BlockStyle = { readonly folds: boolean; readonly indent: string; readonly eol: string }

export const canBeInBlock = (text: string): boolean =>
  !/(?![\n\r\t])[\p{Cc}\ufffe\uffff\p{Cs}]/u.test(text)
