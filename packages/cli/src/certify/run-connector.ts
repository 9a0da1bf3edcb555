/** One round of the connector: as a command that certification starts, or started by a person. */
import { spawn } from 'node:child_process'
import { endsRound, type Round, type SeenCall } from '@dragoman/certify'

export type Ended = Round['ended']
export type Running = {
  /** Resolves when the round is over. */
  readonly ended: Promise<Ended>
  /** The last lines of its output. */
  said(): string
}
export type RunConnector = (
  scenario: string,
  calls: () => Promise<readonly SeenCall[]>,
  signal: AbortSignal,
) => Running

type CommandOptions = {
  readonly command: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly timeoutMs: number
}

const keptSaid = 4_000

/**
 * Runs through the shell, in the folder where certification was started; the round ends with its
 * process.
 */
export function runCommandLine({ command, env, timeoutMs }: CommandOptions): RunConnector {
  return (scenario, _calls, signal) => {
    const child = spawn(command, {
      shell: true,
      env: { ...env, HUB_SCENARIO: scenario },
      stdio: ['ignore', 'pipe', 'pipe'],
      // Its own process group, so that everything the shell started ends with it.
      detached: process.platform !== 'win32',
    })
    let said = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        said = (said + text).slice(-keptSaid)
      })
    const end = (signal: NodeJS.Signals) => {
      try {
        if (child.pid !== undefined)
          process.kill(process.platform === 'win32' ? child.pid : -child.pid, signal)
      } catch {
        // It has already ended.
      }
    }
    const ended = new Promise<Ended>((resolve) => {
      let late = false
      const stop = () => end('SIGTERM')
      signal.addEventListener('abort', stop, { once: true })
      const timer = setTimeout(() => {
        late = true
        end('SIGKILL')
      }, timeoutMs)
      child.once('error', () => resolve({ code: 127 }))
      child.once('close', (code) => {
        clearTimeout(timer)
        signal.removeEventListener('abort', stop)
        resolve(late ? 'late' : { code: code ?? 1 })
      })
    })
    return { ended, said: () => said }
  }
}

export type WaitOptions = {
  readonly timeoutMs: number
  readonly quietMs: number
  readonly tell: (text: string) => void
}

/**
 * A person runs it: the round ends when a job was completed or approved and no call has come for a
 * while.
 */
export function waitForConnector({ timeoutMs, quietMs, tell }: WaitOptions): RunConnector {
  return (scenario, calls, signal) => {
    tell(`Now run the connector for one round (${scenario}).`)
    const ended = (async (): Promise<Ended> => {
      const begun = performance.now()
      let last = { number: -1, at: begun }
      while (performance.now() - begun < timeoutMs && !signal.aborted) {
        const seen = await calls()
        const number = seen.at(-1)?.number ?? -1
        if (number !== last.number) last = { number, at: performance.now() }
        if (seen.some(endsRound) && performance.now() - last.at > quietMs) return 'in time'
        await new Promise((next) => setTimeout(next, 200))
      }
      return 'late'
    })()
    return { ended, said: () => '' }
  }
}
