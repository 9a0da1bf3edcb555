/**
 * Tells from the beginning of a PHP file whether it only returns an array. A program is not
 * recognised, even if its functions return arrays.
 */

/** Statements that may come before the return. */
const before = /(?:declare|namespace|use|defined|if)\b/y
const returned = /return\s{0,64}(?:\[|array\s{0,64}\()/y

export function returnsArray(head: string): boolean {
  let at = head.startsWith('\ufeff') ? 1 : 0
  if (!/^<\?php\s/.test(head.slice(at, at + 6))) return false
  for (at += 5; ; ) {
    at = skipTrivia(head, at)
    before.lastIndex = at
    returned.lastIndex = at
    if (returned.test(head)) return true
    const end = before.test(head) ? head.indexOf(';', at) : -1
    if (end < 0) return false
    at = end + 1
  }
}

/** Skips whitespace, comments, and the end of a block. */
function skipTrivia(head: string, from: number): number {
  let at = from
  for (;;) {
    while (/[\s}]/.test(head.charAt(at))) at += 1
    if (/^(?:#|\/\/)/.test(head.slice(at, at + 2))) at = lineEnd(head, at)
    else if (head.startsWith('/*', at)) {
      const end = head.indexOf('*/', at + 2)
      at = end < 0 ? head.length : end + 2
    } else return at
  }
}

/** A CR by itself also ends a line. */
function lineEnd(head: string, from: number): number {
  let at = from
  while (at < head.length && head[at] !== '\n' && head[at] !== '\r') at += 1
  return at
}
