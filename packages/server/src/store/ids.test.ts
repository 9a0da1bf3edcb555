import { expect, it } from 'vitest'
import { isId, newId } from './ids.ts'

it('no id begins with a dash, which a command line would read as an option', () => {
  const ids = Array.from({ length: 5_000 }, newId)
  expect(ids.every(isId)).toBe(true)
  expect(ids.filter((id) => id.startsWith('-'))).toEqual([])
  expect(new Set(ids).size).toBe(ids.length)
})
