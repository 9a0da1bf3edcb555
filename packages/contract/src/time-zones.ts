/** Time zones by their IANA names, and when a day ends in one. */
import { formatTime, mustParseTime } from './times.ts'

const aDay = 86_400_000
const last = Date.parse('9999-12-31T23:59:59.999Z')
const dateAlone = /^\d{4}-\d{2}-\d{2}$/
/** Without offsets such as `+02:00`, which only some versions of Node take. */
const zoneName = /^[A-Za-z][A-Za-z0-9_+/-]{0,63}$/

/** Whether there is a zone with this name, such as `Europe/Berlin`. */
export function isTimeZone(name: string): boolean {
  if (!zoneName.test(name)) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

/**
 * When something is due that is due at `given`: a date alone means the last millisecond of that day
 * in the zone. A date with a time stays what it says.
 */
export function dueTime(given: string, timeZone: string): string {
  if (!dateAlone.test(given)) return given
  const day = mustParseTime(given)
  return formatTime(Math.min(endOfDay(day, timeZone), last))
}

/** `day` is the midnight in UTC that begins the day of that name. */
function endOfDay(day: number, timeZone: string): number {
  const dateAt = datesIn(timeZone)
  // Zones are at most 15 hours from UTC. A day may have 23 or 25 hours, or be left out whole.
  let [before, after] = [day - aDay, day + 2 * aDay]
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2)
    if (dateAt(middle) > day) after = middle
    else before = middle
  }
  return before
}

/** The day that the zone's calendar shows at a moment, as its midnight in UTC. */
function datesIn(timeZone: string): (at: number) => number {
  const digits = { year: 'numeric', month: 'numeric', day: 'numeric' } as const
  const format = new Intl.DateTimeFormat('en-u-ca-iso8601-nu-latn', { timeZone, ...digits })
  return (at) => {
    const parts = format.formatToParts(at)
    const part = (type: string) => Number(parts.find((one) => one.type === type)?.value)
    return new Date(0).setUTCFullYear(part('year'), part('month') - 1, part('day'))
  }
}
