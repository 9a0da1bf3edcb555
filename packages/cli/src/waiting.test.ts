import { expect, it } from 'vitest'
import type { Screen } from './command.ts'
import { durationText, openWait, waitFor } from './waiting.ts'

const screenOf = (said: string[], isTerminal = false): Screen => ({
  env: { NO_COLOR: '1' },
  out: () => {},
  err: (text) => said.push(text),
  cwd: '.',
  columns: 80,
  isTerminal: { out: false, err: isTerminal },
})

it('says at once what it waits for and how long, and again when that changes', () => {
  const said: string[] = []
  const line = openWait(screenOf(said), { what: '3 translations', forMs: 600_000 })
  line.show()
  line.show('2 translations')
  expect(said).toEqual([
    'Waiting for 3 translations (up to 10 min)…',
    'Waiting for 2 translations (0 s so far, up to 10 min)…',
  ])
})

it('counts on one line of a terminal, and removes it', () => {
  const written: string[] = []
  const line = openWait(screenOf([], true), { what: 'the hub', forMs: 5_000 }, (text) =>
    written.push(text),
  )
  line.end()
  expect(written[0]).toBe('Waiting for the hub: 0 s of 5 s')
  expect(written.at(-1)).toMatch(/^\r +\r$/)
})

it('returns what it finds, or nothing when the time is over', async () => {
  const screen = screenOf([])
  let looks = 0
  const third = async () => (++looks === 3 ? 'there' : undefined)
  expect(await waitFor(screen, { what: 'it', everyMs: 1 }, third)).toBe('there')
  expect(
    await waitFor(screen, { what: 'it', forMs: 5, everyMs: 1 }, async () => undefined),
  ).toBeUndefined()
})

it('stops when it is interrupted, with the reason', async () => {
  const stop = new AbortController()
  const look = async () => {
    stop.abort(new Error('enough'))
    return undefined
  }
  const waiting = waitFor(screenOf([]), { what: 'it', everyMs: 60_000, signal: stop.signal }, look)
  await expect(waiting).rejects.toThrow('enough')
})

it.each([
  [999, '0 s'],
  [45_000, '45 s'],
  [125_000, '2 min 5 s'],
  [600_000, '10 min'],
  [3_780_000, '1 h 3 min'],
])('%i ms is %s', (ms, text) => expect(durationText(ms)).toBe(text))
