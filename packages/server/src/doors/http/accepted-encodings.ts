/** Reads `Accept-Encoding` (RFC 9110, section 12.5.3), for answers that are kept compressed. */

/**
 * Those of our encodings that the caller accepts, in our order. `q=0` refuses an encoding, and `*`
 * stands for those that the header does not name. Other weights are ignored: we send the smallest
 * encoding that the caller accepts.
 */
export function acceptedEncodings<const E extends string>(
  header: string | string[] | undefined,
  ours: readonly E[],
): E[] {
  const taken = new Map<string, boolean>()
  for (const one of String(header ?? '').split(',')) {
    const [name = '', ...parameters] = one.split(';').map((part) => part.trim().toLowerCase())
    if (name !== '') taken.set(name, !parameters.some(isZero))
  }
  return ours.filter((encoding) => taken.get(encoding) ?? taken.get('*') ?? false)
}

/** q=0, also spelled 0.0 or q = 0. */
function isZero(parameter: string): boolean {
  const [name, value] = parameter.split('=').map((part) => part.trim())
  return name === 'q' && value !== undefined && value !== '' && Number(value) === 0
}
