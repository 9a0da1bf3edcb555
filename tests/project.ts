/** A connector developer's project in its own folder, with the command line to run in it. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative, sep } from 'node:path'
import { type Ran, runCommandLine } from './run-command.ts'

export type Program = {
  readonly child: ChildProcess
  readonly ran: Promise<Ran>
  out(): string
  err(): string
}

export type Project = {
  readonly folder: string
  write(path: string, content: string | Uint8Array): void
  read(path: string): string
  /** Every file below, with slashes; without the command's own files. */
  files(below?: string): string[]
  /**
   * The built program in its own process: for a command that waits, is interrupted or reads its
   * input.
   */
  start(args: readonly string[], env?: Record<string, string>): Program
  /** The same command line in this process. */
  run(args: readonly string[], env?: Record<string, string>): Promise<Ran>
  remove(): void
}

const program = join(import.meta.dirname, '..', 'packages', 'cli', 'bin', 'dragoman.js')

export function newProject(
  hubUrl: string,
  files: Readonly<Record<string, string | Uint8Array>> = {},
  place = tmpdir(),
): Project {
  const folder = mkdtempSync(join(place, 'dragoman-project-'))
  const write: Project['write'] = (path, content) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
  for (const [path, content] of Object.entries(files)) write(path, content)
  // Not the user's real logins.
  const base = {
    PATH: process.env.PATH,
    HUB_URL: hubUrl,
    XDG_CONFIG_HOME: join(folder, '.dragoman/home'),
  }
  const start: Project['start'] = (args, env = {}) => {
    const child = spawn(process.execPath, [program, ...args], {
      cwd: folder,
      env: { ...base, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const said = { out: '', err: '' }
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      said.out += text
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said.err += text
    })
    const ran = new Promise<Ran>((resolve) =>
      child.once('close', (code) => resolve({ code, ...said })),
    )
    return { child, ran, out: () => said.out, err: () => said.err }
  }
  return {
    folder,
    write,
    read: (path) => readFileSync(join(folder, path), 'utf8'),
    files: (below = '.') =>
      readdirSync(join(folder, below), { recursive: true, withFileTypes: true })
        .filter((one) => one.isFile())
        .map((one) => relative(folder, join(one.parentPath, one.name)).split(sep).join('/'))
        .filter((path) => !path.startsWith('.dragoman/'))
        .sort(),
    start,
    run: (args, env) => runCommandLine(args, { ...base, ...env }, folder),
    remove: () => removeAll(folder),
  }
}

/**
 * A command in this process may still write the last line of its log while its folder is removed.
 */
export function removeAll(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOTEMPTY') throw error
    removeAll(folder)
  }
}
