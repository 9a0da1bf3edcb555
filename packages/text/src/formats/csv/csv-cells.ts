/**
 * What a cell of a table holds besides text: formulas, dates, numbers, keys; and the apostrophe
 * that keeps a text from being run.
 */

/** Whether a spreadsheet would evaluate it; a dash before a word is only a dash. */
export const isFormula = (value: string): boolean =>
  !/^\w/.test(value) && /^\s*(?:[=@]|[+-][\d(.=]|[+-]\w+\()/.test(value)

/** A leading apostrophe, as in the tables that the console exports. */
export const withGuard = (text: string): string =>
  /^[=+\-@\t\r]/.test(text) && !isNumber(text) ? `'${text}` : text
export const withoutGuard = (value: string): string =>
  /^'[=+\-@]/.test(value) ? value.slice(1) : value

const isNumber = (text: string): boolean => /^-?\d{1,32}(?:\.\d{1,32})?$/.test(text)

const keyNames =
  /^(?:(?:string|text|message|msg|translation|resource|row|record|entry|item)[ _-]?)?(?:keys?|ids?|identifier|guid|uuid)$/i

/** Whether a column has the keys by which a program finds its rows. */
export const isKeyColumn = (name: string): boolean => name.length < 64 && keyNames.test(name)

const months =
  'jan(?:uary)? feb(?:ruary)? mar(?:ch)? apr(?:il)? may june? july? aug(?:ust)? sept?(?:ember)? oct(?:ober)? nov(?:ember)? dec(?:ember)?'
const month = String.raw`(?:${months.replaceAll(' ', '|')})\.?`
const weekday = String.raw`(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]{0,6},?\s{1,4})?`
const zone = String.raw`(?:\s?(?:z|utc|gmt|[+-]\d{2}:?\d{2}))?`
const clock = String.raw`\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?(?:\s?[ap]\.?m\.?)?${zone}`
const year = String.raw`(?:,?[ -]\d{2,4})?`
const days = [
  String.raw`\d{1,4}[-./]\d{1,2}[-./]\d{1,4}`,
  String.raw`${weekday}\d{1,2}(?:st|nd|rd|th|\.)?[ -]${month}${year}`,
  String.raw`${weekday}${month}[ -]\d{1,2}(?:st|nd|rd|th)?${year}`,
]
const date = new RegExp(`^(?:(?:${days.join('|')})(?:[T, ]{1,3}${clock})?|${clock})$`, 'i')
/** A number may have an exponent or a currency, or be hexadecimal. */
const number =
  /^(?:[+-]?\d[\d.,]{0,32}e[+-]?\d{1,4}|0x[\da-fA-F]{1,32}|[A-Z]{3} ?[+-]?\d[\d.,' \u00a0]{0,32}|[+-]?\d[\d.,' \u00a0]{0,32}[A-Z]{3})$/

/** Whether it is a date, a time or a number in a spelling with letters. */
export function isData(value: string): boolean {
  const text = value.trim()
  return text.length <= 64 && (date.test(text) || number.test(text))
}
