/**
 * `dragoman push`: sends files as one job to a provider. If interrupted, the same command continues where it stopped; run again
 * after success, it says so and sends nothing.
 */
import { type FormatRow, formatRows, HubError, limits, type Provider, quotas } from '@dragoman/contract/wire'
import type { Connection } from '@dragoman/sdk'
import { type Command, Refusal, readArgs, type Screen, UsageError } from '../command.ts'
import { interruptible } from '../interrupt.ts'
import { openProgress } from '../progress.ts'
import { count, json, sizeText } from '../table.ts'
import { hubHelp, hubOptions, type Joined, joinHub, withVersions } from './hub-connection.ts'
import { type PushPlan, planPush } from './push-plan.ts'
import { newState, type PushState, readState, withLock, writeState } from './push-state.ts'
import {
  addRequests,
  createDraft,
  jobOf,
  leaveFormer,
  type Steps,
  stillThere,
  submit,
  uploadFiles,
} from './push-steps.ts'
import { quoteText, readQuote } from './quote.ts'

const text = { type: 'string' } as const
const many = { type: 'string', multiple: true } as const

export const push: Command = {
  says: 'send files or folders to a provider as one job',
  help: `Usage: dragoman push [FILE|FOLDER|GLOB]… [OPTION]…

Uploads the files, creates one job with a request for each file and language, and submits it. Without arguments
and options it uses dragoman.yml. If it is interrupted, run it again to continue.

  --source CODE      the language of the files
  --target LIST      the languages to translate to, separated by commas; repeatable
  --provider NAME    the provider, by name or id; optional if the site has only one
  --label LABEL      a label of the job; repeatable
  --name TEXT        the name of the job
  --po TEXT          the purchase order
  --due TIME         the due date, such as 2027-03-01
  --dry-run          show what would be sent and what it would cost; deletes the draft afterwards
  --again            push even if the same files were pushed before
${hubHelp}

Exit code: 0 done (or nothing to do), 1 refused, 2 invalid arguments, 3 hub not reachable,
4 credentials refused, 130 interrupted.`,
  run: async (args, screen) => {
    const flag = { type: 'boolean' } as const
    const { values, positionals } = readArgs({
      args,
      allowPositionals: true,
      options: {
        ...hubOptions,
        source: text,
        target: many,
        provider: text,
        label: many,
        name: text,
        po: text,
        due: text,
        'dry-run': flag,
        again: flag,
      },
    })
    const joined = await joinHub(values, screen)
    const plan = await planPush(joined, values, positionals, screen)
    mustFit(plan)
    warnOfFormats(plan, screen)
    const asJson = values.json ?? false
    return withVersions(joined, () =>
      values['dry-run']
        ? tryOut(joined, plan, screen, asJson)
        : withLock(joined.folder, () => pushIt(joined, plan, screen, { asJson, again: values.again ?? false })),
    )
  },
}

/** A job has limits; exceeding them is reported before anything is sent. */
function mustFit({ files, targets }: PushPlan): void {
  const requests = files.length * targets.length
  const large = files.find(({ source }) => source.size > limits.fileBytes)
  if (large) throw new UsageError(`${large.path} has ${large.source.size} bytes; the maximum is ${limits.fileBytes}.`)
  if (files.length > quotas.MaxFilesPerJob)
    throw new UsageError(
      `${files.length} files are too many for one job; the maximum is ${quotas.MaxFilesPerJob}. Push fewer at a time.`,
    )
  if (requests > quotas.MaxReqsPerJob)
    throw new UsageError(
      `${files.length} files in ${targets.length} languages are ${requests} requests; the maximum per job is ${quotas.MaxReqsPerJob}. Push fewer at a time.`,
    )
}

/** Only a warning, without its own exit code: a person, or a provider's own program, may translate any file. */
function warnOfFormats({ files }: PushPlan, screen: Screen): void {
  for (const { path, format } of files) {
    const row: FormatRow | undefined = format && formatRows[format]
    if (row?.advice) screen.err(`Warning: ${path}: ${row.advice}`)
  }
  const unknown = files.filter(({ format }) => format === undefined)
  if (unknown.length === 0) return
  const names = unknown.slice(0, maxNamed).map(({ path }) => path)
  if (unknown.length > maxNamed) names.push(`and ${unknown.length - maxNamed} more`)
  screen.err(`Warning: the hub cannot translate the format of ${count(unknown.length, 'file')}: ${names.join(', ')}.`)
  screen.err('Pseudo and machine translation will report an error for them; other providers may accept them.')
}

/** Number of names in one warning. */
const maxNamed = 10

type How = { readonly asJson: boolean; readonly again: boolean }

async function pushIt(joined: Joined, plan: PushPlan, screen: Screen, { asJson, again }: How): Promise<number> {
  const { hub, folder } = joined
  const former = await stillThere(hub, await readState(folder))
  const isSame = former?.fingerprint === plan.fingerprint
  if (former && isSame && former.submitted && !again) {
    const job = await hub.findJob({ params: { jobId: jobOf(former) } })
    const says = `Nothing has changed since job ${job.jobId} (${job.statusCode}) was pushed; use --again to push it again.`
    screen.out(asJson ? json({ pushed: false, job }) : says)
    return 0
  }
  const goesOn = former && isSame && !former.submitted
  if (former && !goesOn && !former.submitted) await leaveFormer(hub, former)
  if (goesOn && !asJson) screen.err(`Continuing the interrupted ${former.jobId ? `job ${former.jobId}` : 'push'}.`)
  const says = 'Interrupted. Run the same command again to continue; nothing is sent twice.'
  const job = await interruptible(says, async (signal) => {
    const steps = openSteps(joined, plan, screen, signal, (state) => writeState(folder, state))
    try {
      const provider = await (plan.provider === undefined ? mustBeOne(hub) : mustTake(hub, plan.provider))
      const filled = await fill(steps, goesOn ? former : newState(plan.fingerprint))
      return await submit({ ...steps, providerId: provider.id }, filled)
    } finally {
      steps.end()
    }
  })
  const { files, targets } = plan
  if (asJson) screen.out(json({ pushed: true, job }))
  else {
    screen.out(`Job ${job.jobId} "${job.jobName}" is ${job.statusCode}.`)
    screen.out(
      `${count(files.length, 'file')}, ${count(targets.length, 'language')}: ${count(files.length * targets.length, 'request')}.`,
    )
    screen.out('Next: dragoman status, dragoman pull')
  }
  return 0
}

/** Reports a missing or disabled provider before anything is sent. */
async function mustTake(hub: Connection, nameOrId: string): Promise<Provider> {
  const provider = await hub.findProviderNamed(nameOrId)
  if (provider.status === 'DISABLED') throw new HubError('PROVIDER_DISABLED', { providerId: provider.name })
  return provider
}

/** Without a name, the only enabled one. */
async function mustBeOne(hub: Connection): Promise<Provider> {
  const enabled: Provider[] = []
  for await (const provider of hub.each('listProviders')) if (provider.status === 'ENABLED') enabled.push(provider)
  const [only] = enabled
  if (only && enabled.length === 1) return only
  const names = enabled.map(({ name }) => name).join(', ') || 'none is enabled'
  throw new Refusal(`Specify the provider: --provider NAME, or provider in dragoman.yml. This site has: ${names}.`)
}

const fill = async (steps: Steps, state: PushState): Promise<PushState> =>
  addRequests(steps, await uploadFiles(steps, await createDraft(steps, state)))

function openSteps(
  { hub }: Joined,
  plan: PushPlan,
  screen: Screen,
  signal: AbortSignal,
  keep: Steps['keep'],
): Steps & { end(): void } {
  const bar = openProgress(screen)
  const total = plan.files.reduce((sum, { source }) => sum + source.size, 0)
  const sent = new Map<string, number>()
  return {
    hub,
    plan,
    signal,
    keep,
    onProgress: (path, bytes) => {
      sent.set(path, bytes)
      bar.show(
        [...sent.values()].reduce((sum, one) => sum + one, 0),
        total,
        path,
      )
    },
    end: bar.end,
  }
}

/** Only a job can be quoted: creates a draft, fills it, reads the quote, and always deletes the draft. */
async function tryOut(joined: Joined, plan: PushPlan, screen: Screen, asJson: boolean): Promise<number> {
  let draft: PushState = newState(plan.fingerprint)
  const keep = async (state: PushState) => {
    draft = state
  }
  const quote = await interruptible('Interrupted; nothing was submitted.', async (signal) => {
    const steps = openSteps(joined, plan, screen, signal, keep)
    try {
      await fill(steps, draft)
      return await readQuote(joined.hub, jobOf(draft), signal)
    } finally {
      steps.end()
      await leaveFormer(joined.hub, draft)
    }
  })
  const { files, targets, source, provider } = plan
  if (asJson) {
    const list = files.map(({ path, format, source: { size } }) => ({ path, size, format }))
    screen.out(json({ dryRun: true, source, targets, provider, files: list, quote: quote ?? null }))
    return 0
  }
  for (const { path, format, source: file } of files)
    screen.out(`${path} (${sizeText(file.size)}, ${format ?? 'no known format'})`)
  screen.out(
    `${count(files.length, 'file')} from ${source} to ${targets.join(', ')}: ${count(files.length * targets.length, 'request')}, to ${provider ?? 'the only provider'}.`,
  )
  for (const line of quoteText(quote)) screen.out(line)
  screen.out('Nothing was submitted.')
  return 0
}
