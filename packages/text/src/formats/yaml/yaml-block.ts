/**
 * The value of a block scalar, apart from blank lines at its ends, which no caller uses. Undefined
 * for what only the library can judge: tabs and carriage returns. The lines must be indented as
 * `blockExtent` requires.
 */
export function blockValue(header: string, source: string): string | undefined {
  if (source.includes('\t') || source.includes('\r')) return undefined
  const lines = source.split('\n')
  const first = lines.find((line) => line.trimStart() !== '') ?? ''
  const indent = first.length - first.trimStart().length
  return header.startsWith('|')
    ? lines.map((line) => line.slice(indent)).join('\n')
    : fold(lines, indent)
}

/** Line ends become blanks, except beside empty lines and lines that are indented deeper. */
function fold(lines: readonly string[], indent: number): string {
  let [value, between, wasDeeper] = ['', '', false]
  for (const line of lines) {
    const said = line.slice(indent)
    if (said.startsWith(' ')) {
      if (between === ' ') between = '\n'
      else if (!wasDeeper && between === '\n') between = '\n\n'
      value += between + said
      between = '\n'
      wasDeeper = true
    } else if (said === '') {
      if (between === '\n') value += '\n'
      else between = '\n'
    } else {
      value += between + said
      between = ' '
      wasDeeper = false
    }
  }
  return value
}
