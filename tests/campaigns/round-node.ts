/**
 * One process of the built hub with fault points that can be armed from here
 * (tests/faults/fault-hub.mjs).
 */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import type { Env, Exit } from '../hub.ts'

export type FaultNode = {
  readonly url: string
  readonly exited: Promise<Exit>
  isAlive(): boolean
  /** Arms the fault point and restarts the count. Without a point it only counts. */
  arm(point?: string): Promise<void>
  /** It dies so many points from now on, whatever they are called. */
  armAfter(points: number): Promise<void>
  /** The points passed since it was armed, or since its start. */
  passed(): Promise<string[]>
  signal(signal: NodeJS.Signals): void
  /** The last lines of its log. */
  said(): string
  close(): Promise<void>
}

const program = join(import.meta.dirname, '..', 'faults', 'fault-hub.mjs')
const kept = 20_000

type Told = { url?: string; armed?: true; passed?: string[] }

/** Undefined if it died at `faultAt` before it was ready. */
export async function startFaultNode(env: Env, faultAt?: string): Promise<FaultNode | undefined> {
  const child = spawn(process.execPath, [program], {
    env: { PATH: process.env.PATH, ...env, ...(faultAt && { FAULT_AT: faultAt }) },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(-kept)
    })
  let exit: Exit | undefined
  const exited = new Promise<Exit>((resolve) =>
    child.once('close', (code, signal) => {
      exit = { code, signal }
      resolve(exit)
    }),
  )
  const hear = <K extends keyof Told>(what: K): Promise<NonNullable<Told[K]>> =>
    new Promise((resolve, reject) => {
      const listen = (told: Told) => {
        const found = told[what]
        if (found === undefined) return
        child.off('message', listen)
        resolve(found)
      }
      child.on('message', listen)
      void exited.then(() =>
        reject(new Error(`The hub ended: ${JSON.stringify(exit)} ${said.slice(-2_000)}`)),
      )
    })
  const ask = <K extends keyof Told>(what: K, message: object): Promise<NonNullable<Told[K]>> => {
    const heard = hear(what)
    // If it is dead, its end is heard.
    child.send(message, () => {})
    return heard
  }
  let url: string
  try {
    url = await hear('url')
  } catch (error) {
    if (faultAt && exit?.signal === 'SIGKILL') return undefined
    throw error
  }
  return {
    url,
    exited,
    isAlive: () => exit === undefined,
    arm: async (point) => {
      await ask('armed', { arm: point })
    },
    armAfter: async (points) => {
      await ask('armed', { points })
    },
    passed: () => ask('passed', { list: true }),
    signal: (signal) => child.kill(signal),
    said: () => said,
    close: async () => {
      child.kill('SIGKILL')
      await exited
    },
  }
}
