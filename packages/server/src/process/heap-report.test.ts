import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { takeHeapReports } from './heap-report.ts'

describe('reports of a full heap', () => {
  let data: string
  beforeEach(() => {
    data = mkdtempSync(join(tmpdir(), 'heap-'))
  })
  afterEach(() => rmSync(data, { recursive: true }))

  it('name the nodes that ended so, once, and leave those alone that run', () => {
    expect(takeHeapReports(data, () => false)).toEqual([])
    const folder = join(data, 'heap-reports')
    const write = (name: string, text: string) => writeFileSync(join(folder, name), text)
    mkdirSync(folder)
    write('ended.json', '{"header":{"event":"Allocation failed - JavaScript heap out of memory"}}')
    write('killed.json', '')
    write('runs.json', '')
    write('other file', 'heap')
    expect(takeHeapReports(data, (nodeId) => nodeId === 'runs')).toEqual(['ended'])
    expect(takeHeapReports(data, (nodeId) => nodeId === 'runs')).toEqual([])
    expect(readdirSync(folder).sort()).toEqual(['other file', 'runs.json'])
  })
})
