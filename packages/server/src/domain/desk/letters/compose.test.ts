import { describe, expect, it } from 'vitest'
import { compose } from './compose.ts'

describe('a name in a mail', () => {
  it.each([
    ['Spring catalogue', 'Spring catalogue'],
    ['Version 2.5 (de-DE)', 'Version 2.5 (de-DE)'],
    ['See https://evil.example/a', 'See https[:]//evil[.]example/a'],
    ['www.evil.example now', 'www[.]evil[.]example now'],
    ['evil.example/login', 'evil[.]example/login'],
    ['evil.com', 'evil[.]com'],
    ['a@evil.com', 'a@evil[.]com'],
    ['two\r\nlines\u202eback', 'two lines back'],
  ])('%j has no link and is one line', (jobName, shown) => {
    const { subject, text } = compose(
      { kind: 'newWork', jobId: 'j', jobName, many: 1 },
      'https://hub.example',
    )
    expect(subject).toBe(`New work: ${shown}`)
    expect(text).toContain(`Job: ${shown}\nRequests: 1\n`)
  })
})
