/**
 * What a command is, and its exit codes: 0 done, 1 refused or with findings, 2 wrong arguments or could not run, 3 no hub
 * there, 4 credentials refused, 5 not ready yet, 130 interrupted (docs/command-line.md).
 */
import { type ParseArgsConfig, parseArgs } from 'node:util'
import { HubError } from '@dragoman/contract/wire'

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

export const exitCodes = {
  done: 0,
  refused: 1,
  notUnderstood: 2,
  noHub: 3,
  credentials: 4,
  notReady: 5,
  interrupted: 130,
} as const

export type Command = {
  /** One line for the list of commands. */
  readonly says: string
  /** All of `--help`. */
  readonly help: string
  readonly run: (args: string[], screen: Screen) => Promise<number>
  /** Its subcommands: `dragoman clients add`. */
  readonly verbs?: Readonly<Record<string, Command>>
}

/** Wrong arguments; the sentence says which. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** The command cannot be carried out (no space, a path outside); the sentence says why. */
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
    // Node's second sentence is about dashes before positionals.
    throw new UsageError(error instanceof Error ? (error.message.split('. ')[0] ?? '') : String(error))
  }
}

/** Runs the command and prints one sentence if it fails. */
export async function runCommand(command: Command, name: string, args: string[], screen: Screen): Promise<number> {
  const [first, ...rest] = args
  const verb = first !== undefined && Object.hasOwn(command.verbs ?? {}, first) ? command.verbs?.[first] : undefined
  if (verb) return runCommand(verb, `${name} ${first}`, rest, screen)
  if (args.includes('--help') || args.includes('-h')) {
    screen.out(command.help)
    return 0
  }
  try {
    return await command.run(args, screen)
  } catch (error) {
    if (error instanceof UsageError) {
      screen.err(`${error.message}\nTry: dragoman ${name} --help`)
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
  // By its name, because the server has one too and is loaded lazily.
  if (error instanceof Error && error.name === 'Refusal') return exitCodes.refused
  if (!(error instanceof HubError)) return exitCodes.notUnderstood
  // Status 0: no answer.
  if (error.status === 0) return exitCodes.noHub
  return error.code === 'UNAUTHORIZED' ? exitCodes.credentials : exitCodes.refused
}

function sentenceOf(error: unknown): string {
  if (error instanceof HubError) {
    // Errors from the wire already have their paths in the sentence.
    if (error.traceId !== undefined) return `${error.message} (traceId ${error.traceId})`
    // Its sentence names the parameter.
    if (error.code === 'INVALID_PARAMETER') return error.message
    return error.details?.map((detail) => detail.message).join('\n') ?? error.message
  }
  return error instanceof Error ? error.message || error.name : String(error)
}
