/**
 * What reaches a terminal: names of jobs, files and people come from others, and must not move its
 * cursor, retitle its window or turn the direction of a line. Such characters are shown as JSON
 * writes them, so that JSON stays the same value.
 */

const unprintable =
  /(?![\t\n])\p{Cc}|[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufff9-\ufffb]/gu
/** Behind the escape: the colours of table.ts. */
const colour = /^\[(?:[012]|3[123])m/

/** With `hasColour`, the colours of this program stay. */
export const printable = (text: string, hasColour = false): string =>
  text.replace(/\r\n/g, '\n').replace(unprintable, (one, at: number, whole: string) => {
    const code = one.charCodeAt(0)
    if (hasColour && code === 27 && colour.test(whole.slice(at + 1, at + 5))) return one
    return `\\u${code.toString(16).padStart(4, '0')}`
  })

/** What a screen says about colour. */
type Coloured = {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly isTerminal: { readonly out: boolean; readonly err: boolean }
}

/**
 * FORCE_COLOR decides first (0 means never), then NO_COLOR; otherwise only a terminal gets colour.
 */
export function hasColour({ env, isTerminal }: Coloured, to: 'out' | 'err' = 'out'): boolean {
  if (env.FORCE_COLOR) return !['0', 'false'].includes(env.FORCE_COLOR)
  return isTerminal[to] && !env.NO_COLOR && env.TERM !== 'dumb'
}
