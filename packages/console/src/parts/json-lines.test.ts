import { expect, it } from 'vitest'
import { linesOf, messagesByLine, stepsOf } from './json-lines.ts'

const body = JSON.stringify({
  jobName: 'a',
  requests: [{ requestName: 'b', targets: ['de-de', 'xx'] }],
  empty: {},
})

it('writes JSON as lines with the path of each value', () => {
  const lines = linesOf(body) ?? []
  expect(lines.map(({ depth, text }) => '  '.repeat(depth) + text).join('\n')).toBe(
    JSON.stringify(JSON.parse(body), null, 2),
  )
  expect(lines.find(({ text }) => text === '"xx"')?.path).toEqual(['requests', '0', 'targets', '1'])
  expect(linesOf('{"cut":')).toBeUndefined()
})

it.each([
  ['requests[0].targets[1]', ['requests', '0', 'targets', '1']],
  ['/requests/0/targets', ['requests', '0', 'targets']],
  ['', []],
])('reads the path %s', (path, steps) => {
  expect(stepsOf(path)).toEqual(steps)
})

it('puts each message at its line, and what is missing at the thing that lacks it', () => {
  const lines = linesOf(body) ?? []
  const at = (text: string) => lines.findIndex((line) => line.text.startsWith(text))
  const found = messagesByLine(lines, [
    { path: 'requests[0].targets[1]', message: 'is not a language' },
    { path: 'requests[0].sourceNativeId', message: 'is missing' },
    { path: 'JOBNAME', message: 'is too long' },
    { path: '', message: 'is odd' },
  ])
  expect([...found]).toEqual([
    [at('"xx"'), ['is not a language']],
    [3, ['sourceNativeId is missing']],
    [at('"jobName"'), ['is too long']],
    [0, ['is odd']],
  ])
})
