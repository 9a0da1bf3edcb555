/** Texts that break programs, and seeded choices among them. */
import type { Chance } from './history-walk.ts'

export const pick = <T>(chance: Chance, from: readonly T[]): T =>
  from[Math.floor(chance() * from.length)] as T

const nasty: readonly string[] = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  'x\udfff',
  '\ufeff',
  '\u00a0\u2028\u2029\u200b',
  'e\u0301\u0323',
  '\u{1f9e6}'.repeat(40),
  '\u202egnp.exe',
  'null',
  'undefined',
  'true',
  '0',
  '-1',
  '1e400',
  'NaN',
  '9007199254740993',
  '99999999999999999999',
  '-0',
  '0x10',
  "' or 1=1 --",
  '"; drop table jobs; --',
  '%00',
  '%',
  '%zz',
  '%c0%ae',
  '..',
  '../../../etc/passwd',
  '..\\..\\x',
  'C:\\con',
  '{}',
  '[]',
  '#{7*7}',
  '{{7*7}}',
  '<script>alert(1)</script>',
  '<!DOCTYPE x [<!ENTITY a "b">]>&a;',
  'a\r\nx-evil: 1',
  '\t',
  '\\',
  '"',
  "'",
  '\u0007\u001b[31m',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'http://169.254.169.254/latest',
  'http://[::1]:1/',
  'file:///etc/passwd',
  'javascript:alert(1)',
  '2026-02-30',
  '+275760-09-13T00:00:00Z',
  '0000-00-00T00:00:00Z',
  '0001-01-01T00:00:00+23:59',
  'xx-xx-xx-xx',
  'i-klingon',
  '\u0130',
  '\ufdfa'.repeat(20),
]

/** A text of the list, a long one, or random bytes. */
export function nastyText(chance: Chance): string {
  const one = pick(chance, nasty)
  const how = chance()
  if (how < 0.7) return one
  if (how < 0.85) return (one || 'x').repeat(1 + Math.floor(chance() * 300))
  if (how < 0.9) return 'y'.repeat(Math.floor(chance() * 70_000))
  return Array.from({ length: 1 + Math.floor(chance() * 30) }, () =>
    String.fromCharCode(Math.floor(chance() * (chance() < 0.5 ? 256 : 65_536))),
  ).join('')
}
