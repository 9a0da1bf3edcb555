/** `npm run demo` as a person runs it, with its output piped. */
import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { until } from './hub-place.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'dragoman-demo-test-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function startDemo(temporary = folder) {
  const child = spawn(process.execPath, [join(import.meta.dirname, '..', 'scripts', 'demo.mjs')], {
    env: { ...process.env, TMPDIR: temporary, DRAGOMAN_PROFILE: 'production' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const said = { out: '', err: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said.out += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said.err += text
  })
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  return { child, said, ended }
}

const hubOf = (out: string): number => Number(/process (\d+)/.exec(out)?.[1])
const lives = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

test('the demo makes a whole round, prints one line per step, and leaves nothing behind', async () => {
  const { said, ended } = startDemo()
  expect(await ended, said.out + said.err).toBe(0)
  const lines = said.out.split('\n')
  const steps = lines.filter((line) => /^ ?\d+\/12 {2}\w+ +\S/.test(line))
  expect(steps.map((line) => line.split(/\s+/).filter(Boolean)[1])).toEqual(
    'hub token listener job files requests submit translate hear download approve archive'.split(
      ' ',
    ),
  )
  expect(said.out).not.toContain('\u001b')
  expect(said.out).not.toContain('\r')
  expect(said.out).toMatch(/requests +9 translated and approved, in 3 languages/)
  expect(said.out).toMatch(/status updates +[1-9]\d* in the ledger, all acknowledged/)
  expect(said.out).toMatch(/listener +[1-9]\d* calls \(.*\d REQUEST_UPDATE.*\), all signed rightly/)
  expect(said.out).toMatch(/job +COMPLETED, ARCHIVED/)
  expect(said.out).toMatch(/Messages +de-DE: "welcome": "Ŵéļçóḿé .*\{name\}/)
  expect(lines.at(-2)).toMatch(/^All of it was as it should be, in [\d.]+ s\.$/)
  expect(readdirSync(folder)).toEqual([])
  expect(lives(hubOf(said.out))).toBe(false)
})

test('Ctrl-C in the middle ends it, its hub, and its folder', async () => {
  const { child, said, ended } = startDemo()
  await until('the hub runs', () => hubOf(said.out))
  expect(lives(hubOf(said.out))).toBe(true)
  child.kill('SIGINT')
  expect(await ended).toBe(130)
  expect(said.err).toContain('Stopped by Ctrl-C.\n')
  expect(readdirSync(folder)).toEqual([])
  expect(lives(hubOf(said.out))).toBe(false)
})

test('what is off is told in a sentence, with exit code 1', async () => {
  const { said, ended } = startDemo(join(folder, 'missing'))
  expect(await ended).toBe(1)
  expect(said.err).toMatch(/^The demo stopped at "start": .*no such file or directory.*$/m)
  expect(said.err).not.toMatch(/\n\s+at /)
})
