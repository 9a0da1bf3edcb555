/**
 * nginx with sendfile on a folder, if installed: printed beside a download to show what the system
 * can do.
 */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Bench } from './figure.ts'

/** The URL of the folder, or undefined without nginx. */
export async function serveByNginx(bench: Bench, folder: string): Promise<string | undefined> {
  const isThere = await promisify(execFile)('nginx', ['-v']).catch(() => undefined)
  if (!isThere) return undefined
  const own = await bench.folder()
  const port = await freePort()
  await writeFile(join(own, 'nginx.conf'), settings(own, folder, port))
  const child = spawn(
    'nginx',
    ['-p', own, '-c', join(own, 'nginx.conf'), '-e', join(own, 'errors')],
    {
      stdio: 'ignore',
    },
  )
  const gone = once(child, 'exit')
  bench.atEnd(async () => {
    child.kill('SIGTERM')
    await gone
  })
  const url = `http://127.0.0.1:${port}`
  for (let tries = 0; tries < 100; tries++) {
    if (await fetch(url).catch(() => undefined)) return url
    await delay(50)
  }
  return undefined
}

const settings = (own: string, folder: string, port: number): string => `
${process.getuid?.() === 0 ? 'user root;' : ''}
daemon off;
worker_processes 1;
pid ${own}/pid;
events {}
http {
  access_log off;
  sendfile on;
  client_body_temp_path ${own}/body;
  proxy_temp_path ${own}/proxy;
  fastcgi_temp_path ${own}/fastcgi;
  uwsgi_temp_path ${own}/uwsgi;
  scgi_temp_path ${own}/scgi;
  server { listen 127.0.0.1:${port}; root ${folder}; }
}
`

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}
