/**
 * CSV that no spreadsheet reads as a formula: such cells get a leading apostrophe. Numbers are
 * unchanged.
 */

/** Amounts as the hub writes them: they may begin with a minus. */
const isNumber = (text: string): boolean => /^-?\d+(\.\d+)?$/.test(text)

function cell(value: string | number | undefined): string {
  const text = String(value ?? '')
  const safe = !isNumber(text) && '=+-@\t\r'.includes(text[0] ?? ' ') ? `'${text}` : text
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

export const csvOf = (rows: readonly (readonly (string | number | undefined)[])[]): string =>
  rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('')
