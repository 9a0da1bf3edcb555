/**
 * The root element of an XML file, from its beginning alone. Truncated and non-XML text has none.
 */

export type RootTag = {
  readonly name: string
  readonly local: string
  readonly attribute: (name: string) => string | undefined
}

export function rootOf(head: string): RootTag | undefined {
  const tag = firstTag(head)
  const name = /^<([^\s/>]+)/.exec(tag ?? '')?.[1]
  if (tag === undefined || name === undefined) return undefined
  const attributes = new Map(
    [...tag.matchAll(/\s([^\s=/>"']+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g)].map((one) => [
      one[1],
      one[2] ?? one[3],
    ]),
  )
  return { name, local: name.slice(name.indexOf(':') + 1), attribute: (key) => attributes.get(key) }
}

/** The first tag after the declaration, comments, instructions and a DOCTYPE. */
function firstTag(head: string): string | undefined {
  let at = head.startsWith('\ufeff') ? 1 : 0
  for (;;) {
    while (/\s/.test(head.charAt(at))) at += 1
    if (head[at] !== '<') return undefined
    const closing = head.startsWith('<!--', at)
      ? '-->'
      : head.startsWith('<?', at)
        ? '?>'
        : undefined
    const isDoctype = head.startsWith('<!', at) && closing === undefined
    const end =
      closing === undefined
        ? endOf(head, at, isDoctype)
        : head.indexOf(closing, at + 2) + closing.length
    if (end <= at + 2) return undefined
    if (closing === undefined && !isDoctype) return head.slice(at, end)
    at = end
  }
}

/**
 * The end of the tag: a `>` that is not in quotes, in a comment, or in the brackets of a DOCTYPE.
 */
function endOf(head: string, from: number, isDoctype: boolean): number {
  const marks = isDoctype ? /["'[\]>]|<!--/g : /["'>]/g
  marks.lastIndex = from + 2
  let inside = false
  for (let found = marks.exec(head); found; found = marks.exec(head)) {
    const [mark] = found
    if (mark === '>' && !inside) return found.index + 1
    if (mark === '[' || mark === ']') inside = mark === '['
    if (mark !== '"' && mark !== "'" && mark !== '<!--') continue
    const closing = head.indexOf(mark === '<!--' ? '-->' : mark, found.index + mark.length)
    if (closing < 0) return -1
    marks.lastIndex = closing + 1
  }
  return -1
}
