import { expect, it } from 'vitest'
import { readArgs, UsageError } from './command.ts'

const options = { note: { type: 'string' }, all: { type: 'boolean' } } as const
const read = (...args: string[]) => readArgs({ args, allowPositionals: true, options })
const id = 'AbCdEfGhIjKlMnOpQrStUv'

it('takes an id, wherever it stands', () => {
  for (const args of [[id], [id, '--note', 'x'], ['--note', 'x', id], ['--all', id], ['--', id]])
    expect(read(...args).positionals).toEqual([id])
  expect(read('--note', id)).toMatchObject({ values: { note: id }, positionals: [] })
})

it('takes a value that begins with a dash behind an equals sign', () => {
  expect(read('--note=-x')).toMatchObject({ values: { note: '-x' } })
})

it.each([['-x'], ['--nonsense'], ['--a-long-word-of-no-option'], ['--note', '-x']])('refuses %j', (...args) => {
  expect(() => read(...args)).toThrow(UsageError)
})

it('takes no id where a command has no place for one', () => {
  expect(() => readArgs({ args: [id], options })).toThrow(UsageError)
})
