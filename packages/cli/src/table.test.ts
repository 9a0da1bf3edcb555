import { describe, expect, it } from 'vitest'
import type { Screen } from './command.ts'
import { hasColour } from './printable.ts'
import { barLine, openProgress } from './progress.ts'
import { showTable, sizeText, widthOf } from './table.ts'

const rows = [
  { id: 'abcdefghij', name: 'A name that is rather long for a terminal of forty columns' },
  { id: 'klmnopqrst', name: '日本語の名前' },
]
const columns = [
  { title: 'JOB', of: (row: (typeof rows)[0]) => row.id },
  { title: 'NAME', of: (row: (typeof rows)[0]) => row.name },
]

function screenOf(wide: number, isTerminal: boolean, env: Record<string, string> = {}) {
  const lines: string[] = []
  const screen: Screen = {
    env,
    out: (text) => lines.push(...text.split('\n')),
    err: () => {},
    cwd: '/',
    columns: wide,
    isTerminal: { out: isTerminal, err: isTerminal },
  }
  return { screen, lines }
}

describe('tables', () => {
  it('stand in columns where they fit, and in colour only for a terminal', () => {
    const { screen, lines } = screenOf(100, true)
    showTable(screen, rows, columns, 'none')
    expect(lines[0]).toBe('\u001b[1mJOB         NAME\u001b[0m')
    expect(lines[2]).toBe('klmnopqrst  日本語の名前')
  })

  it.each([40, 20])('fit a terminal of %i columns, with nothing left out', (wide) => {
    const { screen, lines } = screenOf(wide, true)
    showTable(screen, rows, columns, 'none')
    expect(Math.max(...lines.map(widthOf))).toBeLessThanOrEqual(wide)
    expect(lines.join('').replaceAll('  ', '')).toContain(
      'A name that is rather long for a terminal of forty columns',
    )
    expect(lines).toContain('')
  })

  it('are not broken and not coloured when they are piped', () => {
    const { screen, lines } = screenOf(40, false)
    showTable(screen, rows, columns, 'none')
    expect(lines).toHaveLength(3)
    expect(lines.join('')).not.toContain('\u001b')
  })

  it.each([
    ['NO_COLOR', '1'],
    ['TERM', 'dumb'],
  ])('have no colour with %s=%s', (name, value) => {
    expect(hasColour(screenOf(80, true, { [name]: value }).screen)).toBe(false)
  })

  it('say so where there is nothing', () => {
    const { screen, lines } = screenOf(80, true)
    showTable(screen, [], columns, 'There are no jobs.')
    expect(lines).toEqual(['There are no jobs.'])
  })
})

describe('a bar', () => {
  it.each([
    [0, 10],
    [5, 10],
    [10, 10],
    [0, 0],
  ])('%i of %i fits 40 columns, whatever it names', (done, total) => {
    const line = barLine(done, total, 'content/日本語/a-rather-long-path/to/some/page.html', 40)
    expect(widthOf(line)).toBeLessThan(40)
    expect(line).toMatch(/^\[#*-*\] +\d+ % /)
  })

  it('is drawn over itself and taken away', () => {
    const written: string[] = []
    const bar = openProgress(screenOf(40, true).screen, (text) => written.push(text) > 0)
    bar.show(1, 2, 'a')
    bar.show(1, 2, 'a')
    bar.end()
    expect(written).toEqual([expect.stringContaining('\r\u001b[K['), '\r\u001b[K'])
  })

  it('is nothing where nobody looks', () => {
    const written: string[] = []
    openProgress(screenOf(40, false).screen, (text) => written.push(text) > 0).show(1, 2, 'a')
    expect(written).toEqual([])
  })
})

it.each([
  [0, '0 B'],
  [999, '999 B'],
  [1_500, '1.5 kB'],
  [20_971_520, '21.0 MB'],
])('%i bytes are %s', (bytes, text) => expect(sizeText(bytes)).toBe(text))
