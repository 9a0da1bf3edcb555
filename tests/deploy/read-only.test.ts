/**
 * The production hub as its container runs it: everything is read-only but the data folder, and the
 * health check says so. Then the backup of its systemd unit, which may also write its own folder.
 */
import { execFile, execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '../..')
const read = (name: string) => readFileSync(join(root, 'deploy', name), 'utf8')
const program = join(root, 'packages/cli/bin/dragoman.js')

/** The command line that runs this one where only these two folders can be written. */
const readOnly = (first: string, second: string, command: readonly string[]): string[] => {
  const bound =
    'mount --bind "$0" "$0" && mount --bind "$1" "$1" && shift && mount -o remount,bind,ro /'
  return [
    '--mount',
    'sh',
    '-c',
    `${bound} && ! touch /read-only 2>/dev/null && exec "$@"`,
    first,
    second,
    ...command,
  ]
}

it('serves, and is backed up, while every file but its own folders is read-only', async ({
  skip,
}) => {
  if (process.platform !== 'linux' || process.getuid?.() !== 0)
    skip('only root on Linux may mount a file system read-only')
  const folder = mkdtempSync(join(tmpdir(), 'dragoman-read-only-'))
  const [data, backups] = [join(folder, 'data'), join(folder, 'backups')]
  mkdirSync(data)
  mkdirSync(backups)
  const [, check = ''] = /^HEALTHCHECK[\s\S]*?CMD (\[.*\])$/m.exec(read('Containerfile')) ?? []
  const [node, ...args] = JSON.parse(check) as string[]
  expect(node).toBe('node')
  const env = {
    PATH: process.env.PATH,
    DRAGOMAN_PORT: '0',
    DRAGOMAN_DATA: data,
    DRAGOMAN_DRAIN_DELAY: '0s',
  }
  const hub = spawn('unshare', readOnly(data, data, [process.execPath, program, 'serve']), {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
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
    const healthy = (at: string) =>
      execFileSync(process.execPath, args, { env: { DRAGOMAN_PORT: at }, stdio: 'pipe' })
    expect(() => healthy(port)).not.toThrow()

    const [, command = ''] = /^ExecStart=\S+ \S+ (.*)$/m.exec(read('dragoman-backup.service')) ?? []
    const backup = command.replace('/srv/backup/dragoman', backups).split(' ')
    const unit = readOnly(data, backups, [process.execPath, program, ...backup])
    const { stdout } = await promisify(execFile)('unshare', unit, { cwd: root, env })
    expect(stdout).toMatch(/^Backup \w+ is in /)
    expect(readdirSync(backups).sort()).toEqual(['backup-files', 'backups'])

    hub.kill('SIGTERM')
    expect(await ended).toBe(0)
    expect(() => healthy(port)).toThrow()
  } finally {
    hub.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  }
})
