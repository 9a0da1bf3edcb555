/**
 * `dragoman watch`: pushes what changes and pulls what is translated, until Ctrl-C. It keeps
 * running while the hub is unavailable for a while; refused credentials end it.
 */
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { HubError } from '@dragoman/contract/wire'
import {
  type Command,
  exitCodes,
  Interrupted,
  readArgs,
  type Screen,
  UsageError,
} from '../command.ts'
import { interruptible } from '../interrupt.ts'
import { count } from '../table.ts'
import { openWait } from '../waiting.ts'
import { hubHelp, type Joined, joinHub, withVersions } from './hub-connection.ts'
import { waitedFor } from './job-waiting.ts'
import { pulledJson, tellPulled } from './pull/pull.ts'
import { outputsOf } from './pull/pull-paths.ts'
import { jobsToPull, runPull } from './pull/run-pull.ts'
import { pushOptions } from './push/push.ts'
import { type PushPlan, planPush } from './push/push-plan.ts'
import { withLock } from './push/push-state.ts'
import { runPush, tellPush } from './push/run-push.ts'

export const watch: Command = {
  says: 'push what changes and pull what is translated, until Ctrl-C',
  help: `Usage: dragoman watch [FILE|FOLDER|GLOB]… [OPTION]…

Looks at the files every second. When files have changed and then stay the same, it pushes them; when translations are
ready, it pulls them. It says what it waits for and for how long. Ctrl-C ends it; the hub continues with what was pushed.

  --source, --target, --provider, --label, --name, --po, --due, --segmentation   as for dragoman push
  --force          overwrite translations that were edited here
${hubHelp}

With --json it prints one JSON object per line, with event pushed, pulled or trouble.

Exit code: 0 ended by Ctrl-C; 1, 2, 3 and 4 as in dragoman --help, if it could not begin.`,
  run: async (args, screen) => {
    const options = { ...pushOptions, force: { type: 'boolean' } } as const
    const { values, positionals } = readArgs({ args, allowPositionals: true, options })
    const joined = await joinHub(values, screen)
    const plan = () => planPush(joined, values, positionals, quiet(screen))
    const how = { asJson: values.json ?? false, force: values.force ?? false }
    const first = await plan()
    try {
      return await interruptible('Stopped watching.', async (signal) => {
        await withVersions(joined, () => round(joined, first, screen, { ...how, signal }))
        screen.err(`Watching ${count(first.files.length, 'file')}; press Ctrl-C to stop.`)
        return follow(joined, { plan, first, screen, how: { ...how, signal } })
      })
    } catch (error) {
      if (!(error instanceof Interrupted)) throw error
      screen.err(error.message)
      return exitCodes.done
    }
  },
}

/** The plan is made repeatedly, so it must not repeat its remarks. */
const quiet = (screen: Screen): Screen => ({ ...screen, err: () => {} })

type How = { readonly asJson: boolean; readonly force: boolean; readonly signal: AbortSignal }

/** Pushes what changed and pulls what is ready; returns what is still open, if anything. */
async function round(
  joined: Joined,
  plan: PushPlan,
  screen: Screen,
  how: How,
): Promise<string | undefined> {
  const { asJson, signal, force } = how
  const say = (event: string, facts: object) => screen.out(JSON.stringify({ event, ...facts }))
  const pushed = await withLock(joined.folder, () =>
    runPush(joined, plan, screen, { asJson, all: false, signal }),
  )
  if (pushed.pushed) {
    if (asJson) say('pushed', { job: pushed.job, files: pushed.plan.files.map(({ path }) => path) })
    else tellPush(screen, pushed, false)
  }
  return pullReady(joined, screen, { asJson, force, signal }, say)
}

async function pullReady(
  joined: Joined,
  screen: Screen,
  { asJson, force, signal }: How,
  say: (event: string, facts: object) => void,
): Promise<string | undefined> {
  const how = { all: false, wait: false, approve: false, complete: false, force, signal }
  const pulled = await runPull(joined, undefined, {
    outputs: outputsOf(joined.project),
    screen,
    how,
  })
  if (pulled.written.some(({ outcome }) => outcome === 'new' || outcome === 'changed')) {
    if (asJson) say('pulled', pulledJson(joined, pulled))
    else tellPulled(screen, { ...pulled, open: [] })
  }
  if (pulled.open.length === 0) return undefined
  const jobId = (await jobsToPull(joined)).at(-1) ?? ''
  const job = await joined.hub.findJob(
    { params: { jobId }, query: { aggregateRequests: true } },
    { signal },
  )
  return waitedFor(job) ?? `${count(pulled.open.length, 'translation')} of earlier jobs`
}

type Watched = {
  readonly plan: () => Promise<PushPlan>
  readonly first: PushPlan
  readonly screen: Screen
  readonly how: How
}

const lookMs = 1_000
const askMs = 5_000

async function follow(joined: Joined, { plan, first, screen, how }: Watched): Promise<never> {
  const line = openWait(screen, { what: 'changes of the files' })
  let [seen, pending, open] = [await signatureOf(joined, first), false, true]
  let asked = performance.now()
  /** Reported once, until a round succeeds again. */
  let trouble = ''
  try {
    for (;;) {
      await pause(lookMs, undefined, { signal: how.signal })
      try {
        const now = await plan()
        const signature = await signatureOf(joined, now)
        const isQuiet = signature === seen
        pending ||= !isQuiet
        seen = signature
        const isDue = (pending && isQuiet) || (open && performance.now() - asked >= askMs)
        if (isDue) {
          line.end()
          const what = await round(joined, now, screen, how)
          ;[pending, open, asked, trouble] = [false, what !== undefined, performance.now(), '']
          line.show(what ?? 'changes of the files')
        } else line.show()
      } catch (error) {
        how.signal.throwIfAborted()
        if (!isPassing(error)) throw error
        line.end()
        if (error.message !== trouble) tellTrouble(screen, error, how.asJson)
        ;[trouble, asked] = [error.message, performance.now()]
      }
    }
  } finally {
    line.end()
  }
}

/**
 * An unavailable hub, a file that is just being written, a mistake in dragoman.yml: each may be
 * gone at the next check.
 */
const isPassing = (error: unknown): error is Error =>
  error instanceof UsageError ||
  (error instanceof HubError && error.code !== 'UNAUTHORIZED') ||
  (error instanceof Error && ['Refusal', 'Error'].includes(error.name))

function tellTrouble(screen: Screen, error: Error, asJson: boolean): void {
  if (asJson) screen.out(JSON.stringify({ event: 'trouble', message: error.message }))
  else screen.err(`${error.message} Still watching.`)
}

/** Changes with the list of files, and with the content or time of each. */
async function signatureOf({ project }: Joined, { files }: PushPlan): Promise<string> {
  const parts = files.map(async ({ path, sha256 }) => {
    const found = await stat(join(project.root, path)).catch(() => undefined)
    return `${path} ${sha256} ${found?.mtimeMs ?? 'gone'}`
  })
  return (await Promise.all(parts)).join('\n')
}
