import { expect, it } from 'vitest'
import { readArgs, UsageError } from './command.ts'

const options = { note: { type: 'string' }, all: { type: 'boolean' } } as const
const read = (...args: string[]) => readArgs({ args, allowPositionals: true, options })

/** 22 characters of base64url: one in 64 begins with a dash. */
const ids = ['AbCdEfGhIjKlMnOpQrStUv', '-bCdEfGhIjKlMnOpQrStUv', '--CdEfGhIjKlMnOpQrStUv', '-_-dEfGhIjKlMnOpQrStUv']

it.each(ids)('takes %s for an id, wherever it stands', (id) => {
  for (const args of [[id], [id, '--note', 'x'], ['--note', 'x', id], ['--all', id], ['--', id]])
    expect(read(...args).positionals).toEqual([id])
  expect(read('--note', id)).toMatchObject({ values: { note: id }, positionals: [] })
})

it('keeps the order of ids', () => {
  expect(read(ids[1] ?? '', ids[0] ?? '', ids[2] ?? '').positionals).toEqual([ids[1], ids[0], ids[2]])
})

it.each(['-x', '--nonsense', '--a-long-word-of-no-option', '-bCdEfGhIjKlMnOpQrSt!v'])('refuses %s', (text) => {
  expect(() => read(text)).toThrow(UsageError)
})

it('takes no id where a command has no place for one', () => {
  expect(() => readArgs({ args: [ids[1] ?? ''], options })).toThrow(UsageError)
})
