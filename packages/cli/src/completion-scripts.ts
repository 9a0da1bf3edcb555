/**
 * The completion scripts. Each is static: it contains the words of every command and asks no hub
 * while you type.
 */

export const shells = ['bash', 'zsh', 'fish', 'powershell'] as const
export type Shell = (typeof shells)[number]

export type After = {
  /** As it is typed: `clients add`. */
  readonly command: string
  readonly says: string
  readonly options: readonly string[]
  /** Verbs, and values of the arguments. */
  readonly words: readonly string[]
  /** Options whose values are known. */
  readonly values: readonly (readonly [option: string, values: readonly string[]])[]
}
export type Words = { readonly first: readonly string[]; readonly after: readonly After[] }

const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`
const indented = (lines: readonly string[], by = '    '): string =>
  lines.map((line) => `${by}${line}`).join('\n')
const withVerb = ({ after }: Words): string[] =>
  after.map(({ command }) => command).filter((one) => one.includes(' '))

/** The branches of a `case` over the command and the previous word: the values of an option. */
const valueCases = (all: Words, line: (values: readonly string[]) => string): string[] =>
  all.after.flatMap(({ command, values }) =>
    values.map(([option, list]) => `${quote(`${command} ${option}`)}) ${line(list)} ;;`),
  )

const bash = (all: Words): string => `_dragoman() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" at="\${COMP_WORDS[1]}" words=""
  if [ "$cur" = "=" ]; then cur=""; elif [ "$before" = "=" ]; then before="\${COMP_WORDS[COMP_CWORD-2]}"; fi
  if [ "$COMP_CWORD" -gt 2 ]; then
    case "$at \${COMP_WORDS[2]}" in
      ${withVerb(all).map(quote).join('|') || "''"}) at="$at \${COMP_WORDS[2]}" ;;
    esac
  fi
  if [ "$COMP_CWORD" -eq 1 ]; then
    words="${all.first.join(' ')}"
  else
    case "$at $before" in
${indented(
  valueCases(all, (values) => `words="${values.join(' ')}"`),
  '      ',
)}
      *)
        case "$at" in
${indented(
  all.after.map(
    ({ command, options, words }) =>
      `${quote(command)}) words="${words.join(' ')}"; [[ "$cur" == -* ]] && words="${options.join(' ')}" ;;`,
  ),
  '          ',
)}
        esac ;;
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -o default -F _dragoman dragoman`

const zsh = (all: Words): string => `_dragoman() {
  local at="\${words[2]}"
  if (( CURRENT == 2 )); then
    compadd -- ${all.first.join(' ')}
    return
  fi
  if (( CURRENT > 3 )); then
    case "$at \${words[3]}" in
      ${withVerb(all).map(quote).join('|') || "''"}) at="$at \${words[3]}" ;;
    esac
  fi
  case "$at \${words[CURRENT-1]}" in
${indented(valueCases(all, (values) => `compadd -- ${values.join(' ')}; return`))}
  esac
  case "$at" in
${indented(all.after.map(({ command, options, words }) => `${quote(command)}) compadd -- ${[...words, ...options].join(' ')} ;;`))}
  esac
  _files
}
compdef _dragoman dragoman`

/** fish escapes quotes with a backslash, and keeps track of the typed words itself. */
const fish = (all: Words): string => {
  const says = (text: string) => `-d '${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
  const lines = all.after.flatMap(({ command, says: about, options, words, values }) => {
    const [name = '', verb] = command.split(' ')
    const verbs = withVerb(all)
      .filter((one) => one.startsWith(`${name} `))
      .map((one) => one.slice(name.length + 1))
    const inside = `__fish_seen_subcommand_from ${name}`
    const notInVerb =
      verbs.length > 0
        ? `${inside}; and not __fish_seen_subcommand_from ${verbs.join(' ')}`
        : inside
    const when =
      verb === undefined ? notInVerb : `${inside}; and __fish_seen_subcommand_from ${verb}`
    const known = new Map(values)
    return [
      verb === undefined
        ? `complete -c dragoman -n __fish_use_subcommand -a ${name} ${says(about)}`
        : `complete -c dragoman -n '${notInVerb}' -a ${verb} ${says(about)}`,
      ...words
        .filter((word) => !verbs.includes(word))
        .map((word) => `complete -c dragoman -n '${when}' -a ${word}`),
      ...options.map((option) => {
        const list = known.get(option)
        return `complete -c dragoman -n '${when}' -l ${option.slice(2)}${list ? ` -x -a '${list.join(' ')}'` : ''}`
      }),
    ]
  })
  return lines.join('\n')
}

const powershell = (all: Words): string => {
  const list = (words: readonly string[]) =>
    `@(${words.map((word) => `'${word.replaceAll("'", "''")}'`).join(', ')})`
  return `Register-ArgumentCompleter -Native -CommandName dragoman -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $after = @{
${indented(all.after.map(({ command, words, options }) => `'${command}' = ${list([...words, ...options])}`))}
  }
  $values = @{
${indented(all.after.flatMap(({ command, values }) => values.map(([option, words]) => `'${command} ${option}' = ${list(words)}`)))}
  }
  $typed = @($commandAst.CommandElements | Select-Object -Skip 1 | ForEach-Object { $_.ToString() })
  if ($wordToComplete -ne '' -and $typed.Count -gt 0) { $typed = @($typed | Select-Object -SkipLast 1) }
  if ($typed.Count -eq 0) {
    $words = ${list(all.first)}
  } else {
    $at = $typed[0]
    if ($typed.Count -gt 1 -and $after.ContainsKey("$at $($typed[1])")) { $at = "$at $($typed[1])" }
    $option = "$at $($typed[-1])"
    $words = if ($values.ContainsKey($option)) { $values[$option] } else { $after[$at] }
  }
  $words | Where-Object { $_ -like "$wordToComplete*" } | ForEach-Object {
    [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_)
  }
}`
}

export const scripts: Readonly<Record<Shell, (all: Words) => string>> = {
  bash,
  zsh,
  fish,
  powershell,
}
