_dragoman() {
  local at="${words[2]}"
  if (( CURRENT == 2 )); then
    compadd -- push clients trigger --help --version
    return
  fi
  if (( CURRENT > 3 )); then
    case "$at ${words[3]}" in
      'clients list') at="$at ${words[3]}" ;;
    esac
  fi
  case "$at ${words[CURRENT-1]}" in
    'clients list --state') compadd -- enabled disabled; return ;;
  esac
  case "$at" in
    'push') compadd -- --again --help ;;
    'clients') compadd -- list --help ;;
    'clients list') compadd -- --state --help ;;
    'trigger') compadd -- job.created --help ;;
  esac
  _files
}
compdef _dragoman dragoman
