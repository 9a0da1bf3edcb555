/**
 * `dragoman routing`: shows and replaces the rules that choose the provider of a job, and tries
 * them out.
 */
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type {
  RouteCondition,
  Routing,
  RoutingAnswer,
  RoutingQuestion,
  RoutingRule,
} from '@dragoman/contract/wire'
import {
  type Command,
  many,
  readArgs,
  type Screen,
  text,
  UsageError,
  verbsOnly,
} from '../command.ts'
import { count, json, showTable } from '../table.ts'
import { hubHelp, hubOptions, withHub } from './hub-connection.ts'

const client = 'demo-settings'
const help = hubHelp.replace('demo-connector', client)

const shownWhen = (when: RouteCondition = {}): string =>
  Object.entries(when)
    .map(([name, value]) => `${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ') || 'always'

function showRules(screen: Screen, rules: readonly RoutingRule[]): void {
  showTable(
    screen,
    rules,
    [
      { title: 'RULE', of: ({ name }: RoutingRule) => name },
      { title: 'WHEN', of: ({ when }: RoutingRule) => shownWhen(when) },
      { title: 'PROVIDER', of: ({ providerId }: RoutingRule) => providerId },
    ],
    'There are no rules: a job submitted without a provider goes to the only enabled one.',
  )
}

const list: Command = {
  says: 'list the rules in order',
  help: `Usage: dragoman routing list [OPTION]…

Lists the rules that choose the provider of a job submitted without one. The first rule that matches takes the job.

${help}`,
  run: async (args, screen) => {
    const { values } = readArgs({ args, options: hubOptions })
    return withHub(values, screen, client, async (hub) => {
      const found = await hub.findRouting({})
      if (values.json) screen.out(json(found))
      else showRules(screen, found.rules)
      return 0
    })
  },
}

const set: Command = {
  says: 'replace the rules with those of a file',
  help: `Usage: dragoman routing set FILE [OPTION]…

Replaces the rules with those in FILE, a JSON document as dragoman routing list --json prints it. If it has a version and somebody
else has changed the rules since, nothing is replaced. See docs/routing.md for the conditions of a rule.

${help}`,
  run: async (args, screen) => {
    const { values, positionals } = readArgs({ args, allowPositionals: true, options: hubOptions })
    const [file, ...more] = positionals
    if (!file || more.length > 0) throw new UsageError('routing set needs one FILE.')
    const given = await rulesIn(resolve(screen.cwd, file))
    return withHub(values, screen, client, async (hub) => {
      const version = given.version ?? (await hub.findRouting({})).version
      const made = await hub.replaceRouting({ body: { version, rules: given.rules } })
      if (values.json) screen.out(json(made))
      else
        screen.out(
          `The site now has ${count(made.rules.length, 'rule')} (version ${made.version}).`,
        )
      return 0
    })
  },
}

async function rulesIn(path: string): Promise<{ version?: number; rules: RoutingRule[] }> {
  let found: unknown
  try {
    found = JSON.parse(await readFile(path, 'utf8'))
  } catch (error) {
    throw new UsageError(
      error instanceof SyntaxError ? `${path} is not JSON.` : `${path} cannot be read.`,
    )
  }
  const { version, rules } = (
    Array.isArray(found) ? { rules: found } : (found ?? {})
  ) as Partial<Routing>
  if (!Array.isArray(rules)) throw new UsageError(`${path} has no list of rules.`)
  return { rules, ...(version !== undefined && { version }) }
}

const tryOut: Command = {
  says: 'say which rule would take a job, and why the others would not',
  help: `Usage: dragoman routing try JOB [OPTION]…
       dragoman routing try --source CODE --target CODE [OPTION]…

Says which rule would take a job, by its id or by what it would have. Nothing is changed. The exit code is 1 if no rule matches.

  --source CODE   the source language of a job that would be submitted
  --target CODE   a target language; may be repeated
  --label LABEL   a label; may be repeated
  --words N       its number of source words
${help}`,
  run: async (args, screen) => {
    const options = { ...hubOptions, source: text, target: many, label: many, words: text }
    const { values, positionals } = readArgs({ args, allowPositionals: true, options })
    const [jobId, ...more] = positionals
    if (more.length > 0) throw new UsageError('routing try needs one JOB at most.')
    const body = questionOf(values, jobId)
    return withHub(values, screen, client, async (hub) => {
      const answer = await hub.tryRouting({ body })
      if (values.json) screen.out(json(answer))
      else showAnswer(screen, answer)
      return answer.rule === undefined ? 1 : 0
    })
  },
}

type RoutingFlags = {
  source?: string | undefined
  target?: string[]
  label?: string[]
  words?: string | undefined
}

function questionOf(
  { source, target, label, words }: RoutingFlags,
  jobId: string | undefined,
): RoutingQuestion {
  if (jobId !== undefined) return { jobId }
  if (source === undefined || !target)
    throw new UsageError('Specify a job, or --source and --target.')
  if (words !== undefined && !/^\d{1,15}$/.test(words))
    throw new UsageError('--words must be a whole number.')
  return {
    source,
    targets: target,
    ...(label && { labels: label }),
    ...(words !== undefined && { words: Number(words) }),
  }
}

function showAnswer(screen: Screen, { providerId, rule, rejected }: RoutingAnswer): void {
  screen.out(
    rule === undefined ? 'No rule matches.' : `The rule ${rule} takes it: provider ${providerId}.`,
  )
  for (const { rule: name, because } of rejected) screen.out(`  ${name}: ${because}`)
}

export const routing = verbsOnly('routing', 'the rules that choose the provider of a job', {
  list,
  set,
  try: tryOut,
})
