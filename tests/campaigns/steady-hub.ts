/**
 * The built program on a fixed port and folder, which can be killed and restarted there. Its
 * folder, database and blobs outlive its processes.
 */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../free-port.ts'
import { type Env, type Exit, spawnProgram, startProcess, type TestProcess } from '../hub.ts'

export type SteadyHub = {
  readonly url: string
  readonly port: number
  readonly pid: number
  readonly folder: string
  /** The environment for a command to reach its stores. */
  readonly env: Env
  /** Standard error of its processes. */
  logged(): string
  signal(signal: NodeJS.Signals): void
  /** SIGTERM, and waits until it has ended. */
  stop(): Promise<Exit>
  /** SIGKILL, without a restart. */
  kill(): Promise<void>
  /** SIGKILL if it still runs, then a new process. */
  restart(): Promise<void>
  /** The findings of `dragoman check`; empty if nothing is damaged. */
  check(): Promise<string>
  close(): Promise<void>
}

export async function startSteadyHub(env: Env = {}): Promise<SteadyHub> {
  const folder = mkdtempSync(join(tmpdir(), 'dragoman-steady-'))
  const port = Number(env.DRAGOMAN_PORT ?? (await freePort()))
  const settings: Env = {
    DRAGOMAN_DATA: join(folder, 'data'),
    DRAGOMAN_PORT: String(port),
    DRAGOMAN_LOG_LEVEL: 'warn',
    ...env,
  }
  let hub: TestProcess
  let logged = ''
  try {
    hub = await startProcess(settings)
  } catch (error) {
    rmSync(folder, { recursive: true })
    throw error
  }
  const kill = async () => {
    hub.signal('SIGKILL')
    await hub.exited
  }
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    get pid() {
      return hub.pid
    },
    folder,
    env: settings,
    logged: () => logged + hub.stderr(),
    signal: (signal) => hub.signal(signal),
    stop: () => {
      hub.signal('SIGTERM')
      return hub.exited
    },
    kill,
    restart: async () => {
      await hub.close()
      logged += hub.stderr()
      hub = await startProcess(settings)
    },
    check: async () => {
      const run = spawnProgram(['check'], { DRAGOMAN_PROFILE: 'sandbox', ...settings })
      const { code } = await run.exited
      return code === 0 ? '' : `${run.stdout()}${run.stderr()}`.trim() || `exit code ${code}`
    },
    close: async () => {
      await hub.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** For nodes that share a database. */
export const newMasterKey = (): string => randomBytes(32).toString('base64')
