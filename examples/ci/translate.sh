#!/bin/sh
# Translations in a build: push what changed on the main branch, and put what is translated on a branch of its own.
#
#   translate.sh push          sends what changed since the last push
#   translate.sh pull          commits finished translations to the branch and pushes it
#
# Needs HUB_URL, HUB_CLIENT_ID and HUB_CLIENT_SECRET, and keeps .dragoman between runs (a cache): it says what was sent.
#   DRAGOMAN             the command line (what is in ci/packages, else npx --yes dragoman)
#   TRANSLATIONS_BRANCH  the branch (translations)
#   TRANSLATIONS_REMOTE  the remote (origin)
set -eu

branch=${TRANSLATIONS_BRANCH:-translations}
remote=${TRANSLATIONS_REMOTE:-origin}

# Before the packages are on npm, ci/packages has their files. They are installed once, beside what is kept.
install_packages() {
  tools=${RUNNER_TEMP:-$PWD/.dragoman}/tools-$(ls ci/packages | cksum | cut -d ' ' -f 1)
  [ -x "$tools/node_modules/.bin/dragoman" ] ||
    npm install --no-audit --no-fund --loglevel=error --prefix "$tools" "$PWD"/ci/packages/*.tgz >&2
  dragoman=$tools/node_modules/.bin/dragoman
}

dragoman=${DRAGOMAN:-npx --yes dragoman}
if [ -z "${DRAGOMAN:-}" ] && [ -d ci/packages ]; then
  install_packages
fi

case ${1:-} in
push)
  $dragoman push
  ;;
pull)
  git config user.name >/dev/null || git config user.name 'Translations'
  git config user.email >/dev/null || git config user.email 'translations@localhost'
  # The branch always starts at what is checked out, so that it never conflicts with it.
  git checkout --quiet -B "$branch"
  # --all, because the checkout lacks what an earlier build pulled and nobody merged yet.
  # 5 means that some translations are not ready yet: commit the others. The branch is reviewed, so it may replace edits.
  code=0
  $dragoman pull --all --force || code=$?
  [ "$code" -eq 0 ] || [ "$code" -eq 5 ] || exit "$code"
  git add --all
  if git diff --cached --quiet; then
    echo 'No new translations.'
    exit 0
  fi
  git commit --quiet --message 'Update translations'
  git push --quiet --force "$remote" "$branch"
  echo "Translations are on the branch $branch."
  ;;
*)
  echo 'Usage: translate.sh push|pull' >&2
  exit 2
  ;;
esac
