import { describe, expect, it } from 'vitest'
import { hasForm } from './paths.ts'

describe('a path has the form of a route', () => {
  it.each([
    ['/', '/', true],
    ['/', '/jobs', false],
    ['/jobs/new', '/jobs/new', true],
    ['/jobs/new', '/jobs/newer', false],
    ['/jobs/:jobId/:tab?', '/jobs/AAAAAAAAAA', true],
    ['/jobs/:jobId/:tab?', '/jobs/AAAAAAAAAA/files', true],
    ['/jobs/:jobId/:tab?', '/jobs/AAAAAAAAAA/files/more', false],
    ['/jobs/:jobId/:tab?', '/jobs', false],
    ['/calls/:traceId?', '/calls', true],
  ])('%s, %s: %s', (form, path, expected) => {
    expect(hasForm(form, path)).toBe(expected)
  })
})
