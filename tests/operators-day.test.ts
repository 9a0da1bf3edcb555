/**
 * docs/operators-day.md: its commands run as they stand, in one shell, against a real hub, and
 * print what the page shows. In what the page shows, `…` stands for anything, and blanks count as
 * one.
 */
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { isThere } from './formats/judge.ts'
import { freePort } from './free-port.ts'
import { startHub } from './hub.ts'

const root = join(import.meta.dirname, '..')
const page = readFileSync(join(root, 'docs/operators-day.md'), 'utf8')
const steps = [
  ...page.matchAll(/^```sh day\n([\s\S]*?)^```$(?:\n\n```text\n([\s\S]*?)^```$)?/gm),
].map(([, commands = '', shown = '']) => ({
  commands,
  shown: shown.split('\n').filter((line) => line.trim() !== ''),
}))

const squeezed = (text: string): string => text.replace(/\s+/g, ' ').trim()
const patternOf = (line: string): RegExp =>
  new RegExp(
    `^${squeezed(line)
      .split(/ ?… ?/)
      .map((part) => part.replace(/[.*+?^$(){}|[\]\\]/g, '\\$&'))
      .join('.*')}$`,
  )

function run(script: string, cwd: string, env: Record<string, string>): Promise<string> {
  return new Promise((resolve, reject) =>
    execFile(
      'sh',
      ['-eu', '-c', script],
      { cwd, env: { PATH: process.env.PATH, ...env } },
      (error, out, err) =>
        error ? reject(new Error(`${error.message}\n${out}\n${err}`)) : resolve(out),
    ),
  )
}

it('an operator has a day as the page tells it', async ({ skip }) => {
  skip(!isThere('curl'), 'curl is not installed')
  expect(steps.length).toBeGreaterThan(8)
  const hub = await startHub()
  const work = mkdtempSync(join(tmpdir(), 'dragoman-day-'))
  try {
    const program = join(root, 'packages/cli/bin/dragoman.js')
    // Whatever happens, the receiver that the page starts ends with the shell.
    const first = `npx() { shift; node "${program}" "$@"; }\ntrap 'kill $RECEIVER 2>/dev/null || true' EXIT\nRECEIVER=\n`
    const script =
      first + steps.map(({ commands }, at) => `echo "@@ ${at}"\n${commands}`).join('\n')
    const port = String(await freePort())
    const said = await run(
      script.replaceAll(':9000', `:${port}`).replaceAll('(9000', `(${port}`),
      work,
      {
        HUB_URL: hub.url,
        DRAGOMAN_DATA: join(hub.folder, 'data'),
      },
    )
    const outputs = said.split(/^@@ \d+\n/m).slice(1)
    for (const [at, { shown }] of steps.entries()) {
      const lines = (outputs[at] ?? '').split('\n').map(squeezed)
      for (const line of shown)
        expect(
          lines.some((one) => patternOf(line).test(one)),
          `${line}\nis not in\n${outputs[at]}`,
        ).toBe(true)
    }
  } finally {
    rmSync(work, { recursive: true })
    await hub.close()
  }
})
