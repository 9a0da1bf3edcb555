/** `dragoman completion`: the real script in a real shell. zsh and fish are asked where they are installed. */
import { execFile, execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const program = join(root, 'packages/cli/bin/dragoman.js')
const folder = mkdtempSync(join(tmpdir(), 'dragoman-completion-'))
const scriptOf = (shell: string): string => {
  const path = join(folder, `dragoman.${shell}`)
  if (!existsSync(path)) writeFileSync(path, execFileSync(process.execPath, [program, 'completion', shell]))
  return path
}

beforeAll(async () => {
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  await promisify(execFile)(process.execPath, [tsc, '-b', 'packages/cli'], { cwd: root })
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** What bash offers after these words; the last one is being typed. */
function offered(words: readonly string[]): string[] {
  const list = words.map((word) => `'${word}'`).join(' ')
  const ask = `source ${scriptOf('bash')}; COMP_WORDS=(${list}); COMP_CWORD=${words.length - 1}; _dragoman; printf '%s\\n' "\${COMPREPLY[@]}"`
  return execFileSync('bash', ['-c', ask]).toString().split('\n').filter(Boolean)
}

test.each([
  [
    ['dragoman', 'pu'],
    ['push', 'pull'],
  ],
  [['dragoman', 'clients', 'ro'], ['rotate']],
  [['dragoman', 'clients', 'add', '--pag'], ['--page-format']],
  [
    ['dragoman', 'deliveries', 'list', '--state', 'P'],
    ['PENDING', 'PARKED'],
  ],
  [['dragoman', 'deliveries', 'list', '--state', '=', 'D'], ['DELIVERED']],
  [
    ['dragoman', 'completion', ''],
    ['bash', 'zsh', 'fish', 'powershell'],
  ],
  [['dragoman', 'push', ''], []],
])('bash: after %j it offers %j', (words, expected) => {
  const found = offered(words)
  expect(found).toEqual(expect.arrayContaining(expected))
  expect(found.every((word) => word.startsWith(words.at(-1) ?? ''))).toBe(true)
  if (expected.length === 0) expect(found).toEqual([])
})

test('every option of every command is offered', () => {
  type Described = { command: string; options: string[]; values: Record<string, string[]> }
  const all = JSON.parse(execFileSync(process.execPath, [program, 'help', '--json']).toString()) as Described[]
  const script = execFileSync(process.execPath, [program, 'completion', 'bash']).toString()
  for (const { command, options, values } of all) {
    const line = script.split('\n').find((one) => one.trim().startsWith(`'${command}')`)) ?? ''
    for (const option of options) expect(line.split(/[ "]/), command).toContain(option)
    for (const option of Object.keys(values).filter((name) => name !== ''))
      expect(options, `${command} has values for ${option}`).toContain(option)
  }
})

const has = (shell: string): boolean => {
  try {
    execFileSync(shell, ['-c', 'true'])
    return true
  } catch {
    return false
  }
}
test.each(['bash', 'zsh', 'fish'].filter(has))('%s reads its script without an error', (shell) => {
  const before = shell === 'zsh' ? 'autoload -U compinit; compinit -D; ' : ''
  expect(execFileSync(shell, ['-c', `${before}source ${scriptOf(shell)}`]).toString()).toBe('')
})
