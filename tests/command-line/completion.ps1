Register-ArgumentCompleter -Native -CommandName dragoman -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $after = @{
    'push' = @('--again', '--help')
    'clients' = @('list', '--help')
    'clients list' = @('--state', '--help')
    'trigger' = @('job.created', '--help')
  }
  $values = @{
    'clients list --state' = @('enabled', 'disabled')
  }
  $typed = @($commandAst.CommandElements | Select-Object -Skip 1 | ForEach-Object { $_.ToString() })
  if ($wordToComplete -ne '' -and $typed.Count -gt 0) { $typed = @($typed | Select-Object -SkipLast 1) }
  if ($typed.Count -eq 0) {
    $words = @('push', 'clients', 'trigger', '--help', '--version')
  } else {
    $at = $typed[0]
    if ($typed.Count -gt 1 -and $after.ContainsKey("$at $($typed[1])")) { $at = "$at $($typed[1])" }
    $option = "$at $($typed[-1])"
    $words = if ($values.ContainsKey($option)) { $values[$option] } else { $after[$at] }
  }
  $words | Where-Object { $_ -like "$wordToComplete*" } | ForEach-Object {
    [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_)
  }
}
