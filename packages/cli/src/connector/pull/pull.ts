/**
 * `dragoman pull`: writes the translations of a project into it. Checks every path before the first
 * byte is written; every file is written completely or left as it was, and local edits are kept.
 */
import { type Command, exitCodes, flag, many, readArgs, type Screen } from '../../command.ts'
import { interruptible } from '../../interrupt.ts'
import { count, json, red } from '../../table.ts'
import { hubHelp, hubOptions, type Joined, joinHub, withVersions } from '../hub-connection.ts'
import { usualPattern } from '../output-pattern.ts'
import { besideRoot, mustBePattern, outputsOf } from './pull-paths.ts'
import { type Pulled, runPull } from './run-pull.ts'
import type { Outcome, Written } from './write-translations.ts'

export const pull: Command = {
  says: 'download translations into paths such as {lang}/{path}',
  help: `Usage: dragoman pull [JOBID] [OPTION]…

Downloads the translations that are ready, and says which files are new, changed or unchanged. A file that was edited
here since the last pull is a conflict: it is listed and left unchanged. Without JOBID, pulls what you pushed from this
project: the newest version of each file and language.

  --output PATTERN  target path, relative to the project folder; {lang} {android} {path} {rest} {dir} {name} {ext} are
                    replaced (output in dragoman.yml; default ${usualPattern})
  --lang LIST       only these languages; repeatable
  --all             also jobs whose translations were all pulled before, as in a fresh checkout
  --wait            wait until every request is translated or has failed
  --force           overwrite files that were edited here
  --approve         approve the translations that were downloaded
  --complete        complete the job when everything was downloaded
${hubHelp}

Exit code: 0 every translation was written, 1 refused (a conflict, a path outside the project, no space, a provider
error), 5 some are not ready yet (the others were written); 2, 3, 4 and 130 as in dragoman --help.`,
  run: async (args, screen) => {
    const { values, positionals } = readArgs({
      args,
      allowPositionals: true,
      options: {
        ...hubOptions,
        output: { type: 'string' },
        lang: many,
        all: flag,
        wait: flag,
        force: flag,
        approve: flag,
        complete: flag,
      },
    })
    const joined = await joinHub(values, screen)
    if (values.output !== undefined) mustBePattern(values.output)
    const outputs = outputsOf(joined.project, values.output)
    const languages = values.lang
      ?.flatMap((list) => list.split(/[\s,]+/))
      .map((code) => code.toLowerCase())
    const { all = false, wait = false, approve = false, complete = false, force = false } = values
    return withVersions(joined, async () => {
      const says =
        'Interrupted; the files written so far are complete. Run the command again for the rest.'
      const pulled = await interruptible(says, (signal) =>
        runPull(joined, positionals[0], {
          outputs,
          screen,
          how: {
            all,
            wait,
            approve,
            complete,
            force,
            signal,
            ...(languages && { languages }),
          },
        }),
      )
      if (values.json) screen.out(json(pulledJson(joined, pulled)))
      else tellPulled(screen, pulled)
      return codeOfPull(pulled)
    })
  },
}

const isWritten = ({ outcome }: Written): boolean => outcome === 'new' || outcome === 'changed'
const isConflict = ({ outcome }: Written): boolean => outcome === 'conflict'

function codeOfPull({ written, open, failed }: Pulled): number {
  if (failed.length > 0 || written.some(isConflict)) return exitCodes.refused
  return open.length > 0 ? exitCodes.notReady : exitCodes.done
}

export function pulledJson({ project }: Joined, { jobIds, written, open, failed }: Pulled): object {
  const shown = ({ request, path, outcome }: Written) => ({
    requestId: request.requestId,
    jobId: request.jobId,
    language: request.targetNativeLanguageCode,
    path: besideRoot(project.root, path),
    outcome,
  })
  return {
    jobId: jobIds.at(-1),
    jobIds,
    written: written.filter(isWritten).map(shown),
    unchanged: written.filter(({ outcome }) => outcome === 'unchanged').map(shown),
    conflicts: written.filter(isConflict).map(shown),
    open,
    failed,
  }
}

const outcomes: readonly Outcome[] = ['new', 'changed', 'unchanged', 'conflict']

export function tellPulled(screen: Screen, { written, open, failed }: Pulled): void {
  for (const { path, outcome } of written)
    if (outcome !== 'unchanged') {
      const line = `${outcome.padEnd(8)}  ${besideRoot(screen.cwd, path)}`
      screen.out(outcome === 'conflict' ? red(screen, line) : line)
    }
  screen.out(`${count(written.filter(isWritten).length, 'translation')} written.`)
  const sums = outcomes.map(
    (outcome) => [outcome, written.filter((one) => one.outcome === outcome).length] as const,
  )
  const said = sums.flatMap(([outcome, many]) => (many > 0 ? [`${many} ${outcome}`] : []))
  if (said.length > 0) screen.out(`${said.join(', ')}.`)
  if (written.some(isConflict))
    screen.out(
      'A conflict was edited here since the last pull and stays as it is; --force overwrites it.',
    )
  if (open.length > 0)
    screen.out(`${count(open.length, 'request')} not ready yet; use --wait to wait for them.`)
  for (const one of failed)
    screen.out(
      `${one.requestName} (${one.targetNativeLanguageCode}) failed: ${one.latestErrorMessage ?? 'no reason given'}`,
    )
}
