/**
 * The expected scripts for a small table; bash runs the real one in
 * tests/command-line/completion.test.ts.
 */
import { expect, it } from 'vitest'
import type { Command } from './command.ts'
import { wordsOf } from './completion.ts'
import { scripts } from './completion-scripts.ts'

const command = (says: string, help: string, more: Partial<Command> = {}): Command => ({
  says,
  help,
  run: async () => 0,
  ...more,
})
const words = wordsOf({
  push: command("send the project's files", 'Usage: dragoman push [--again]'),
  clients: command('administer clients', 'Usage: dragoman clients VERB', {
    verbs: {
      list: command('list them', 'Usage: dragoman clients list [--state STATE]', {
        values: { '--state': ['enabled', 'disabled'] },
      }),
    },
  }),
  trigger: command('cause an event', 'Usage: dragoman trigger EVENT', {
    values: { '': ['job.created'] },
  }),
})

it.each(['zsh', 'fish', 'powershell'] as const)('the script for %s', async (shell) => {
  const extension = { zsh: 'zsh', fish: 'fish', powershell: 'ps1' }[shell]
  await expect(`${scripts[shell](words)}\n`).toMatchFileSnapshot(
    `../../../tests/command-line/completion.${extension}`,
  )
})

it('PowerShell: braces, brackets and quotes are balanced', () => {
  const text = scripts.powershell(words).replace(/'(?:[^']|'')*'/g, "''")
  for (const [opens, closes] of ['{}', '()', '[]'].map((pair) => [...pair]))
    expect(text.split(opens ?? '').length, text).toBe(text.split(closes ?? '').length)
})
