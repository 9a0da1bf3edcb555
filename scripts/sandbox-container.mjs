/**
 * The sandbox in a container. The hub listens on the container's loopback, as a sandbox does; this
 * forwards the container's port to it byte for byte, so that publishing the port decides who can
 * reach it. SIGTERM ends both.
 */
import { spawn } from 'node:child_process'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'

const outer = Number(process.env.PORT ?? 8080)
const program = join(import.meta.dirname, '../packages/cli/bin/dragoman.js')
const { PORT: _, ...env } = process.env
const hub = spawn(process.execPath, [program, 'serve'], {
  env: { ...env, DRAGOMAN_PROFILE: 'sandbox', DRAGOMAN_PORT: '0' },
  stdio: ['ignore', 'pipe', 'inherit'],
})
for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => hub.kill(signal))
hub.once('exit', (code) => process.exit(code ?? 1))

let said = ''
hub.stdout.on('data', (text) => {
  if (said.includes('\n')) return
  said += text
  const port = /http:\/\/127\.0\.0\.1:(\d+)/.exec(said)?.[1]
  if (port) open(Number(port))
})

function open(inner) {
  const server = createServer((socket) => {
    const there = connect(inner, '127.0.0.1')
    socket.pipe(there).pipe(socket)
    for (const [one, other] of [
      [socket, there],
      [there, socket],
    ])
      one.on('error', () => other.destroy())
  })
  server.listen(outer, '0.0.0.0', () =>
    console.log(`Dragoman is ready at port ${server.address().port} (sandbox)`),
  )
}
