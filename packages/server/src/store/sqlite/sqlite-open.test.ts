import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { openSqlite } from './sqlite.ts'

const folder = mkdtempSync(join(tmpdir(), 'dragoman-open-'))
afterAll(() => rmSync(folder, { recursive: true }))
writeFileSync(join(folder, 'file'), 'x')
mkdirSync(join(folder, 'taken.db'))
writeFileSync(
  join(folder, 'text.db'),
  'This is no database, but a text that is long enough to be looked at.'.repeat(20),
)

it.each([
  ['below a file', join(folder, 'file', 'a.db'), `${join(folder, 'file')} is not a directory`],
  [
    'deep below a file',
    join(folder, 'file', 'deep', 'a.db'),
    `${join(folder, 'file')} is not a directory`,
  ],
  ['in the place of a directory', join(folder, 'taken.db'), 'it is a directory, not a file'],
  [
    'in a folder that takes no files',
    '/proc/self/dragoman.db',
    'the folder /proc/self cannot be written to (',
  ],
  ['that is another file', join(folder, 'text.db'), 'it is not an SQLite database'],
])('a database %s is refused with the folder and what is wrong', async (_, path, says) => {
  for (const exclusive of [true, false]) {
    const opened = openSqlite(path, { exclusive })
    await expect(opened).rejects.toThrow(`The database ${path} cannot be opened: ${says}`)
  }
})
