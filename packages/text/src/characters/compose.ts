/**
 * NFC in linear time. The engine sorts a run of combining marks by swapping neighbours: 100,000 of
 * them take minutes. No script puts more than a few on a letter, so a longer run is composed in
 * pieces.
 */
const longest = 256

export function compose(text: string): string {
  if (text.length <= longest || !/\p{M}{257}/u.test(text)) return text.normalize('NFC')
  const pieces: string[] = []
  let from = 0
  const cutAt = (at: number) => {
    pieces.push(text.slice(from, at).normalize('NFC'))
    from = at
  }
  for (const { index, 0: run } of text.matchAll(/\p{M}+/gu))
    for (let at = index + longest; at < index + run.length; at += longest)
      cutAt(isHalf(text, at) ? at + 1 : at)
  cutAt(text.length)
  return pieces.join('')
}

/** Whether this is the second half of a surrogate pair. */
const isHalf = (text: string, at: number): boolean => (text.charCodeAt(at) & 0xfc00) === 0xdc00
