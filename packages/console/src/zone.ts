/**
 * The time zone of the person: chosen in My settings, else the browser's. A field for a date and a
 * time has no zone of its own; it shows and takes the time of this zone.
 */
import { storedChoice } from './stored-choices.ts'

export const browserZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone
export const zone = (): string => storedChoice('zone') || browserZone()

const made = new Map<string, Intl.DateTimeFormat>()

function partsIn(timeZone: string): Intl.DateTimeFormat {
  const digits = '2-digit'
  const format =
    made.get(timeZone) ??
    new Intl.DateTimeFormat('en-u-ca-gregory-nu-latn', {
      ...{ timeZone, hourCycle: 'h23', year: 'numeric', month: digits, day: digits },
      ...{ hour: digits, minute: digits, second: digits },
    })
  made.set(timeZone, format)
  return format
}

/** The time as such a field has it: `2026-11-18T14:05`, with seconds if there are any. */
export function localOf(at: number | string, timeZone = zone()): string {
  const parts = Object.fromEntries(
    partsIn(timeZone)
      .formatToParts(new Date(at))
      .map(({ type, value }) => [type, value]),
  )
  const { year = '', month, day, hour, minute, second } = parts
  const seconds = second === '00' ? '' : `:${second}`
  return `${year.padStart(4, '0')}-${month}-${day}T${hour}:${minute}${seconds}`
}

/**
 * The time that such a field means. An hour that a change of the clocks leaves out counts from the
 * offset before it.
 */
export function timeOf(local: string, timeZone = zone()): string {
  const wanted = Date.parse(`${local}Z`)
  const offsetAt = (time: number): number =>
    Date.parse(`${localOf(time, timeZone)}Z`) - Math.floor(time / 1_000) * 1_000
  const near = wanted - offsetAt(wanted)
  return new Date(wanted - offsetAt(near)).toISOString()
}
