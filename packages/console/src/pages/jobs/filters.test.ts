import { describe, expect, it } from 'vitest'
import { chosenIn, filterOf, inState, queryOf, toggled } from './filters.ts'

const now = Date.UTC(2027, 2, 14, 9, 41)
const written = (search: Record<string, string>): string =>
  filterOf(chosenIn(search), now, "o'neil")

describe('the filter of the page Jobs', () => {
  it('leaves out what is over, unless all or the archive is asked for', () => {
    expect(written({})).toBe("statusCode ne 'COMPLETED' and statusCode ne 'CANCELLED'")
    expect(written({ view: 'all' })).toBe('')
    expect(written({ view: 'archived' })).toBe('')
  })

  it('writes chips in the language of the contract, with doubled quotes and times to the minute', () => {
    expect(written({ is: 'late' })).toMatch(/ and dueDate lt '2027-03-14T09:41Z'$/)
    expect(written({ is: 'soon' })).toMatch(
      / and dueDate ge '2027-03-14T09:41Z' and dueDate lt '2027-03-17T09:41Z'$/,
    )
    expect(written({ view: 'all', is: 'errors,mine' })).toBe(
      "hasError eq true and labels.person eq 'o''neil'",
    )
    expect(written({ view: 'all', is: 'late' })).toContain("statusCode ne 'COMPLETED'")
  })

  it('keeps what the person wrote together, and sends it as it is if it is alone', () => {
    const filter = "labels eq 'a' or labels eq 'b'"
    expect(written({ view: 'all', filter })).toBe(filter)
    expect(written({ view: 'all', filter, is: 'errors' })).toBe(`(${filter}) and hasError eq true`)
    expect(inState(filter, 'CREATED')).toBe(`(${filter}) and statusCode eq 'CREATED'`)
  })

  it('does not offer late and due soon together', () => {
    expect(toggled(['soon', 'mine'], 'late')).toBe('mine,late')
    expect(toggled(['late'], 'soon')).toBe('soon')
    expect(toggled(['late'], 'late')).toBe('')
  })

  it('ignores what the address says wrongly, and writes back only what differs', () => {
    const chosen = chosenIn({ view: 'nonsense', is: 'late,x,errors', order: 'jobName', as: 'pie' })
    expect(chosen).toMatchObject({
      view: 'open',
      is: ['late', 'errors'],
      order: 'dueDate',
      as: 'table',
    })
    expect(queryOf(chosen)).toEqual({ is: 'late,errors' })
  })
})
