/**
 * The hub of the demo: the built program on a free port and in a temporary folder, removed when it
 * closes.
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from '../prepare.mjs'

const readyWithin = 60_000
const endsWithin = 10_000

/** No key of the caller's own hub configuration reaches this one. */
const ownEnv = () =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('DRAGOMAN_')))

export function openHub() {
  const folder = mkdtempSync(join(tmpdir(), 'dragoman-demo-'))
  const child = spawn(process.execPath, [join(root, 'packages/cli/bin/dragoman.js'), 'serve'], {
    cwd: root,
    env: {
      ...ownEnv(),
      DRAGOMAN_PROFILE: 'sandbox',
      DRAGOMAN_PORT: '0',
      DRAGOMAN_DATA: join(folder, 'data'),
      DRAGOMAN_LOG_LEVEL: 'warn',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let [out, err] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text) => {
    out += text
  })
  child.stderr.setEncoding('utf8').on('data', (text) => {
    err = (err + text).slice(-2_000)
  })
  const ended = new Promise((resolve) =>
    child.once('close', (code, signal) => resolve(signal ?? code)),
  )
  child.once('error', (error) => {
    err += error.message
  })

  const ready = () =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => reject(new Error(`the hub was not ready in time. ${err}`)),
        readyWithin,
      )
      const look = () => {
        const url = /^Dragoman is ready at (\S+) /m.exec(out)?.[1]
        if (!url) return
        clearTimeout(timer)
        resolve(url)
      }
      child.stdout.on('data', look)
      void ended.then((how) => {
        clearTimeout(timer)
        reject(new Error(`the hub ended (${how}). ${err}`))
      })
    })

  return {
    pid: child.pid,
    ready,
    /** Stops it as an operator would, and removes its folder. */
    close: async () => {
      child.kill('SIGTERM')
      const timer = setTimeout(() => child.kill('SIGKILL'), endsWithin)
      await ended
      clearTimeout(timer)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
