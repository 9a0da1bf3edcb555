/**
 * `dragoman completion`: a script that completes commands, verbs, options and their known values,
 * from the table of commands.
 */
import { type Command, exitCodes, readArgs, UsageError } from './command.ts'
import { scripts, shells, type Words } from './completion-scripts.ts'
import { describeAll } from './help.ts'

type Commands = Readonly<Record<string, Command>>

export const completion = (all: () => Promise<Commands>): Command => ({
  says: 'print a completion script for bash, zsh, fish or PowerShell',
  help: `Usage: dragoman completion bash|zsh|fish|powershell

Prints a script that completes commands, options and their values.

  bash        source <(dragoman completion bash)            in ~/.bashrc
  zsh         source <(dragoman completion zsh)             in ~/.zshrc, after compinit
  fish        dragoman completion fish > ~/.config/fish/completions/dragoman.fish
  powershell  dragoman completion powershell | Out-String | Invoke-Expression    in $PROFILE`,
  values: { '': shells },
  noJson: 'it prints a shell script',
  run: async (args, screen) => {
    const { positionals } = readArgs({ args, allowPositionals: true, options: {} })
    const shell = shells.find((one) => one === positionals[0])
    if (!shell) throw new UsageError(`Name a shell: ${shells.join(', ')}.`)
    screen.out(scripts[shell](wordsOf(await all())))
    return exitCodes.done
  },
})

/**
 * What a script needs: the words that may follow each command, and those that may follow an option.
 */
export function wordsOf(all: Commands): Words {
  const described = describeAll(all)
  return {
    first: [...Object.keys(all), '--help', '--version'],
    after: described.map(({ command, says, options, values }) => ({
      command,
      says,
      options,
      words: [...Object.keys(verbsAt(all, command)), ...(values[''] ?? [])],
      values: Object.entries(values).filter(([option]) => option !== ''),
    })),
  }
}

function verbsAt(all: Commands, path: string): Commands {
  return path.split(' ').reduce((found: Commands, name) => found[name]?.verbs ?? {}, all)
}
