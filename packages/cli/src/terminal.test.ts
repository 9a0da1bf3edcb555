/**
 * A name of somebody else's job cannot retitle the window, move the cursor or turn a line around,
 * whichever way it is shown.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { withAsk } from './ask.ts'
import { type Command, runCommand, type Screen } from './command.ts'
import { openProgress } from './progress.ts'
import { openTerminal } from './terminal.ts'
import { openWait } from './waiting.ts'

const title = '\u001b]0;owned\u0007'
const name = `Autumn${title}\u202egpj.exe`
const shown = 'Autumn\\u001b]0;owned\\u0007\\u202egpj.exe'

const screenOf = (said: string[]): Screen => ({
  env: { NO_COLOR: '1' },
  out: (text) => said.push(text),
  err: (text) => said.push(text),
  cwd: '.',
  columns: 200,
  isTerminal: { out: true, err: true },
})

const ways: Readonly<Record<string, (said: string[]) => unknown>> = {
  'a printed line': (said) => {
    const command: Command = {
      says: '',
      help: '',
      run: async (_, screen) => {
        screen.out(name)
        screen.err(name)
        return 0
      },
    }
    return runCommand(command, 'x', [], screenOf(said))
  },
  'a wait that counts': (said) =>
    openWait(screenOf([]), { what: name }, (text) => said.push(text)).show(`${name} again`),
  'a bar of progress': (said) =>
    openProgress(screenOf([]), (text) => said.push(text)).show(1, 2, name),
  'a piece of a line': (said) => openTerminal((text) => said.push(text))(name),
}
it.each(Object.entries(ways))('%s shows it harmlessly', async (_, show) => {
  const said: string[] = []
  await show(said)
  expect(said.join('')).toContain(shown)
  for (const text of said) expect(text).not.toContain(title)
  expect(said.join('')).not.toContain('\u202e')
})

it('a question shows it harmlessly, and the answer still arrives', async () => {
  const said: string[] = []
  const write = vi
    .spyOn(process.stderr, 'write')
    .mockImplementation((piece) => said.push(String(piece)) > 0)
  try {
    const asked = withAsk(async (ask) => [
      await ask.text(`Which of ${name}`, name),
      await ask.secret(name),
    ])
    process.stdin.emit('keypress', '', { name: 'return' })
    for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve))
    process.stdin.emit('keypress', '', { name: 'return' })
    // An empty answer is the proposal, unchanged.
    expect(await asked).toEqual([name, ''])
  } finally {
    write.mockRestore()
    process.stdin.pause()
  }
  expect(said.join('')).toContain(`Which of ${shown} [${shown}]: `)
  expect(said.join('')).toContain(`${shown}: `)
  expect(said.join('')).not.toContain(title)
  expect(said.join('')).not.toContain('\u202e')
})

it('no other file writes to a terminal', () => {
  const files = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
  const sources = files.filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  const writing = sources.filter((file) =>
    /process\.std(?:out|err)\.write\(/.test(readFileSync(join(import.meta.dirname, file), 'utf8')),
  )
  expect(writing.sort()).toEqual(['main.ts', 'terminal.ts'])
})
