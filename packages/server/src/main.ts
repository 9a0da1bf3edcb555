/**
 * The hub as a server and as a process: opens the hub and the doors, closes both. A process prints
 * one line on standard output when it is ready; SIGTERM or SIGINT lets running work finish within
 * 30 s, a second signal ends it at once.
 */
import { setFlagsFromString } from 'node:v8'
import type { Logger } from 'pino'
import { BlobTrouble } from './blobs/blob-store.ts'
import {
  type Config,
  ConfigError,
  type Env,
  inUrl,
  type Profile,
  readConfig,
} from './config/config.ts'
import { configKeys } from './config/config-keys.ts'
import { trustedProxies } from './config/trusted-proxies.ts'
import { addressOf } from './domain/access/login-throttle.ts'
import { listensOn } from './domain/access/tokens.ts'
import { prepareFirstSignIn } from './domain/people/first-sign-in.ts'
import { seedHub } from './domain/sites/seed/seed.ts'
import { buildApp } from './doors/app.ts'
import { type Metrics, openMetrics } from './doors/http/metrics.ts'
import { openMetricsServer } from './doors/http/operation.ts'
import { withFaults } from './doors/sandbox/faults.ts'
import { openRunner } from './doors/work/runner.ts'
import { taskKinds } from './doors/work/tasks.ts'
import { announceStop, closeHub, type Hub, openHub } from './hub.ts'
import type { Caps } from './process/connections.ts'
import { takeHeapReports, watchHeap } from './process/heap-report.ts'
import { type Listening, listen, type Patience, usualPatience } from './process/listen.ts'
import { openLog } from './process/log.ts'
import { scrubText } from './process/scrub.ts'
import { OlderNodeRuns, SchemaTooNew } from './store/migrate.ts'
import { selectNodes } from './store/nodes.ts'
import { FileInUse } from './store/sqlite/sqlite.ts'
import { CannotOpenFile } from './store/sqlite/sqlite-trouble.ts'
import { countEnded } from './store/tasks/ended-tasks.ts'

export { type Config, ConfigError, readConfig } from './config/config.ts'
export type { Hub } from './hub.ts'

/**
 * How long running calls and tasks may take to finish; the rest of the 30 s is for closing the
 * stores.
 */
const drainMs = 25_000
const lastMs = 29_000
/**
 * A signal to a whole process group reaches us twice, the second time through npm: it counts as
 * one.
 */
const echoMs = 150

export type Server = {
  readonly url: string
  /** Opens the console for the first person, as long as there is none. */
  readonly firstSignIn: string | undefined
  readonly hub: Hub
  /** Fails /readyz, lets running calls and tasks finish, then closes everything. */
  close(): Promise<void>
}

export type ServerOptions = {
  readonly log?: Logger
  /** Replaces the hub that the doors get. */
  readonly wrap?: (hub: Hub) => Hub
  /** This is how long slow callers may take. */
  readonly patience?: Patience
}

export async function startServer(
  config: Config,
  { log, wrap, patience = usualPatience }: ServerOptions = {},
): Promise<Server> {
  const opened = await openHub(config, log ? { log } : {})
  const faulty = config.profile === 'sandbox' ? withFaults(opened) : opened
  const hub = wrap?.(faulty) ?? faulty
  let listening: Listening | undefined
  let stopping: Promise<void> | undefined
  const metrics = openMetrics(hub)
  const runner = openRunner(hub, taskKinds, { observe: metrics.observeTask, drainMs })
  const closeDoors: (() => Promise<unknown>)[] = []
  const stop = async () => {
    const { drainDelayMs } = config
    await settled(
      [announceStop(opened), listening?.drain(drainMs - drainDelayMs, drainDelayMs), runner.stop()],
      hub.log,
    )
    await settled(
      closeDoors.map((close) => close()),
      hub.log,
    )
    await closeHub(opened)
  }
  try {
    await seedHub(hub)
    const app = await buildApp(hub, {
      runner,
      metrics,
      patience,
      isStopping: () => stopping !== undefined,
    })
    closeDoors.push(() => app.close())
    if (config.metrics)
      closeDoors.push((await openMetricsServer(hub, metrics, config.metrics)).close)
    await countHeapEnds(hub)
    await runner.start()
    listening = await listen(app.server, config, { patience, caps: capsOf(config, metrics) })
    metrics.readConnections(listening.connections)
    listensOn(hub, listening.port)
  } catch (error) {
    await stop()
    throw error
  }
  const url = `${config.tls ? 'https' : 'http'}://${inUrl(config.host)}:${listening.port}`
  const firstSignIn = await prepareFirstSignIn(hub, config.publicUrl ?? url)
  hub.log.info({ url, profile: config.profile, node: hub.nodeId }, 'ready')
  return {
    url,
    firstSignIn,
    hub,
    close: () => {
      stopping ??= stop()
      return stopping
    },
  }
}

const secretKeys = Object.entries(configKeys).flatMap(([name, row]) =>
  'secret' in row ? [name] : [],
)

/** The tasks of processes that ran out of memory, before any of them runs again. */
async function countHeapEnds(hub: Hub): Promise<void> {
  const alive = new Set((await selectNodes(hub.db.read)).map((node) => node.node_id))
  const ended = takeHeapReports(hub.config.data, (nodeId) => alive.has(nodeId))
  const tasks = await countEnded(hub.db, ended)
  if (ended.length > 0)
    hub.log.error({ nodes: ended, tasks }, 'an earlier process ended because its heap was full')
}

const capsOf = (config: Config, metrics: Metrics): Caps => ({
  ...config.connections,
  isProxy: trustedProxies(config.trustProxy),
  groupOf: addressOf,
  refused: metrics.countRefusedConnection,
})

/** Awaits all of them even if one fails: the others must still be closed. */
async function settled(
  steps: readonly (Promise<unknown> | undefined)[],
  log: Logger,
): Promise<void> {
  for (const step of await Promise.allSettled(steps))
    if (step.status === 'rejected') log.error({ err: step.reason }, 'something could not be closed')
}

/**
 * V8 lets the heap grow to four times what is alive before it collects: after a few bodies of 16
 * MiB, 170 MB were used of which 30 MB were alive. A node lets it double.
 */
const heapGrowingPercent = 100

/** Runs the hub until it is stopped; returns the exit code. */
export async function runProcess(env: Env, usualProfile?: Profile): Promise<number> {
  setFlagsFromString(`--heap-growing-percent=${heapGrowingPercent}`)
  let server: Server
  let log: Logger
  let forgetHeap = () => {}
  const told = Promise.race([
    waitForSignal(),
    ...(env.npm_lifecycle_event ? [waitForOrphaning()] : []),
  ])
  try {
    const config = readConfig(env, usualProfile)
    log = openLog(config.logLevel, 2, { gatherMs: 100 })
    // Warnings of the runtime and of packages become log lines.
    process
      .removeAllListeners('warning')
      .on('warning', (warning) => log.warn({ err: warning }, 'a warning'))
    server = await startServer(config, { log })
    forgetHeap = watchHeap(config.data, server.hub.nodeId, secretKeys)
    process.stdout.on('error', () => {})
    process.stdout.write(`Dragoman is ready at ${server.url} (${config.profile})\n`)
    if (server.firstSignIn) process.stdout.write(`First sign-in: ${server.firstSignIn}\n`)
  } catch (error) {
    process.stderr.write(`${whyNot(error)}\n`)
    leave(1)
    return 1
  }
  process.on('unhandledRejection', (error) =>
    log.error({ err: error }, 'unhandled promise rejection'),
  )
  let code = 0
  const broken = new Promise<string>((resolve) => {
    process.on('uncaughtException', (error) => {
      log.fatal({ err: error }, 'uncaught exception; the hub stops')
      code = 1
      resolve('failure')
    })
  })
  log.info({ because: await Promise.race([told, broken]) }, 'stopping')
  setTimeout(() => {
    log.error('the hub could not close in time')
    process.exit(1)
  }, lastMs).unref()
  await server.close()
  forgetHeap()
  log.info('stopped')
  leave(code)
  return code
}

/** Resolves at the first signal; a second one ends the process at once. */
function waitForSignal(): Promise<string> {
  return new Promise((resolve) => {
    let first: number | undefined
    for (const [signal, code] of [
      ['SIGTERM', 143],
      ['SIGINT', 130],
    ] as const)
      process.on(signal, () => {
        if (first !== undefined && performance.now() - first > echoMs) process.exit(code)
        first ??= performance.now()
        resolve(signal)
      })
  })
}

/**
 * npm and npx start us through a shell, which a signal to npm kills without passing it on: treats
 * the shell's end as the signal.
 */
function waitForOrphaning(): Promise<string> {
  const parent = process.ppid
  return new Promise((resolve) => {
    const watch = setInterval(() => {
      if (process.ppid === parent) return
      clearInterval(watch)
      resolve('the end of npm')
    }, 200).unref()
  })
}

/**
 * The caller sets the exit code; this ends the process even if something still holds it a moment
 * later.
 */
const leave = (code: number): unknown => setTimeout(() => process.exit(code), 500).unref()

/** One sentence for what an operator can fix; anything else is a bug and shows its stack. */
function whyNot(error: unknown): string {
  if (!(error instanceof Error)) return `Dragoman could not start: ${String(error)}`
  const known = [
    ConfigError,
    SchemaTooNew,
    OlderNodeRuns,
    FileInUse,
    CannotOpenFile,
    BlobTrouble,
  ].some((kind) => error instanceof kind)
  if (known) return error.message
  const { code } = error as NodeJS.ErrnoException
  if (code === 'EADDRINUSE')
    return `Dragoman could not start: its address is already in use (${error.message}).`
  // Errors of the system and of the database have a code and explain themselves.
  const text =
    typeof code === 'string' || error.name === 'DatabaseUnreachable' ? error.message : error.stack
  return `Dragoman could not start: ${scrubText(text || String(error))}`
}
