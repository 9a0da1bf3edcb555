/** The bench runs: not how fast, which depends on the machine, but that both sides start, are measured and end. */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const repository = fileURLToPath(new URL('..', import.meta.url))

test('the bench measures and prints a table', { timeout: 180_000 }, async () => {
  const args = ['scripts/bench.mjs', 'jobs-sqlite', 'count-words', 'quote-sqlite', 'tmx-import', 'start', '--quick']
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: repository })
  expect(stdout).toMatch(/POST \/jobs, SQLite.* \d+\/s .*printed/)
  expect(stdout).toMatch(/Words counted and banded .* \d+\/s .*printed/)
  expect(stdout).toMatch(/Quote of 1,000 words .* s .*printed/)
  expect(stdout).toMatch(/TMX file of 1 MB.* units\/s .*printed/)
  expect(stdout).toMatch(/From node to the first 200.* s .*printed/)
  expect(stdout).toMatch(/Memory when idle.* MB .*printed/)
})

test('a figure that does not exist is refused with the list of those that do', { timeout: 180_000 }, async () => {
  const asked = promisify(execFile)(process.execPath, ['scripts/bench.mjs', 'nonsense'], { cwd: repository })
  await expect(asked).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/no figure nonsense[\s\S]*jobs-sqlite/),
  })
})
