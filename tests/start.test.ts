/** What `npm start` says while it prepares the hub: never minutes of silence. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'

type Step = { does: string; seconds: number; isDue: () => boolean; run: () => unknown }
type Options = { say?: (line: string) => void; everyMs?: number }
const script = join(import.meta.dirname, '../scripts/steps.mjs')
const { runSteps } = (await import(script)) as {
  runSteps(steps: readonly Step[], options?: Options): Promise<void>
}

const step = (does: string, isDue: boolean, run: Step['run'] = () => {}): Step => ({
  does,
  seconds: 20,
  isDue: () => isDue,
  run,
})
const saidBy = async (...steps: Step[]): Promise<string[]> => {
  const lines: string[] = []
  await runSteps(steps, { say: (line) => lines.push(line) })
  return lines.map((line) => line.replace(/after \d+ s/, 'after <n> s'))
}

test('it names each step that is due, which of how many it is, and how long it usually takes', async () => {
  expect(await saidBy(step('a', true), step('b', false), step('c', true))).toEqual([
    'Preparing the hub in 2 steps: about 40 s in all, more on a busy machine.',
    '1 of 2: a (about 20 s) …',
    '2 of 2: c (about 20 s) …',
    'Ready after <n> s.',
  ])
})

test('it says nothing if nothing is due', async () => {
  expect(await saidBy(step('a', false))).toEqual([])
})

test('while a step takes its time, it says again and again that it is still at it', async () => {
  const lines: string[] = []
  let end = () => {}
  const long = step('a', true, () => new Promise<void>((ended) => (end = ended)))
  await runSteps([long], {
    everyMs: 1,
    say: (line) => {
      if (lines.push(line) === 4) end()
    },
  })
  expect(lines.slice(1, 4)).toEqual(
    Array.from({ length: 3 }, () => expect.stringMatching(/^ {2}… a, \d+ s so far$/)),
  )
})

test('a step that fails ends it, and nothing is said afterwards', async () => {
  const lines: string[] = []
  const failing = step('a', true, () => Promise.reject(new Error('no disk')))
  const run = runSteps([failing, step('b', true)], { say: (line) => lines.push(line) })
  await expect(run).rejects.toThrow('no disk')
  expect(lines.at(-1)).toBe('1 of 2: a (about 20 s) …')
})

test('all of it goes to standard error', () => {
  const program = `import { runSteps } from ${JSON.stringify(script)}
    await runSteps([{ does: 'a', seconds: 1, isDue: () => true, run: () => {} }])`
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--input-type=module', '--eval', program],
    { encoding: 'utf8' },
  )
  expect([stdout, stderr.split('\n')[0]]).toEqual(['', '1 of 1: a (about 1 s) …'])
})
