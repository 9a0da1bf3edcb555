/**
 * Where two inputs meet, twice as many of both take at most three times the work. Prints the table
 * of docs/reliability.md. `PAIR=upstream` measures only those with the word in their names.
 */
import { expect, it } from 'vitest'
import { measurePairs, rowOf, type Series } from './pair-growth.ts'

it('twice as many of both take at most three times the work', async () => {
  const found: Series[] = []
  await measurePairs((series) => {
    console.log(rowOf(series))
    found.push(series)
  }, process.env.PAIR)
  // Below 20 ms, noise decides.
  const steep = found.filter(({ ms: [once = 0, twice = 0, more = 0] }) =>
    [twice / Math.max(once, 20), more / Math.max(twice, 20)].some((times) => times > 3),
  )
  expect(steep).toEqual([])
})
