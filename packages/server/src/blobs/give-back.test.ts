import { expect, test } from 'vitest'
import { giveBack } from './give-back.ts'

test('empties a piece that spans its whole buffer, but none that is small or shares one', () => {
  const whole = new Uint8Array(64 * 1024)
  const shared = new Uint8Array(64 * 1024)
  const part = shared.subarray(0, 32 * 1024)
  const small = Buffer.from('a few bytes')
  giveBack([whole, part, small, whole])
  expect(whole.byteLength).toBe(0)
  expect([shared.byteLength, part.byteLength]).toEqual([64 * 1024, 32 * 1024])
  expect(small.toString()).toBe('a few bytes')
})

test('frees the memory at once', () => {
  const before = process.memoryUsage().arrayBuffers
  for (let i = 0; i < 200; i += 1) giveBack([new Uint8Array(1024 ** 2)])
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(20 * 1024 ** 2)
})
