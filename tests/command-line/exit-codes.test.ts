import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { exitCodes, exitRows } from '../../packages/cli/src/command.ts'
import { buildProgram } from '../build-program.ts'
import { startHub, type TestHub } from '../hub.ts'
import { until } from '../hub-place.ts'
import { newProject, type Project } from '../project.ts'

const root = join(import.meta.dirname, '../..')
let hub: TestHub
let project: Project
beforeAll(async () => {
  await buildProgram()
  hub = await startHub()
  project = newProject(hub.url, { 'a.json': '{"a":"Hello"}' })
})
afterAll(async () => {
  project?.remove()
  await hub?.close()
})

type Case = {
  code: number
  when: string
  args: readonly string[]
  env?: Record<string, string>
  says?: RegExp
}
const open = { HUB_CLIENT_ID: 'demo-connector', HUB_CLIENT_SECRET: 'demo-connector-secret' }
const cases: Case[] = [
  { code: 0, when: 'a list is printed', args: ['providers'] },
  { code: 0, when: 'help is asked for', args: ['help'] },
  {
    code: 1,
    when: 'the hub has no such job',
    args: ['status', 'nosuchjob0'],
    says: /There is no job nosuchjob0/,
  },
  {
    code: 2,
    when: 'an option is unknown',
    args: ['jobs', '--fast'],
    says: /Unknown option '--fast'/,
  },
  {
    code: 2,
    when: 'the configuration file is missing',
    args: ['jobs', '--config', 'no.yml'],
    says: /cannot be read/,
  },
  {
    code: 3,
    when: 'no hub is there',
    args: ['jobs'],
    env: { HUB_URL: 'http://127.0.0.1:9' },
    says: /127\.0\.0\.1:9/,
  },
  {
    code: 4,
    when: 'the secret is wrong',
    args: ['jobs'],
    env: { ...open, HUB_CLIENT_SECRET: 'wrong' },
  },
  { code: 4, when: 'the client lacks the scope', args: ['nodes'], env: open, says: /scope/ },
  {
    code: 5,
    when: 'translations are open',
    args: ['status'],
  },
]

describe('every exit code', () => {
  test('of the table has a case here, and 130 the test below', () => {
    expect(new Set([...cases.map(({ code }) => code), 130])).toEqual(
      new Set(exitRows.map(({ code }) => code)),
    )
    expect(Object.values(exitCodes)).toEqual(exitRows.map(({ code }) => code))
  })

  test.each(cases)('$code: $when', async ({ code, args, env, says }) => {
    if (code === 5) {
      const push = [
        'push',
        'a.json',
        '--source',
        'en-US',
        '--target',
        'de-DE',
        '--provider',
        'Manual',
      ]
      const pushed = await project.run(push)
      expect(pushed.code, pushed.err).toBe(0)
    }
    const ran = await project.run(args, env)
    expect(ran.code, ran.err).toBe(code)
    if (says) expect(ran.err).toMatch(says)
    expect(ran.err).not.toMatch(/\n {4}at /)
  })

  test('130: Ctrl-C while it waits; the wait says what for', async () => {
    const waiting = project.start(['pull', '--wait'])
    await until('it waits', () => /Waiting for /.test(waiting.err()))
    waiting.child.kill('SIGINT')
    expect((await waiting.ran).code).toBe(130)
  })

  test('stands in docs/command-line.md with the words of the command', async () => {
    const page = readFileSync(join(root, 'docs/command-line.md'), 'utf8')
    for (const { code, says } of exitRows) expect(page).toContain(`| ${code} | ${says} |`)
    const { out } = await project.run(['help', 'exit-codes'])
    for (const { code, says } of exitRows)
      expect(out).toMatch(new RegExp(`^${code} +${says.slice(0, 12)}`, 'm'))
    const { out: asJson } = await project.run(['help', 'exit-codes', '--json'])
    expect(JSON.parse(asJson)).toEqual(exitRows.map(({ code, says }) => ({ code, says })))
  })
})

describe('all commands', () => {
  type Described = { command: string; options: string[]; noJson?: string }
  let all: Described[]
  beforeAll(async () => {
    all = JSON.parse((await project.run(['help', '--json'])).out) as Described[]
  })

  test('take --json, or say why not', () => {
    expect(all.length).toBeGreaterThan(50)
    const without = all.filter(
      ({ options, noJson }) => !options.includes('--json') && noJson === undefined,
    )
    expect(without.map(({ command }) => command)).toEqual([])
    const both = all.filter(
      ({ options, noJson }) => options.includes('--json') && noJson !== undefined,
    )
    expect(both.map(({ command }) => command)).toEqual([])
  })

  test.each([
    [['psuh'], 'Unknown command "psuh". Did you mean "push"?'],
    [['stat'], 'Unknown command "stat". Did you mean "status"?'],
    [['jobs', '--limt', '3'], 'Unknown option \'--limt\'. Did you mean "--limit"?'],
    [['clients', 'lsit'], 'Did you mean "list"?'],
    [['help', 'pul'], 'There is no command "pul". Did you mean "pull"?'],
  ])('%j: the nearest word is offered', async (args, sentence) => {
    const { code, out, err } = await project.run(args)
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toContain(sentence)
  })

  test('a word that is near to nothing gets the list and no guess', async () => {
    const { err } = await project.run(['qqqqqq'])
    expect(err).toContain('Unknown command "qqqqqq"; the commands are serve, ')
    expect(err).not.toContain('Did you mean')
  })

  test('colour only on a terminal, or with FORCE_COLOR', async () => {
    const esc = '\u001b['
    expect((await project.run(['providers'])).out).not.toContain(esc)
    expect((await project.run(['providers'], { FORCE_COLOR: '1' })).out).toContain(esc)
    expect((await project.run(['providers'], { FORCE_COLOR: '0' })).out).not.toContain(esc)
  })
})
