import { expect, test } from 'vitest'
import { yieldForBytes } from './pauses.ts'

const round = () => new Promise<void>((resolve) => setImmediate(resolve))

test('lets others run in between, however many bytes wait, and serves them in order', async () => {
  const served: number[] = []
  for (let i = 0; i < 10; i += 1) void yieldForBytes(256 * 1024).then(() => served.push(i))
  for (let rounds = 1; rounds <= 10; rounds += 1) {
    await round()
    expect(served.length).toBeLessThanOrEqual(rounds)
  }
  while (served.length < 10) await round()
  expect(served).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
})

test('serves several small ones in one round', async () => {
  const small = Array.from({ length: 4 }, () => yieldForBytes(64 * 1024))
  let over = false
  void Promise.all(small).then(() => {
    over = true
  })
  await round()
  await round()
  expect(over).toBe(true)
})
