import { expect, it } from 'vitest'
import { type Command, Refusal, readArgs, runCommand, UsageError } from './command.ts'

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

it.each([['-x'], ['--nonsense'], ['--a-long-word-of-no-option'], ['--note', '-x']])(
  'refuses %j',
  (...args) => {
    expect(() => read(...args)).toThrow(UsageError)
  },
)

it('takes no id where a command has no place for one', () => {
  expect(() => readArgs({ args: [id], options })).toThrow(UsageError)
})

it('prints names with what a terminal would obey in a form that it does not', async () => {
  const said: string[] = []
  const say = (text: string) => void said.push(text)
  const name = 'a\u001b]0;title\u0007\u001b[2Jb\u009b31mc\u202edoc\rx'
  const screen = {
    env: {},
    out: say,
    err: say,
    cwd: '/',
    columns: 80,
    isTerminal: { out: true, err: true },
  }
  const command: Command = {
    says: '',
    help: '',
    run: async (_, { out }) => {
      out(`\u001b[31mred\u001b[0m ${name}`)
      out(JSON.stringify({ name }))
      throw new Refusal(`No file ${name}.`)
    },
  }
  expect(await runCommand(command, 'x', [], screen)).toBe(1)
  const shown = String.raw`a\u001b]0;title\u0007\u001b[2Jb\u009b31mc\u202edoc\u000dx`
  expect(said).toEqual([`\u001b[31mred\u001b[0m ${shown}`, expect.any(String), `No file ${shown}.`])
  expect(JSON.parse(said[1] ?? '')).toEqual({ name })
  expect(said[1]).not.toMatch(/[\p{Cc}\u202e]/u)
})
