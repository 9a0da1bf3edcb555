/**
 * The tables of suites.ts name files that exist, and every file that draws a part of its cases is
 * in one of them.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { both, databaseOf, drawn, find, isolated, names, slow } from './suites.ts'

const root = join(import.meta.dirname, '..')
const files = ['packages', 'connectors', 'tests'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => `${folder}/${name}`)
    .filter((path) => path.endsWith('.test.ts') && !/\/(?:node_modules|dist)\//.test(path)),
)

describe('the tables of suites', () => {
  it.each(Object.entries({ slow, both, drawn, databaseOf, isolated }))(
    '%s names files that exist',
    (_, rows) => {
      for (const row of Object.keys(rows))
        expect([row, files.some((path) => names(row, path))]).toEqual([row, true])
    },
  )

  it('hold every file that draws a part of its cases', () => {
    const drawing = files.filter((path) =>
      /from '[./]*\/draws\.ts'/.test(readFileSync(join(root, path), 'utf8')),
    )
    expect(drawing.filter((path) => !find(drawn, path) && !find(slow, path))).toEqual([])
  })

  it('put no file into two of them', () => {
    expect(files.filter((path) => find(drawn, path) && find(slow, path))).toEqual([])
  })
})
