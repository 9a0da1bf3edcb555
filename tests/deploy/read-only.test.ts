/** The production hub as its container runs it: everything is read-only but the data folder, and the health check says so. */
import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '../..')

it('serves while every file but its data folder is read-only', async ({ skip }) => {
  if (process.platform !== 'linux' || process.getuid?.() !== 0)
    skip('only root on Linux may mount a file system read-only')
  const data = mkdtempSync(join(tmpdir(), 'dragoman-read-only-'))
  const [, check = ''] =
    /^HEALTHCHECK[\s\S]*?CMD (\[.*\])$/m.exec(readFileSync(join(root, 'deploy/Containerfile'), 'utf8')) ?? []
  const [node, ...args] = JSON.parse(check) as string[]
  expect(node).toBe('node')
  const mounts = 'mount --bind "$0" "$0" && mount -o remount,bind,ro / && ! touch /read-only 2>/dev/null && exec "$@"'
  const hub = spawn(
    'unshare',
    ['--mount', 'sh', '-c', mounts, data, process.execPath, join(root, 'packages/cli/bin/dragoman.js'), 'serve'],
    {
      cwd: root,
      env: { PATH: process.env.PATH, DRAGOMAN_PORT: '0', DRAGOMAN_DATA: data, DRAGOMAN_DRAIN_DELAY: '0s' },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  const ended = new Promise<number | null>((resolve) => hub.once('exit', resolve))
  let said = ''
  const ready = new Promise<string>((resolve) => {
    for (const stream of [hub.stdout, hub.stderr])
      stream.on('data', (text: Buffer) => {
        said += text.toString()
        const port = /ready at http:\/\/127\.0\.0\.1:(\d+)/.exec(said)?.[1]
        if (port) resolve(port)
      })
  })
  try {
    const port = await Promise.race([ready, ended])
    if (typeof port !== 'string') throw new Error(said)
    expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status, said).toBe(200)
    const healthy = (at: string) => execFileSync(process.execPath, args, { env: { DRAGOMAN_PORT: at }, stdio: 'pipe' })
    expect(() => healthy(port)).not.toThrow()
    hub.kill('SIGTERM')
    expect(await ended).toBe(0)
    expect(() => healthy(port)).toThrow()
  } finally {
    hub.kill('SIGKILL')
    rmSync(data, { recursive: true, force: true })
  }
})
