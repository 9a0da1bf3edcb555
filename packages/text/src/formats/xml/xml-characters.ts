/**
 * Characters that XML 1.0 cannot hold, not even as references: most controls, lone surrogates,
 * U+FFFE and U+FFFF.
 */
const outside = /[^\t\n\r\x20-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u

/** The first of them in the text, such as `U+0001`. */
export function findOutsideXml(text: string): string | undefined {
  const letter = outside.exec(text)?.[0]
  return letter === undefined ? undefined : numberOf(letter)
}

const numberOf = (letter: string): string =>
  `U+${(letter.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
