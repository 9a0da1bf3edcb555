/**
 * `dragoman doctor`: checks that this machine, its project and its hub work together; each failure
 * says what to do.
 */
import { type Command, exitCodes, Refusal, readArgs, type Screen, UsageError } from '../command.ts'
import {
  type HubFlags,
  hubHelp,
  hubOptions,
  hubUrl,
  type Joined,
  joinHub,
} from '../connector/hub-connection.ts'
import { type Project, readProject } from '../connector/project.ts'
import { green, json, red, yellow } from '../table.ts'
import {
  checkClock,
  checkCredentials,
  checkFormats,
  checkHub,
  checkLanguages,
  checkListener,
  checkVersions,
  type Outcome,
  passed,
  skipped,
} from './checks.ts'

type Finding = Outcome & { readonly check: string }
type Flags = HubFlags & { address?: string }

export const doctor: Command = {
  says: 'check the hub, the credentials and this project',
  help: `Usage: dragoman doctor [OPTION]…

Checks dragoman.yml, the hub, its version and clock, the credentials and their scopes, the languages and formats of the
project, and that the hub reaches a listener here (it registers one, sends a test delivery, and deletes it). Each line is
passed, failed or skipped; a failure says what to do.

  --address URL   URL for the hub to call in the test delivery, if it runs elsewhere: the URL of a tunnel
${hubHelp}

Exit code: 0 nothing failed, 1 something did, 2 invalid arguments.`,
  run: async (args, screen) => {
    const { values } = readArgs({ args, options: { ...hubOptions, address: { type: 'string' } } })
    const findings: Finding[] = []
    await examine(values, screen, (finding) => {
      findings.push(finding)
      if (!values.json) show(screen, finding)
    })
    const failures = findings.filter(({ result }) => result === 'failed').length
    if (values.json) screen.out(json({ passed: failures === 0, checks: findings }))
    else screen.out(failures === 0 ? 'Nothing failed.' : `${failures} failed.`)
    return failures === 0 ? exitCodes.done : exitCodes.refused
  },
}

const colours = { passed: green, failed: red, skipped: yellow } as const

function show(screen: Screen, { check, result, says, remedy }: Finding): void {
  screen.out(`${colours[result](screen, result.padEnd(7))}  ${check.padEnd(11)}  ${says}`)
  if (remedy !== undefined) screen.out(`${' '.repeat(22)}${remedy}`)
}

type Check = <T extends Outcome>(name: string, work: () => T | Promise<T>) => Promise<boolean>

async function examine(
  flags: Flags,
  screen: Screen,
  tell: (finding: Finding) => void,
): Promise<void> {
  const check: Check = async (name, work) => {
    const outcome: Outcome = await Promise.resolve()
      .then(work)
      .catch((error: unknown) => {
        if (!(error instanceof Error)) throw error
        return { result: 'failed', says: error.message || error.name, remedy: remedyOf(error) }
      })
    tell({ check: name, ...outcome })
    return outcome.result === 'passed'
  }
  const project: { now: Project | undefined } = { now: undefined }
  await check('config', async () => {
    project.now = await readProject(screen.cwd, flags.config)
    const isThere = Object.keys(project.now).length > 1
    return passed(
      isThere
        ? `the project is in ${project.now.root}`
        : 'there is no dragoman.yml; defaults apply',
    )
  })
  const joined = project.now && (await joinHub(flags, screen).catch((error: Error) => error))
  const usual = (hubUrl(flags, screen) ?? project.now?.hub ?? 'http://127.0.0.1:8080').replace(
    /\/$/,
    '',
  )
  const url = joined && 'url' in joined ? joined.url : usual
  const isThere = await check('hub', () => checkHub(url))
  const needsHub = (work: () => Outcome | Promise<Outcome>) =>
    isThere ? work : () => skipped('the hub is not reachable')
  await check(
    'version',
    needsHub(() => checkVersions(url)),
  )
  await check(
    'clock',
    needsHub(() => checkClock(url, () => performance.timeOrigin + performance.now())),
  )
  await checkClient(check, joined, { isThere, screen, address: flags.address })
  if (project.now === undefined) return
  const { now } = project
  await check('languages', () => checkLanguages(now))
  if (joined && 'hub' in joined) await check('formats', () => checkFormats(joined, screen))
}

type Client = {
  readonly isThere: boolean
  readonly screen: Screen
  readonly address: string | undefined
}

async function checkClient(
  check: Check,
  joined: Joined | Error | undefined,
  { isThere, screen, address }: Client,
) {
  if (joined === undefined || !isThere) {
    const why =
      joined === undefined ? 'the configuration cannot be read' : 'the hub is not reachable'
    for (const name of ['credentials', 'scopes', 'listener']) await check(name, () => skipped(why))
    return
  }
  if (joined instanceof Error) {
    await check('credentials', () => Promise.reject(joined))
    for (const name of ['scopes', 'listener'])
      await check(name, () => skipped('there are no credentials'))
    return
  }
  const { credentials, scopes } = await checkCredentials(joined)
  await check('credentials', () => credentials)
  const isScoped = await check('scopes', () => scopes)
  await check('listener', () =>
    isScoped
      ? checkListener(joined, screen, address)
      : skipped('it needs a client with the scope content'),
  )
}

function remedyOf(error: Error): string {
  if (error instanceof UsageError || error instanceof Refusal)
    return 'Correct it, then run dragoman doctor again.'
  return 'dragoman help exit-codes explains the codes; docs/command-line.md the settings.'
}
