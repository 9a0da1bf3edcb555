/**
 * The real engine, Apertium APY, if it is installed (Debian: apertium-apy apertium-eng-spa
 * apertium-spa-cat cg3 apertium-lex-tools).
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { freePort } from './free-port.ts'

const modes = '/usr/share/apertium'
export const hasApertium =
  ['apertium-apy', 'cg-proc', 'lrx-proc'].every((program) => existsSync(`/usr/bin/${program}`)) &&
  ['eng-spa', 'spa-cat'].every((pair) => existsSync(`${modes}/modes/${pair}.mode`))

const onLoopback = join(import.meta.dirname, '../scripts/apertium-loopback.py')

export type Apertium = { readonly url: string; close(): Promise<void> }

export async function startApertium(): Promise<Apertium> {
  const port = await freePort()
  const process = spawn('/usr/bin/python3', [onLoopback, '-p', String(port), modes], {
    stdio: 'ignore',
  })
  const url = `http://127.0.0.1:${port}`
  for (let tries = 300; tries > 0; tries -= 1) {
    const answer = await fetch(`${url}/listPairs`).catch(() => undefined)
    if (answer?.ok) return { url, close: () => end(process) }
    if (process.exitCode !== null) break
    await delay(100)
  }
  await end(process)
  throw new Error('apertium-apy does not start')
}

function end(process: ChildProcess): Promise<void> {
  if (process.exitCode !== null) return Promise.resolve()
  return new Promise((resolve) => {
    process.once('exit', () => resolve())
    process.kill('SIGKILL')
  })
}
