/**
 * The bench runs: not how fast, which depends on the machine, but that both sides start, are
 * measured and end.
 */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const repository = fileURLToPath(new URL('..', import.meta.url))

/** Figures, and the rows that each prints. */
const rows: Record<string, readonly RegExp[]> = {
  'growth-sqlite': [/GET \/jobs at 1,000,000 against 1,000, SQLite: first page .* ms .*printed/],
  start: [/From node to the first 200.* s .*printed/, /Memory when idle.* MB .*printed/],
  'testing-hub': [/startHub\(\) to the first answered call.* s .*printed/],
  multipart: [/Direct upload.* [\d,]+ MB\/s .*printed/],
  'download-sealed': [/Sealed: download.* [\d,]+ MB\/s .*printed/],
}

test('the bench measures and prints a table', async () => {
  const args = ['scripts/bench.mjs', ...Object.keys(rows), '--quick']
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: repository })
  for (const row of Object.values(rows).flat()) expect(stdout).toMatch(row)
})

test('a figure that does not exist is refused with the list of those that do', async () => {
  const asked = promisify(execFile)(process.execPath, ['scripts/bench.mjs', 'nonsense'], {
    cwd: repository,
  })
  await expect(asked).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/no figure nonsense[\s\S]*growth-sqlite/),
  })
})
