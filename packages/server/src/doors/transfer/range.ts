/** The header Range (RFC 9110, section 14.2), for bytes only. */
export type Span = { readonly start: number; readonly end: number }

/** More ranges than a client needs are a way to waste work: the whole file is sent instead. */
const maxSpans = 16

export function parseRange(
  header: string | undefined,
  size: number,
): 'whole' | 'unsatisfiable' | Span[] {
  const list = /^bytes=(.+)$/i.exec(header?.trim() ?? '')?.[1]
  if (!list) return 'whole'
  const given = list
    .split(',', maxSpans + 1)
    .map((one) => /^(\d{0,15})-(\d{0,15})$/.exec(one.trim()))
  // An unreadable header is ignored, as the standard requires.
  if (given.length > maxSpans || given.some((one) => !one || (one[1] === '' && one[2] === '')))
    return 'whole'
  const spans: Span[] = []
  for (const one of given) {
    const [first, last] = [one?.[1] ?? '', one?.[2] ?? '']
    if (first !== '' && last !== '' && Number(first) > Number(last)) return 'whole'
    const start = first === '' ? Math.max(0, size - Number(last)) : Number(first)
    const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1)
    if (start <= end && start < size && !(first === '' && Number(last) === 0))
      spans.push({ start, end })
  }
  if (spans.length === 0) return 'unsatisfiable'
  // Overlapping ranges that add up to more than the file waste work in the same way.
  const total = spans.reduce((sum, span) => sum + span.end - span.start + 1, 0)
  return total > size && spans.length > 1 ? 'whole' : spans
}
