/** Quick answers about the characters of a text. Most texts are decided by their first letter. */

export function hasLetter(text: string): boolean {
  let isAscii = true
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if ((code >= 97 && code <= 122) || (code >= 65 && code <= 90)) return true
    if (code > 127) isAscii = false
  }
  return !isAscii && /\p{L}/u.test(text)
}

export function isBlank(text: string): boolean {
  const code = text.charCodeAt(0)
  return !(code > 32 && code < 127) && !/\S/.test(text)
}

/** Whether it has no quote, backslash or control, and so nothing to escape between quotes. */
export function isOrdinary(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code < 32 || code === 0x22 || code === 0x5c || (code >= 0x7f && code <= 0x9f)) return false
  }
  return true
}
