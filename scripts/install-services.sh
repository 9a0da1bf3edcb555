#!/usr/bin/env bash
# Installs what `npm test` wants beside Node and npm, with --all also what `npm run test:all` wants,
# where it is missing: as root on Debian. Elsewhere it says what is missing, and those tests say
# SKIPPED. It starts nothing: tests start their own servers, on free ports and in temporary folders.
set -euo pipefail

# What is wanted: a file or command that shows it is there, and the Debian packages that bring it.
wanted=(
  'curl:curl'
  'openssl:openssl'
  'git:git'
  '/usr/lib/postgresql/*/bin/initdb:postgresql'
  'php:php-cli'
  '/usr/lib/php/*/soap.so:php-soap'
  '/usr/lib/php/*/curl.so:php-curl'
  '/usr/lib/php/*/mbstring.so:php-mbstring'
  '/usr/lib/python3/dist-packages/zeep:python3-zeep'
  'chromium-headless-shell:chromium-headless-shell'
  'nginx:nginx-light'
  'systemd-analyze:systemd'
  '/usr/sbin/pgbouncer:pgbouncer'
  'msgfmt:gettext'
  'zsh:zsh'
  'fish:fish'
  'pandoc:pandoc'
  'xmllint:libxml2-utils'
  '/usr/lib/python3/dist-packages/yaml:python3-yaml'
  '/usr/lib/python3/dist-packages/srt.py:python3-srt'
)

# What only `npm run test:all` wants.
[ "${1:-}" = --all ] && wanted+=(
  'strace:strace'
  # promtool, which judges the alerts of deploy/.
  'promtool:prometheus'
  # The generator of clients, and what the clients stand on.
  'javac:default-jdk-headless'
  '/usr/share/java/jackson-databind.jar:libjackson2-databind-java'
  'go:golang-go'
  '/usr/share/gocode/src/golang.org/x/oauth2:golang-golang-x-oauth2-dev'
  '/usr/share/php/GuzzleHttp:php-guzzlehttp-guzzle'
  '/usr/lib/python3/dist-packages/urllib3:python3-urllib3'
  '/usr/lib/python3/dist-packages/dateutil:python3-dateutil python3-six python3-certifi'
  # Files of formats that people wrote: catalogues, properties, strings, XLIFF.
  '/usr/share/php/Symfony/Component/Validator:php-symfony-validator php-symfony-form php-symfony-security-core'
  '/usr/lib/python3/dist-packages/django:python3-django'
  '/usr/share/scite:scite'
  '/usr/share/GNUstep:gnustep-base-common gnustep-gui-common'
  # Judges of the Office files, and an engine that really translates.
  'soffice:libreoffice-writer-nogui libreoffice-calc-nogui libreoffice-impress-nogui'
  'apertium-apy:apertium-apy'
  '/usr/share/apertium/modes/eng-spa.mode:apertium-eng-spa'
  '/usr/share/apertium/modes/spa-cat.mode:apertium-spa-cat'
  # Programs that Spanish to Catalan runs, and does not ask for.
  'cg-proc:cg3'
  'lrx-proc:apertium-lex-tools'
  # Tools of translators, which get packages and send them back.
  'omegat:omegat'
  '/usr/lib/python3/dist-packages/translate:translate-toolkit'
  # An object store.
  'radosgw:radosgw ceph-mon ceph-osd ceph-common'
)

is_there() {
  case $1 in
    /*) compgen -G "$1" > /dev/null ;;
    *) command -v "$1" > /dev/null ;;
  esac
}

missing=()
for row in "${wanted[@]}"; do
  is_there "${row%%:*}" || missing+=("${row#*:}")
done
[ ${#missing[@]} -eq 0 ] && exit 0

if [ "$(id -u)" -ne 0 ] || ! command -v apt-get > /dev/null; then
  echo "Missing for some tests: ${missing[*]} (Debian packages). They are installed only as root on Debian." >&2
  exit 0
fi

echo "Installing for the tests: ${missing[*]}" >&2
export DEBIAN_FRONTEND=noninteractive UCF_FORCE_CONFFOLD=1
# The package of PostgreSQL would make and start a cluster of its own; the tests make theirs.
if [[ " ${missing[*]} " == *" postgresql "* ]]; then
  mkdir -p /etc/postgresql-common
  grep -qs '^create_main_cluster' /etc/postgresql-common/createcluster.conf ||
    echo 'create_main_cluster = false' >> /etc/postgresql-common/createcluster.conf
fi

# No service starts by being installed: the tests start their own.
if [ ! -e /usr/sbin/policy-rc.d ]; then
  printf '#!/bin/sh\nexit 101\n' > /usr/sbin/policy-rc.d
  chmod +x /usr/sbin/policy-rc.d
  trap 'rm -f /usr/sbin/policy-rc.d' EXIT
fi

try() {
  local left=4
  until "$@"; do
    left=$((left - 1))
    [ "$left" -gt 0 ] || return 1
    echo "Trying again: $*" >&2
    sleep 5
  done
}
try apt-get update -q
# The packages are single words, or several in one row.
# shellcheck disable=SC2086
try apt-get install -q -y --no-install-recommends -o Dpkg::Options::=--force-confold ${missing[*]}
