/**
 * What a command is, its exit codes (docs/command-line.md), and how its errors become a sentence
 * and a code.
 */
import { type ParseArgsConfig, parseArgs } from 'node:util'
import { HubError } from '@dragoman/contract/wire'
import { didYouMean } from './nearest.ts'
import { hasColour, printable } from './printable.ts'

export type Screen = {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly out: (text: string) => void
  readonly err: (text: string) => void
  /** The base of relative paths. */
  readonly cwd: string
  /** The maximum line width. */
  readonly columns: number
  /** Whether standard output and standard error are terminals. */
  readonly isTerminal: { readonly out: boolean; readonly err: boolean }
}

/**
 * Every exit code of every command, in a few words and in full; `dragoman help exit-codes` prints
 * it.
 */
export const exitRows = [
  { code: 0, short: 'done', says: 'Done. For status and pull: every translation is ready.' },
  {
    code: 1,
    short: 'refused or findings',
    says: 'Refused, or what you asked about is not so: the hub refused the call, check or findings found something, doctor or certify failed, the provider reported an error, a file is broken or cannot be written.',
  },
  {
    code: 2,
    short: 'invalid arguments or could not run',
    says: 'Could not run: an unknown command or option, a mistake in dragoman.yml or the environment, no matching files, a hub of another version or profile.',
  },
  { code: 3, short: 'hub not reachable', says: 'The hub is not reachable.' },
  {
    code: 4,
    short: 'credentials or scope refused',
    says: 'The hub refused the credentials, or the client lacks the scope for the call.',
  },
  {
    code: 5,
    short: 'not ready yet',
    says: 'Not ready yet: status and pull found translations that are still open.',
  },
  {
    code: 130,
    short: 'interrupted',
    says: 'Interrupted (Ctrl-C). The message says what a second run does.',
  },
] as const

export const exitCodes = {
  done: 0,
  refused: 1,
  notUnderstood: 2,
  noHub: 3,
  credentials: 4,
  notReady: 5,
  interrupted: 130,
} as const satisfies Readonly<Record<string, (typeof exitRows)[number]['code']>>

/** How an option is given, for `readArgs`. */
export const text = { type: 'string' } as const
export const flag = { type: 'boolean' } as const
export const many = { type: 'string', multiple: true } as const

export type Command = {
  /** One line for the list of commands. */
  readonly says: string
  /** All of `--help`. */
  readonly help: string
  readonly run: (args: string[], screen: Screen) => Promise<number>
  /** Its subcommands: `dragoman clients add`. */
  readonly verbs?: Readonly<Record<string, Command>>
  /**
   * For completion: the values of an option (`--state`), or of the arguments (the empty name),
   * where they are known.
   */
  readonly values?: Readonly<Record<string, readonly string[]>>
  /** Why it takes no `--json`; every other command does. */
  readonly noJson?: string
}

/** A command that only has verbs: `dragoman keys VERB`. */
export function verbsOnly(
  name: string,
  says: string,
  verbs: Readonly<Record<string, Command>>,
  about = '',
): Command {
  const width = Math.max(...Object.keys(verbs).map((verb) => verb.length))
  const lines = Object.entries(verbs).map(([verb, one]) => `  ${verb.padEnd(width)}  ${one.says}`)
  return {
    says,
    help: `Usage: dragoman ${name} VERB [OPTION]…

${lines.join('\n')}

${about}Run dragoman ${name} VERB --help for details.`,
    verbs,
    noJson: 'its verbs do',
    run: async () => {
      throw new UsageError(`Specify a verb for ${name}: ${Object.keys(verbs).join(', ')}.`)
    },
  }
}

/** Wrong arguments; the sentence says which. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/**
 * The command cannot be carried out (no space, a path outside the project); the sentence says why.
 */
export class Refusal extends Error {
  override readonly name = 'Refusal'
}

/** Ctrl-C; the sentence says what a second run does. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted'
}

/** Every command accepts `--help`; unknown options are refused. */
export function readArgs<T extends ParseArgsConfig>(config: T): ReturnType<typeof parseArgs<T>> {
  try {
    return parseArgs<T>({ ...config, strict: true })
  } catch (error) {
    if (!(error instanceof Error)) throw error
    // Node's second sentence is about dashes before positionals.
    const [says = ''] = error.message.split('. ')
    const unknown = /^Unknown option '(--[^']*)'/.exec(says)?.[1]
    if (unknown === undefined) throw new UsageError(says)
    const known = [...Object.keys(config.options ?? {}), 'help'].map((name) => `--${name}`)
    throw new UsageError(`${says}.${didYouMean(unknown, known)}`)
  }
}

/** Runs the command and prints one sentence if it fails. Whatever is printed is printable. */
export async function runCommand(
  command: Command,
  name: string,
  args: string[],
  given: Screen,
): Promise<number> {
  const screen: Screen = {
    ...given,
    out: (text) => given.out(printable(text, hasColour(given))),
    err: (text) => given.err(printable(text, hasColour(given, 'err'))),
  }
  const [first, ...rest] = args
  const verb =
    first !== undefined && Object.hasOwn(command.verbs ?? {}, first)
      ? command.verbs?.[first]
      : undefined
  if (verb) return runCommand(verb, `${name} ${first}`, rest, screen)
  if (args.includes('--help') || args.includes('-h')) {
    screen.out(command.help)
    return 0
  }
  try {
    return await command.run(args, screen)
  } catch (error) {
    if (error instanceof UsageError) {
      const hint =
        first === undefined || first.startsWith('-')
          ? ''
          : didYouMean(first, Object.keys(command.verbs ?? {}))
      screen.err(`${error.message}${hint}\nTry: dragoman ${name} --help`)
      return 2
    }
    if (error instanceof Interrupted) {
      screen.err(error.message)
      return exitCodes.interrupted
    }
    screen.err(sentenceOf(error))
    return codeOf(error)
  }
}

function codeOf(error: unknown): number {
  // Compared by name, because the server has its own class and is loaded lazily.
  if (error instanceof Error && error.name === 'Refusal') return exitCodes.refused
  if (!(error instanceof HubError)) return exitCodes.notUnderstood
  // Status 0: no response.
  if (error.status === 0) return exitCodes.noHub
  return refusedCaller.includes(error.code) ? exitCodes.credentials : exitCodes.refused
}

/** Another client, or one with more scopes, would be accepted. */
const refusedCaller: readonly string[] = ['UNAUTHORIZED', 'FORBIDDEN']

function sentenceOf(error: unknown): string {
  if (error instanceof HubError) {
    // Errors from the wire already have their paths in the sentence.
    if (error.traceId !== undefined) return `${error.message} (traceId ${error.traceId})`
    // The sentence already names the parameter.
    if (error.code === 'INVALID_PARAMETER') return error.message
    return error.details?.map((detail) => detail.message).join('\n') ?? error.message
  }
  return error instanceof Error ? error.message || error.name : String(error)
}
