/** A real nginx for tests, in a temporary folder: everything it writes stays there. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export const hasNginx = (() => {
  try {
    execFileSync('nginx', ['-v'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
})()

export type Nginx = {
  /** A file in its folder, such as `access.log`; empty if there is none. */
  read(name: string): string
  stop(): Promise<void>
}

/**
 * Starts nginx with this text in its `http` block and waits until the port is open. `make` gets the
 * folder of the server.
 */
export async function startNginx(port: number, make: (folder: string) => string): Promise<Nginx> {
  const folder = mkdtempSync(join(tmpdir(), 'dragoman-nginx-'))
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  )
  writeFileSync(
    join(folder, 'nginx.conf'),
    `${process.getuid?.() === 0 ? 'user root;' : ''} daemon off; worker_processes 1; pid ${folder}/pid; events {}
http { access_log off; ${paths.join(' ')}
${make(folder)}
}`,
  )
  const options = ['-p', folder, '-c', join(folder, 'nginx.conf'), '-e', join(folder, 'errors')]
  try {
    execFileSync('nginx', ['-t', '-q', ...options], { stdio: 'pipe' })
  } catch (error) {
    rmSync(folder, { recursive: true, force: true })
    throw error
  }
  const child = spawn('nginx', options, { stdio: 'ignore' })
  const gone = once(child, 'exit')
  for (let tries = 0; tries < 200; tries += 1) {
    // Any response will do, even that this port speaks TLS only.
    if (await fetch(`http://127.0.0.1:${port}/`, { redirect: 'manual' }).catch(() => undefined))
      break
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
  return {
    read: (name) => {
      try {
        return readFileSync(join(folder, name), 'utf8')
      } catch {
        return ''
      }
    },
    stop: async () => {
      child.kill('SIGTERM')
      await gone
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
