/** The digits that the checks read, and how a language writes a number with them. */
import type { Language } from './language.ts'

/** The names are those of CLDR. */
const systems: readonly (readonly [zero: number, name: string])[] = [
  [0x30, 'latn'],
  [0x660, 'arab'],
  [0x6f0, 'arabext'],
  [0x966, 'deva'],
  [0x9e6, 'beng'],
  [0xa66, 'guru'],
  [0xae6, 'gujr'],
  [0xbe6, 'tamldec'],
  [0xc66, 'telu'],
  [0xce6, 'knda'],
  [0xd66, 'mlym'],
  [0xe50, 'thai'],
  [0xed0, 'laoo'],
  [0x1040, 'mymr'],
  [0x17e0, 'khmr'],
  [0xff10, 'fullwide'],
]

/** The numbering system of a digit. */
const systemOf = (code: number) => systems.find(([zero]) => code >= zero && code <= zero + 9)

export function digitOf(code: number): number {
  if (code < 0x660) return code >= 0x30 && code <= 0x39 ? code - 0x30 : -1
  const [zero] = systemOf(code) ?? []
  return zero === undefined ? -1 : code - zero
}

/** The digits of a number, as 0 to 9. */
export function latin(text: string): string {
  if (/^\d*$/.test(text)) return text
  let digits = ''
  for (let at = 0; at < text.length; at += 1) {
    const digit = digitOf(text.charCodeAt(at))
    if (digit >= 0) digits += digit
  }
  return digits
}

/** The digits in which a number is written: that of its first character. */
const digitsLike = (number: string) => {
  const [zero, name] = systemOf(number.charCodeAt(0)) ?? [0x30, 'latn']
  return {
    name,
    write: (digits: string) =>
      digits.replace(/\d/g, (digit) => String.fromCharCode(zero + Number(digit))),
  }
}

type Written = { readonly raw: string; readonly value: string }

/** More decimals than this are no number that a person writes. */
const mostDecimals = 15

/**
 * 1,000.50 for German is 1.000,50. It keeps its decimals and whether it is grouped; the digits are
 * those of the number in its place.
 */
export function writtenIn({ code, base }: Language, number: Written, inPlaceOf: Written): string {
  const digits = latin(number.raw)
  const { name, write } = digitsLike(inPlaceOf.raw)
  const marks = number.raw.length - digits.length
  if (marks === 0) return write(digits)
  const [whole = ''] = number.value.split('.', 1)
  const decimals = digits.length - whole.length
  if (decimals < 0 || decimals > mostDecimals || !digits.startsWith(whole)) return number.raw
  const options = {
    numberingSystem: name,
    useGrouping: marks > (decimals > 0 ? 1 : 0),
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  }
  const value = `${whole}.${digits.slice(whole.length) || '0'}` as `${number}`
  for (const locale of [code, base])
    try {
      return new Intl.NumberFormat(locale, options).format(value)
    } catch {
      // Not a code that Intl reads.
    }
  return number.raw
}
