/**
 * `dragoman help`: the list of commands, the help of one, or the exit codes. With `--json`, a
 * description for programs.
 */
import { type Command, exitCodes, exitRows, readArgs, type Screen, UsageError } from './command.ts'
import { didYouMean } from './nearest.ts'
import { json, showTable } from './table.ts'

type Commands = Readonly<Record<string, Command>>
export type Described = {
  readonly command: string
  readonly says: string
  readonly options: readonly string[]
  readonly values: Readonly<Record<string, readonly string[]>>
  /** Why it takes no `--json`. */
  readonly noJson?: string
}

export const help = (all: () => Promise<Commands>, usage: (all: Commands) => string): Command => ({
  says: 'show the help of a command, or the exit codes',
  help: `Usage: dragoman help [COMMAND [VERB]] [--json]
       dragoman help exit-codes [--json]

  --json  print JSON: the commands with their options, or the exit codes`,
  run: async (args, screen) => {
    const { values, positionals } = readArgs({
      args,
      allowPositionals: true,
      options: { json: { type: 'boolean' } },
    })
    const [name, verb] = positionals
    if (name === 'exit-codes') showCodes(screen, values.json ?? false)
    else if (values.json) screen.out(json(describeAll(await all())))
    else screen.out(name === undefined ? usage(await all()) : helpOf(await all(), name, verb))
    return exitCodes.done
  },
})

function showCodes(screen: Screen, asJson: boolean): void {
  if (asJson) screen.out(json(exitRows.map(({ code, says }) => ({ code, says }))))
  else
    showTable(
      screen,
      exitRows,
      [
        { title: 'CODE', of: ({ code }) => code },
        { title: 'MEANING', of: ({ says }) => says },
      ],
      '',
    )
}

function helpOf(all: Commands, name: string, verb: string | undefined): string {
  const command = Object.hasOwn(all, name) ? all[name] : undefined
  if (!command)
    throw new UsageError(`There is no command "${name}".${didYouMean(name, Object.keys(all))}`)
  const verbs = command.verbs ?? {}
  return (
    (verb !== undefined && Object.hasOwn(verbs, verb) ? verbs[verb]?.help : undefined) ??
    command.help
  )
}

/** Every command and verb, as it is typed. */
export function describeAll(all: Commands, before = ''): Described[] {
  return Object.entries(all).flatMap(([name, command]) => [
    {
      command: `${before}${name}`,
      says: command.says,
      options: optionsOf(command),
      values: command.values ?? {},
      ...(command.noJson !== undefined && { noJson: command.noJson }),
    },
    ...describeAll(command.verbs ?? {}, `${before}${name} `),
  ])
}

/** The options in the help of a command. */
export const optionsOf = (command: Command): string[] => [
  ...new Set(
    [...command.help.matchAll(/(?<![\w-])--[a-z][a-z-]+/g)]
      .map(([option]) => option)
      .concat('--help'),
  ),
]
