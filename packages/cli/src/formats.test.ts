/** `dragoman formats`: a table for people, a list for programs. */
import { formatIds, listFormats } from '@dragoman/contract/wire'
import { expect, test } from 'vitest'
import { runCommand } from './command.ts'
import { formats } from './formats.ts'

async function run(...args: string[]) {
  const said = { out: '', err: '' }
  const isTerminal = { out: false, err: false }
  const say = (to: keyof typeof said) => (text: string) => {
    said[to] += `${text}\n`
  }
  const screen = { env: {}, out: say('out'), err: say('err'), cwd: '/', columns: 80, isTerminal }
  return { code: await runCommand(formats, 'formats', args, screen), ...said }
}

test('shows a table with a row for each format: name, files, what is text, what stays, how large', async () => {
  const { code, out, err } = await run()
  expect({ code, err }).toEqual({ code: 0, err: '' })
  const [head = '', ...rows] = out.trimEnd().split('\n')
  expect(head.split(/ {2,}/)).toEqual(['FORMAT', 'FILES', 'WHAT IS TEXT', 'WHAT STAYS', 'AT MOST'])
  expect(rows.map((row) => row.split(' ')[0]).sort()).toEqual([...formatIds].sort())
  expect(rows.find((row) => row.startsWith('docx'))).toMatch(/^docx +\.docx .* \d+ MB$/)
  expect(rows.find((row) => row.startsWith('po '))).toMatch(/^po +\.po \.pot .*msgid.* \d+ MB$/)
})

test('--json gives what GET /v2/formats gives', async () => {
  const { code, out } = await run('--json')
  expect(code).toBe(0)
  expect(JSON.parse(out)).toEqual(JSON.parse(JSON.stringify(listFormats())))
})

test('an option that it does not have is refused', async () => {
  expect(await run('--yaml')).toEqual({
    code: 2,
    out: '',
    err: "Unknown option '--yaml'.\nTry: dragoman formats --help\n",
  })
})
