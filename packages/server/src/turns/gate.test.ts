import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { openGate, throughGate } from './gate.ts'

/** Lets everybody in who may go in, and notes the order. */
function visitors(most: number, maxOfOne?: number) {
  const gate = openGate(most, maxOfOne)
  const entered: string[] = []
  const leave = new Map<string, () => void>()
  return {
    gate,
    entered,
    come: (name: string, weight = 1) =>
      void gate.enter(name.slice(0, 1), weight).then((leaves) => {
        entered.push(name)
        leave.set(name, leaves)
      }),
    go: async (name: string) => {
      leave.get(name)?.()
      await turn()
    },
  }
}

test('as much enters as fits, and the next enters when another leaves', async () => {
  const { gate, entered, come, go } = visitors(10)
  for (const name of ['a1', 'a2', 'a3']) come(name, 4)
  await turn()
  expect(entered).toEqual(['a1', 'a2'])
  expect(gate.inside()).toBe(8)
  await go('a1')
  await go('a1')
  expect(entered).toEqual(['a1', 'a2', 'a3'])
  expect(gate.inside('a')).toBe(8)
})

test('a group that has nothing inside is next, however many of another came before it', async () => {
  const { entered, come, go } = visitors(2)
  for (const name of ['a1', 'a2', 'a3', 'a4', 'b1', 'c1', 'b2']) come(name)
  await turn()
  for (const name of ['a1', 'a2', 'b1', 'c1', 'a3']) await go(name)
  expect(entered).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4'])
})

test('one group leaves room for another', async () => {
  const { entered, come } = visitors(3, 2)
  for (const name of ['a1', 'a2', 'a3', 'b1']) come(name)
  await turn()
  expect(entered).toEqual(['a1', 'a2', 'b1'])
})

test('work that is heavier than the gate or its share enters alone', async () => {
  const { entered, come, go } = visitors(10, 5)
  come('a1', 1)
  come('b1', 99)
  come('c1', 1)
  await turn()
  // The small one does not pass the large one.
  expect(entered).toEqual(['a1'])
  await go('a1')
  expect(entered).toEqual(['a1', 'b1'])
  await go('b1')
  expect(entered).toEqual(['a1', 'b1', 'c1'])
  const wide = visitors(10, 5)
  wide.come('a1', 8)
  wide.come('a2', 1)
  await turn()
  expect(wide.entered).toEqual(['a1'])
})

test('failed work leaves the gate, too', async () => {
  const gate = openGate(1)
  await expect(throughGate(gate, 'a', 1, () => Promise.reject(new Error('no')))).rejects.toThrow(
    'no',
  )
  expect(gate.inside()).toBe(0)
  expect(await throughGate(gate, 'b', 1, async () => 'yes')).toBe('yes')
})
