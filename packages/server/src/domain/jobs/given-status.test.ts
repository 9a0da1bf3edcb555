import { describe, expect, it } from 'vitest'
import { type Filter, parseFilter } from './filter.ts'
import { givenStatus } from './given-status.ts'

const rest = (text: string, status = 'CREATED'): Filter | boolean =>
  givenStatus(parseFilter(text), status)

describe('what remains of a filter for jobs of one status', () => {
  it.each([
    ["statusCode eq 'CREATED'", true],
    ["statusCode eq 'COMPLETED'", false],
    ["statusCode ne 'COMPLETED' and statusCode ne 'CANCELLED'", true],
    ["not (statusCode eq 'CREATED')", false],
    ["statusCode eq 'COMPLETED' and jobName eq 'a'", false],
    ["statusCode eq 'CREATED' or jobName eq 'a'", true],
    ["statusCode ge 'CREATED' and statusCode lt 'SENDING'", true],
    ["statusCode in ('COMPLETED', 'CREATED')", true],
    ["statusCode in ('COMPLETED')", false],
    ["statusCode gt 'CREATED'", false],
  ])('%s: %s', (text, left) => {
    expect(rest(text)).toBe(left)
  })

  it.each([
    ["statusCode eq 'CREATED' and jobName eq 'a'", "jobName eq 'a'"],
    ["statusCode eq 'COMPLETED' or jobName eq 'a'", "jobName eq 'a'"],
    ["not (statusCode eq 'COMPLETED' or jobName eq 'a')", "not (jobName eq 'a')"],
    ["labels eq 'x'", "labels eq 'x'"],
  ])('%s leaves %s', (text, left) => {
    expect(text).not.toBe('')
    const expected = parseFilter(left)
    expect(unwrapped(rest(text))).toEqual(unwrapped(expected))
  })
})

/** A list of one part is that part. */
function unwrapped(filter: Filter | boolean): Filter | boolean {
  if (typeof filter === 'boolean') return filter
  if (filter.is === 'not') return { is: 'not', part: unwrapped(filter.part) as Filter }
  if (filter.is !== 'and' && filter.is !== 'or') return filter
  const [only, ...others] = filter.parts
  return others.length === 0 && only ? unwrapped(only) : filter
}
