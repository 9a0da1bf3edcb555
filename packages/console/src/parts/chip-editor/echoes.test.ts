/** Which values of the page replace what stands in an editor. */
import { describe, expect, it } from 'vitest'
import { openEchoes } from './echoes.ts'

describe('a value of the page', () => {
  it('is the same as before while the page repeats it, whatever was typed since', () => {
    const echoes = openEchoes([])
    echoes.sent(['k'])
    expect(echoes.judge([])).toBe('same')
    expect(echoes.judge([''])).toBe('same')
    expect(echoes.judge(['k'])).toBe('echo')
    echoes.sent(['ko'])
    expect(echoes.judge(['k'])).toBe('same')
  })

  it('is an echo also when it comes late, until a later one has come back', () => {
    const echoes = openEchoes(['a'])
    for (const text of ['ab', 'abc', 'abcd']) echoes.sent([text])
    expect(echoes.judge(['ab'])).toBe('echo')
    expect(echoes.judge(['abcd'])).toBe('echo')
    expect(echoes.judge(['abc'])).toBe('chosen')
  })

  it('is chosen where the editor never said it, also if the page had it at first', () => {
    const echoes = openEchoes(['a'])
    echoes.sent(['ab'])
    expect(echoes.judge(['ab'])).toBe('echo')
    expect(echoes.judge(['a'])).toBe('chosen')
    expect(echoes.judge(['ab'])).toBe('chosen')
  })
})
