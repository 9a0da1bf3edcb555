/**
 * `dragoman completion`: the real script in a real shell. zsh and fish are asked where they are
 * installed.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildProgram } from '../build-program.ts'

const root = join(import.meta.dirname, '../..')
const program = join(root, 'packages/cli/bin/dragoman.js')
const folder = mkdtempSync(join(tmpdir(), 'dragoman-completion-'))
const empty = mkdtempSync(join(folder, 'empty-'))
const scriptOf = (shell: string): string => {
  const path = join(folder, `dragoman.${shell}`)
  if (!existsSync(path))
    writeFileSync(path, execFileSync(process.execPath, [program, 'completion', shell]))
  return path
}

beforeAll(buildProgram)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

type Offered = (words: readonly string[]) => string[]
const linesOf = (text: string): string[] => text.split('\n').filter(Boolean)

/** What bash offers after these words; the last one is being typed. */
const bash: Offered = (words) => {
  const list = words.map((word) => `'${word}'`).join(' ')
  const ask = `source ${scriptOf('bash')}; COMP_WORDS=(${list}); COMP_CWORD=${words.length - 1}; _dragoman; printf '%s\\n' "\${COMPREPLY[@]}"`
  return linesOf(execFileSync('bash', ['-c', ask]).toString())
}

/** fish completes a line by itself; beside each word it prints what that does. */
const fish: Offered = (words) => {
  const env = { PATH: process.env.PATH, HOME: folder, line: words.join(' ') }
  const said = execFileSync('fish', ['-N', '-c', `source ${scriptOf('fish')}; complete -C $line`], {
    cwd: empty,
    env,
  })
  return linesOf(said.toString()).map((line) => line.split('\t')[0] ?? '')
}

/**
 * zsh completes only on a terminal: another zsh gives it one, types the line and Tab, and sees
 * which words are added.
 */
const zsh: Offered = (words) => {
  const place = mkdtempSync(join(folder, 'zsh-'))
  writeFileSync(
    join(place, '.zshrc'),
    `autoload -U compinit; compinit -D -u; source ${scriptOf('zsh')}; PS1='READY> '
compadd() { local -a found; builtin compadd -O found "$@"; print -rl -- $found >> ${place}/found; builtin compadd "$@" }
finished() { : > ${place}/done }
comppostfuncs=(finished)\n`,
  )
  const type = `zmodload zsh/zpty; zpty z zsh -d -i; zpty -r z said '*READY> '; zpty -w -n z "$1"$'\t'
while [[ ! -e ${place}/done ]]; do zpty -r -t z said; sleep 0.02; done; zpty -d z`
  const env = { PATH: process.env.PATH, HOME: place, ZDOTDIR: place, TERM: 'dumb' }
  execFileSync('zsh', ['-f', '-c', type, 'zsh', words.join(' ')], {
    cwd: empty,
    env,
    timeout: 600_000,
  })
  return existsSync(join(place, 'found')) ? linesOf(readFileSync(join(place, 'found'), 'utf8')) : []
}

const has = (shell: string): boolean => {
  try {
    execFileSync(shell, ['-c', 'true'])
    return true
  } catch {
    return false
  }
}
const shells = { bash, fish, zsh }
const missing = Object.keys(shells).filter((shell) => !has(shell))
if (missing.length > 0)
  console.warn(`SKIPPED: completion in ${missing.join(' and ')}, which this machine does not have.`)

const cases: readonly (readonly [words: readonly string[], expected: readonly string[]])[] = [
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
  [
    ['dragoman', 'completion', ''],
    ['bash', 'zsh', 'fish', 'powershell'],
  ],
  [['dragoman', 'push', ''], []],
]
const asked = Object.entries(shells).flatMap(([shell, offered]) =>
  has(shell) ? cases.map(([words, expected]) => [shell, words, expected, offered] as const) : [],
)

test.each(asked)('%s: after %j it offers %j', (_, words, expected, offered) => {
  const found = offered(words)
  expect(found).toEqual(expect.arrayContaining([...expected]))
  expect(found.every((word) => word.startsWith(words.at(-1) ?? ''))).toBe(true)
  if (expected.length === 0) expect(found.filter((word) => !word.startsWith('-'))).toEqual([])
})

test('bash takes the equals sign between an option and its value for a word', () => {
  expect(bash(['dragoman', 'deliveries', 'list', '--state', '=', 'D'])).toEqual(['DELIVERED'])
})

test('every option of every command is offered', () => {
  type Described = { command: string; options: string[]; values: Record<string, string[]> }
  const all = JSON.parse(
    execFileSync(process.execPath, [program, 'help', '--json']).toString(),
  ) as Described[]
  const script = execFileSync(process.execPath, [program, 'completion', 'bash']).toString()
  for (const { command, options, values } of all) {
    const line = script.split('\n').find((one) => one.trim().startsWith(`'${command}')`)) ?? ''
    for (const option of options) expect(line.split(/[ "]/), command).toContain(option)
    for (const option of Object.keys(values).filter((name) => name !== ''))
      expect(options, `${command} has values for ${option}`).toContain(option)
  }
})

test.each(['bash', 'zsh', 'fish'].filter(has))('%s reads its script without an error', (shell) => {
  const before = shell === 'zsh' ? 'autoload -U compinit; compinit -D; ' : ''
  expect(execFileSync(shell, ['-c', `${before}source ${scriptOf(shell)}`]).toString()).toBe('')
})
