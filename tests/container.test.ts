/**
 * What runs inside the container: the sandbox on loopback, its bytes handed on from the container's
 * port.
 */
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect, sourceOf } from '@dragoman/sdk'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '..')

it('the sandbox is reached through the port, with its own address in its answers', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'dragoman-container-'))
  const child = spawn(process.execPath, [join(root, 'scripts/sandbox-container.mjs')], {
    env: { PATH: process.env.PATH, PORT: '0', DRAGOMAN_DATA: folder, DRAGOMAN_LOG_LEVEL: 'silent' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  try {
    const port = await new Promise<string>((resolve) =>
      child.stdout.on('data', (text: Buffer) => {
        const found = /ready at port (\d+)/.exec(text.toString())?.[1]
        if (found) resolve(found)
      }),
    )
    const url = `http://127.0.0.1:${port}`
    const hub = connect({ url, clientId: 'demo-connector', clientSecret: 'demo-connector-secret' })
    const job = await hub.createJob({ body: { jobName: 'from outside' } })
    const { fmsFileId } = await hub.upload(job.jobId, sourceOf('a.txt', 'through the port'))
    expect(await (await hub.download({ jobId: job.jobId, fmsFileId })).text()).toBe(
      'through the port',
    )
    const transfer = await hub.createSourceFile({
      params: { jobId: job.jobId },
      query: { fileName: 'b.txt' },
    })
    expect(transfer.fmsUploadUrl.startsWith(url)).toBe(true)
  } finally {
    child.kill('SIGTERM')
  }
  expect(await ended).toBe(0)
  rmSync(folder, { recursive: true, force: true })
})

it('the Containerfile copies what is there and runs that', () => {
  const text = readFileSync(join(root, 'Containerfile'), 'utf8')
  const copied = [...text.matchAll(/^COPY (?!--from)(.*) \S+$/gm)].flatMap(([, list = '']) =>
    list.split(' '),
  )
  for (const path of copied) expect(existsSync(join(root, path))).toBe(true)
  expect(text).toMatch(
    /node scripts\/build-console\.mjs && node scripts\/build-docs\.mjs && \\\n +node scripts\/build-server\.mjs/,
  )
  expect(text).toContain('CMD ["node", "scripts/sandbox-container.mjs"]')
})
