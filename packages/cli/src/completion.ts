/** `dragoman completion`: a shell script, generated from the table of commands and their help. */
import { type Command, readArgs, UsageError } from './command.ts'

const shells = ['bash', 'zsh', 'fish'] as const
type Shell = (typeof shells)[number]
type Commands = Readonly<Record<string, Command>>

export const completion = (all: () => Commands): Command => ({
  says: 'print a completion script for bash, zsh or fish',
  help: `Usage: dragoman completion bash|zsh|fish

Prints a script that completes commands and flags.

  bash   source <(dragoman completion bash)            in ~/.bashrc
  zsh    source <(dragoman completion zsh)             in ~/.zshrc, after compinit
  fish   dragoman completion fish > ~/.config/fish/completions/dragoman.fish`,
  run: async (args, screen) => {
    const { positionals } = readArgs({ args, allowPositionals: true, options: { json: { type: 'boolean' } } })
    const shell = shells.find((one) => one === positionals[0])
    if (!shell) throw new UsageError(`Name a shell: ${shells.join(', ')}.`)
    screen.out(scripts[shell](all()))
    return 0
  },
})

/** What may follow a command: its subcommands, and the flags in its help. */
export function wordsAfter(command: Command): string[] {
  const flags = [...command.help.matchAll(/(?<![\w-])--[a-z][a-z-]+/g)].map(([flag]) => flag)
  return [...Object.keys(command.verbs ?? {}), ...new Set([...flags, '--help'])]
}

const scripts: Record<Shell, (all: Commands) => string> = {
  bash: (all) => `_dragoman() {
  local words
  case "\${COMP_WORDS[1]}" in
${Object.entries(all)
  .map(([name, command]) => `    ${name}) words="${wordsAfter(command).join(' ')}" ;;`)
  .join('\n')}
    *) words="${[...Object.keys(all), '--help', '--version'].join(' ')}" ;;
  esac
  [ "$COMP_CWORD" -eq 1 ] && words="${[...Object.keys(all), '--help', '--version'].join(' ')}"
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}") $(compgen -f -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o filenames -F _dragoman dragoman`,
  zsh: (all) => `_dragoman() {
  if (( CURRENT == 2 )); then
    compadd -- ${[...Object.keys(all), '--help', '--version'].join(' ')}
    return
  fi
  case "\${words[2]}" in
${Object.entries(all)
  .map(([name, command]) => `    ${name}) compadd -- ${wordsAfter(command).join(' ')} ;;`)
  .join('\n')}
  esac
  _files
}
compdef _dragoman dragoman`,
  fish: (all) =>
    Object.entries(all)
      .flatMap(([name, command]) => [
        `complete -c dragoman -n __fish_use_subcommand -a ${name} -d '${command.says.replaceAll("'", "\\'")}'`,
        ...wordsAfter(command).map((word) =>
          word.startsWith('--')
            ? `complete -c dragoman -n '__fish_seen_subcommand_from ${name}' -l ${word.slice(2)}`
            : `complete -c dragoman -n '__fish_seen_subcommand_from ${name}' -a ${word}`,
        ),
      ])
      .join('\n'),
}
