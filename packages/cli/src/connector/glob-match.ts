/**
 * Whether a path matches a pattern of `files`, without looking at the disk: `*`, `**`, `?`,
 * `{a,b}`, or the name of a file or folder. The time is at most proportional to the length of the
 * pattern times that of the path.
 */

/** Syntax that only a search of the disk supports; an entry with its own output may not use it. */
export const isTooClever = (pattern: string): boolean => /[[\]()!\\]/.test(pattern)
const isGlob = (text: string): boolean => /[*?{}[\]()!]/.test(text)

export function matchesGlob(pattern: string, path: string): boolean {
  return alternatives(clean(pattern)).some((one) => {
    if (!isGlob(one)) return path === one || path.startsWith(`${one}/`)
    return matchesParts(one.split('/'), path.split('/'))
  })
}

/**
 * The path below the fixed folders of the pattern: `blog/a.md` of `content/en/blog/a.md` for
 * `content/en/**`.
 */
export function restOf(pattern: string, path: string): string {
  const fixed = fixedFolder(pattern)
  if (fixed === '') return path
  return path !== fixed && path.startsWith(`${fixed}/`)
    ? path.slice(fixed.length + 1)
    : (path.split('/').at(-1) ?? path)
}

/**
 * The folders before the first wildcard. A pattern without wildcards is taken whole, whether it
 * names a file or a folder.
 */
function fixedFolder(pattern: string): string {
  const parts = clean(pattern).split('/')
  const wild = parts.findIndex(isGlob)
  return parts.slice(0, wild < 0 ? parts.length : wild).join('/')
}

const clean = (pattern: string): string => pattern.replace(/^(\.\/)+/, '').replace(/\/$/, '')

/** `a/{b,c}.md` as `a/b.md` and `a/c.md`; braces cannot be nested. */
function alternatives(pattern: string): string[] {
  const open = pattern.indexOf('{')
  const close = pattern.indexOf('}', open)
  if (open < 0 || close < 0) return [pattern]
  const rest = alternatives(pattern.slice(close + 1))
  return pattern
    .slice(open + 1, close)
    .split(',')
    .flatMap((choice) => rest.map((end) => `${pattern.slice(0, open)}${choice}${end}`))
}

function matchesParts(wanted: readonly string[], given: readonly string[]): boolean {
  return wildMatch(wanted, given, '**', matchesPart)
}

const matchesPart = (wanted: string, given: string): boolean =>
  wildMatch([...wanted], [...given], '*', (want, character) => want === '?' || want === character)

/**
 * Backtracks to the last wildcard only, so it never takes more steps than the product of both
 * lengths.
 */
function wildMatch(
  wanted: readonly string[],
  given: readonly string[],
  wild: string,
  fits: (want: string, one: string) => boolean,
): boolean {
  let [want, at, star, from] = [0, 0, -1, 0]
  while (at < given.length) {
    const next = wanted[want]
    if (next === wild) {
      star = want
      from = at
      want += 1
    } else if (next !== undefined && fits(next, given[at] ?? '')) {
      want += 1
      at += 1
    } else if (star >= 0) {
      want = star + 1
      from += 1
      at = from
    } else return false
  }
  return wanted.slice(want).every((one) => one === wild)
}
