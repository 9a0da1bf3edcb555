/**
 * Writes some characters of a text in another way, as references or escapes. What is between them
 * is copied in whole runs, so that a long text costs little more than copying it.
 */

/** `spellings` has the characters, or halves of one, that the source writes in its own way. */
export function respell(
  text: string,
  spellings: ReadonlyMap<string, string>,
  rules: Rules,
): string {
  const rewrite = (run: string) =>
    run.search(rules.special) < 0 ? run : run.replace(rules.special, rules.spell)
  if (spellings.size === 0) return rewrite(text)
  const firstUnits = new Set<number>()
  for (const [character, spelling] of spellings) {
    const unit = character.charCodeAt(0)
    if (unit > 127 || rules.spell(character) !== spelling) firstUnits.add(unit)
  }
  if (firstUnits.size === 0) return rewrite(text)
  const runs: string[] = []
  let from = 0
  const copyTo = (end: number): void => {
    if (end > from) runs.push(rewrite(text.slice(from, end)))
  }
  for (let at = 0; at < text.length; at += 1) {
    if (!firstUnits.has(text.charCodeAt(at))) continue
    const character = String.fromCodePoint(text.codePointAt(at) ?? 0)
    const taken = spellings.has(character) ? character : text.charAt(at)
    const spelling = spellings.get(taken)
    if (spelling === undefined) continue
    copyTo(at)
    runs.push(spelling)
    from = at + taken.length
    at = from - 1
  }
  copyTo(text.length)
  return runs.join('')
}

type Rules = {
  /** The characters that need another spelling here, one by one, with the flag `g`. */
  readonly special: RegExp
  readonly spell: (character: string) => string
}
